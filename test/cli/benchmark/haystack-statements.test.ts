import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { haystackCommand } from '../../../src/cli/benchmark/haystack.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const STATEMENTS = [
  {
    topic: 'Bees',
    query: 'How are the bees?',
    insight: '12 of 40 hives died.',
    statement: 'Twelve hives of forty were lost',
  },
  { topic: 'Bees', insight: '12 of 40 hives died.', statement: 'Of 40 hives, a dozen did not make it.' },
  { topic: 'Bees', query: null, insight: null, statement: 'The meadow was quiet.' },
  { topic: 'Wasps', insight: 'Wasps came in July.', statement: 'July brought wasps.' },
];

test('makes a set of labelled statements without a model, the same whatever their order, from JSON and JSON Lines', async () => {
  const folder = temporaryFolder();
  const [asJson, asLines, out] = ['s.json', 's.jsonl', 'set.json'].map((name) => join(folder, name));
  writeFileSync(asJson, JSON.stringify(STATEMENTS));
  writeFileSync(
    asLines,
    [...STATEMENTS]
      .reverse()
      .map((each) => JSON.stringify(each))
      .join('\n'),
  );
  const flags = ['--documents', '3', '--least', '2', '--words', '10'];
  const noService = async () => {
    throw new Error('asks for the service');
  };
  const streams = { stdin: process.stdin, stdout: { write: () => true }, stderr: { write: () => true } };
  await haystackCommand.run(
    ['--statements', asLines, ...flags, '--out', out],
    noService,
    streams,
    new AbortController().signal,
  );
  const { stdout, stderr } = await runCommand(haystackCommand, ['--statements', asJson, ...flags]);
  expect(stdout).toBe(readFileSync(out, 'utf8'));
  const set = readSet(out);
  expect(set.made).toMatchObject([{ step: 'haystack', model: null, counts: { statements: 4, unused: 0, rare: 1 } }]);
  expect(set.cases.map(({ intent }) => intent)).toEqual(['How are the bees?', 'Wasps']);
  expect(stderr).toMatch(/fewer documents than --least .*--repeat\): 1\.\n {2}in 1: Wasps came in July\.\n/);
  expect(stderr).not.toMatch(/[a-z][A-Z]/);
  const repeated = await runCommand(haystackCommand, ['--statements', asJson, ...flags, '--repeat']);
  expect((JSON.parse(repeated.stdout) as BenchmarkSet).cases[1].insights?.[0].documents).toHaveLength(2);
});

test('refuses a file of statements with everything that is wrong with it', async () => {
  const path = join(temporaryFolder(), 's.jsonl');
  const lines = [
    STATEMENTS[0],
    { ...STATEMENTS[1], query: 'Another?' },
    { ...STATEMENTS[0], topic: 'Wasps' },
    { topic: 'Bees', statement: STATEMENTS[0].statement },
    { topic: ' ', statement: '…' },
    { topic: 'Bees', statement: 'Fine.', label: 1 },
  ];
  writeFileSync(path, lines.map((each) => JSON.stringify(each)).join('\n'));
  const refused = runCommand(haystackCommand, ['--statements', path]);
  await expect(refused).rejects.toThrow(/5 places are wrong/);
  for (const part of [
    /line 2: \/query is not the query/,
    /line 3: \/statement stands under another topic/,
    /line 4: \/statement tells no insight here/,
    /line 5: \/topic/,
    /line 5: \/statement/,
    /line 6/,
  ]) {
    await expect(refused).rejects.toThrow(part);
  }
  writeFileSync(path, JSON.stringify([STATEMENTS[2]]));
  await expect(runCommand(haystackCommand, ['--statements', path])).rejects.toThrow(/no statement with an "insight"/);
});
