import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { panelCommand } from '../../../src/cli/benchmark/panel.node.ts';
import { csvLine } from '../../../src/client/index.ts';
import { csvLines } from '../../../src/lab/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { good } from '../../support/good-model.ts';
import { messagesOf, type Script } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { partsWithModel, runCommand } from './run-command.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const SET = {
  name: 'city',
  collections: [{ id: 'city', documents: CITY }],
  cases: [
    ...IDS.map((id) => ({ id, collection: 'city', intent: CITY_INTENT, domain: id < 'e' ? 'early' : 'late' })),
    { id: 'no question', collection: 'city' },
  ],
  made: [],
};
const PLAIN = 'Plainly said, "it" fell [1];\nand that is all.';

/** Writes as a good model does, one plain text for the plain prompt, and prefers the digest. */
const script: Script = (request) => {
  const shown = messagesOf(request.body);
  if (shown.includes('Write at most 90 words')) return { text: PLAIN };
  if (!shown.includes('Text A:')) return good(request);
  const isPlainFirst = shown.indexOf('Plainly said') < shown.indexOf('Text B:');
  return {
    text: JSON.stringify({
      why: 'x',
      a: isPlainFirst ? 2 : 4,
      b: isPlainFirst ? 4 : 2,
      preferred: isPlainFirst ? 'B' : 'A',
    }),
  };
};

async function started() {
  const folder = temporaryFolder();
  const [set, sheets] = [join(folder, 'set.json'), join(folder, 'sheets.csv')];
  writeFileSync(set, JSON.stringify(SET));
  const { deps, server } = await partsWithModel(script);
  const run = (...more: string[]) =>
    runCommand(panelCommand, [set, '--sheets', sheets, '--words', '90', '--yes', ...more], deps);
  return { run, sheets, server, rows: () => csvLines(readFileSync(sheets, 'utf8')) };
}

test('both texts of a case stand side by side, and nothing tells which is which but the seed', async () => {
  const { run, rows, server } = await started();
  const { code, stdout } = await run();
  expect([code, stdout]).toEqual([0, expect.stringContaining(' holds 8 pairs of texts.')]);
  const [heads, ...lines] = rows();
  expect(heads).toEqual(['id (seed 1)', 'question', 'A', 'B', 'grade A', 'grade B', 'preferred']);
  expect(lines.map(([id]) => id).toSorted()).toEqual(IDS);
  for (const [, question, a, b, ...grades] of lines) {
    expect([question, ...grades]).toEqual([CITY_INTENT, '', '', '']);
    expect([a, b].filter((text) => text === PLAIN)).toHaveLength(1);
  }
  expect(new Set(lines.map(([, , a]) => a === PLAIN)).size).toBe(2);
  // The same questions cost nothing again, and sheets that are there are not made anew.
  const calls = server.requests.length;
  await run();
  expect(server.requests).toHaveLength(calls);
});

test('a model that prefers the digests is told so, whichever side they stand on', async () => {
  const { run, rows } = await started();
  await run();
  const { stdout } = await run('--judge');
  expect(stdout).toMatch(/^early +4 +100\* \[100, 100\] +4\.00\* .* +2\.00\* .* +2\.00\*/m);
  expect(stdout).toMatch(/^together +8 +100\* /m);
  expect(stdout).toContain('* of fewer than 20 units');
  expect(
    rows()
      .slice(1)
      .every(([, , , , a, b]) => `${a}${b}`.match(/^(?:24|42)$/) !== null),
  ).toBe(true);
});

test('people fill in what they think, in any order, and a line without grades is left out', async () => {
  const { run, sheets, rows } = await started();
  await run();
  const [heads, ...lines] = rows();
  const graded = lines.map(([id, question, a, b], n) => {
    const plain = a === PLAIN ? 'A' : 'b';
    return n === 0 ? [id, question, a, b] : [id, question, a, b, 3, 3, plain];
  });
  writeFileSync(sheets, [heads, ...graded.toReversed()].map(csvLine).join(''));
  const { stdout } = await run();
  expect(stdout).toMatch(/^together +7 +0\* \[0, 0\] +3\.00/m);
  // As a spreadsheet with another separator saves it, and whatever seed is named.
  const semicolons = [heads, ...graded].map((line) =>
    line.map((field) => `"${`${field}`.replaceAll('"', '""')}"`).join(';'),
  );
  writeFileSync(sheets, `\ufeff${semicolons.join('\r\n')}\r\n`);
  expect((await run('--seed', '7')).stdout).toBe(stdout);
  for (const [a, b] of [
    [6, 3],
    [4.5, 3],
  ]) {
    writeFileSync(sheets, [heads, [...graded[1].slice(0, 4), a, b, 'A']].map(csvLine).join(''));
    await expect(run()).rejects.toThrow('Line 2 of');
  }
  writeFileSync(sheets, graded.map(csvLine).join(''));
  await expect(run()).rejects.toThrow('is not that of a sheet');
});

test('without sheets, a question or a model it says what is missing', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'set.json');
  writeFileSync(path, JSON.stringify({ ...SET, cases: [] }));
  await expect(runCommand(panelCommand, [path])).rejects.toThrow('--sheets FILE.csv');
  await expect(runCommand(panelCommand, [path, '--sheets', join(folder, 's.csv')])).rejects.toThrow(
    'no case with an intent',
  );
  writeFileSync(path, JSON.stringify(SET));
  await expect(runCommand(panelCommand, [path, '--sheets', join(folder, 's.csv')])).rejects.toThrow(
    'needs a language model',
  );
});

test('lines of CSV come back as they were', () => {
  const lines = [
    ['a', 'say "so", they\nsaid; then', ''],
    ['1', 'b;c', '- d'],
  ];
  expect(csvLines(lines.map(csvLine).join(''))).toEqual(lines);
  expect(csvLines('\ufeffid;x\r\n1,5;"a;b"\n')).toEqual([
    ['id', 'x'],
    ['1,5', 'a;b'],
  ]);
});
