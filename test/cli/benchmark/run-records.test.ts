import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand as benchmarkRun } from '../../../src/cli/benchmark/run.node.ts';
import { evalJudge } from '../../../src/cli/eval-judge.node.ts';
import type { DigestDeps } from '../../../src/digest/index.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { annotationItems, type JudgedRecord, readJudgedRecords } from '../../../src/lab/people/judged-records.ts';
import { contentHash } from '../../../src/text/index.ts';
import { dataIn } from '../../support/good-model.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { partsWithModel, runCommand } from './run-command.ts';
import { folderOf } from './run-samples.ts';

const TOWNS = ['Alvik', 'Bramley', 'Corvino', 'Dunmore', 'Elstow', 'Farnham'];
const SET: BenchmarkSet = {
  name: 'towns',
  collections: [{ id: 'c', documents: TOWNS.map((id) => ({ id, text: `The mill of ${id} burned.` })) }],
  cases: [
    {
      id: 'x',
      collection: 'c',
      intent: 'What burned?',
      questions: TOWNS.map((document, position) => ({
        question: `What of ${document}?`,
        answer: 'Its mill',
        document,
        position,
      })),
      keyPoints: TOWNS.map((town) => ({ text: `${town} lost its mill.` })),
      nuggets: TOWNS.map((town) => ({
        id: town,
        question: `What of ${town}?`,
        answers: [{ text: 'Its mill', documents: [town] }],
      })),
    },
  ],
  made: [],
};
const said = (word: string) => TOWNS.map((id) => ({ text: `The mill of ${id} ${word}.`, documents: [id] }));

/** A judge whose verdicts nobody can foresee, and which says the same of the same. */
const fickle: Script = (request) => {
  const [system, user] = (request.body.messages ?? []).map(({ content }) => content);
  const bits = (text: string) => Number.parseInt(contentHash(text).slice(0, 6), 16);
  const shown = [...dataIn(request, 'summary'), ...dataIn(request, 'text')][0]?.text ?? '';
  const asked = bits(user.replaceAll(/ [0-9a-f]{16}>>>/g, ''));
  if (/"reported"/.test(system)) {
    const numbers = dataIn(request, 'nugget').map(({ number }) => number);
    return { text: JSON.stringify({ reported: numbers.filter((number) => (asked >> number) % 2 === 0) }) };
  }
  if (/"kind"/.test(system)) return { text: JSON.stringify({ kind: 'CLAIM' }) };
  if (/"key_?[pP]oints"/.test(system)) return { text: JSON.stringify({ keyPoints: [] }) };
  const verdicts = /SAME/.test(system) ? ['SAME', 'OTHER', 'NONE'] : ['YES', 'NO'];
  return { text: JSON.stringify({ evidence: shown, verdict: verdicts[asked % verdicts.length] }) };
};

const JUDGE = ['--judge', 'llm', '--model', 'scripted', '--yes'];

async function ran(...more: string[]) {
  const { deps, server } = await partsWithModel(fickle);
  const folder = folderOf({
    'set.json': SET,
    'theirs.jsonl': [
      { case: 'x', system: 'one', sentences: said('burned down') },
      { case: 'x', system: 'two', sentences: said('burned in May') },
    ],
    'run.json': {
      name: 'r',
      sets: [{ files: ['set.json'] }],
      systems: ['one', 'two'].map((name) => ({ name, outputs: 'theirs.jsonl' })),
    },
  });
  const path = join(folder, 'records.jsonl');
  const run = () => runCommand(benchmarkRun, [join(folder, 'run.json'), '--records', path, ...JUDGE, ...more], deps);
  const { code, stderr } = await run();
  expect(code, stderr).toBe(0);
  const read = (): readonly JudgedRecord[] => readJudgedRecords({ path, text: readFileSync(path, 'utf8') }) ?? [];
  return { deps, server, folder, path, run, stderr, records: read(), read };
}

async function heldAgainst(records: readonly JudgedRecord[], labels: string, deps: DigestDeps) {
  const out: string[] = [];
  const streams = { stdout: { write: (piece: string) => out.push(piece) > 0 }, stderr: { write: () => true } };
  const options = { judge: { judge: 'llm' as const, engine: { model: 'scripted' } }, json: true, labels };
  const file = { path: 'records.jsonl', text: JSON.stringify(records) };
  await evalJudge(file, options, deps, streams, new AbortController().signal);
  const {
    agreement,
    usage,
  }: {
    agreement: { field: string; items: number; confusion: number[][] }[];
    usage: { reusedVerdicts: number };
  } = JSON.parse(out.join(''));
  return { usage, fields: new Map(agreement.map((each) => [each.field, each])) };
}

test('what a run judged becomes records that people label, held against the same verdicts without asking again', async () => {
  const { deps, server, folder, path, stderr, records } = await ran('--sample', '9');
  const items = records.flatMap(annotationItems);
  const labels = join(folder, 'labels.jsonl');
  // People who say no to everything, and find that every sentence is supported and reports a nugget.
  const label = (item: string, field: string) =>
    JSON.stringify({
      item,
      annotator: 'ada',
      field,
      value: field === 'outcome' ? '3' : 'no',
      at: '2026-01-01T00:00:00Z',
    });
  writeFileSync(labels, `${items.flatMap(({ id, fields }) => fields.map((field) => label(id, field))).join('\n')}\n`);
  const asked = server.requests.length;
  const { usage, fields } = await heldAgainst(records, labels, deps);
  expect(server.requests).toHaveLength(asked);
  expect(usage.reusedVerdicts).toBeGreaterThan(0);
  expect(stderr).toMatch(/answers to questions: 9 of \d+$/m);
  for (const field of ['answerable', 'correct', 'entailed', 'reported', 'outcome']) {
    expect(fields.get(field)?.items, field).toBe(9);
  }
  expect(stderr).toContain(`tessera benchmark annotate ${path} --out`);
  expect(stderr).toMatch(/eval judge \S+ --labels \S+ --judge llm --model scripted/);
});

test('the same seed draws the same from a run that is known, another seed others', async () => {
  const { server, path, run, deps, folder } = await ran('--sample', '5');
  const first = readFileSync(path, 'utf8');
  const asked = server.requests.length;
  expect((await run()).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(first);
  const args = [join(folder, 'run.json'), '--records', path, '--sample', '5', '--seed', '2', ...JUDGE];
  expect((await runCommand(benchmarkRun, args, deps)).code).toBe(0);
  expect(readFileSync(path, 'utf8')).not.toBe(first);
  expect(server.requests).toHaveLength(asked);
});

test('flags of records without a file for them are refused', async () => {
  const folder = folderOf({ 'set.json': SET });
  const config = join(folder, 'run.json');
  writeFileSync(
    config,
    JSON.stringify({ name: 'r', sets: [{ files: ['set.json'] }], systems: [{ name: 'a', options: {} }] }),
  );
  await expect(runCommand(benchmarkRun, [config, '--sample', '3'])).rejects.toThrow(/--records/);
  await expect(runCommand(benchmarkRun, [config, '--records', join(folder, 'r'), '--sample', '0'])).rejects.toThrow(
    /--sample/,
  );
});
