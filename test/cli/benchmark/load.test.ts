import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCommand } from '../../../src/cli/benchmark/load.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import { SAMPLES, summHay } from '../../lab/loaders/samples.ts';
import { runCommand } from './run-command.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-load-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The sample files of a format, written down. */
function samplePaths(format: keyof typeof SAMPLES): string[] {
  return SAMPLES[format].map(({ path, text }) => {
    const target = join(folder, format, path);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, text);
    return target;
  });
}

test('a set is loaded into a file that reads back, the same bytes twice', async () => {
  const paths = samplePaths('meetings');
  const [one, two] = [join(folder, 'meetings-1.json'), join(folder, 'meetings-2.json')];
  const outcome = await runCommand(loadCommand, ['meetings', ...paths, '--out', one, '--name', 'mine']);
  await runCommand(loadCommand, ['meetings', ...paths, '--out', two, '--name', 'mine']);
  expect(outcome).toEqual({ code: 0, stdout: '', stderr: 'benchmark load: 3 collections, 3 documents, 6 cases.\n' });
  expect(readSet(one).name).toBe('mine');
  expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
});

test('without a file the set goes to standard output, and what was left out is told', async () => {
  const { stdout, stderr } = await runCommand(loadCommand, [
    'diversesumm',
    ...samplePaths('diversesumm'),
    '--limit',
    '1',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'diverse', cases: [{ id: 'flood' }] });
  expect(stderr).toBe(
    'benchmark load: 1 collections, 3 documents, 1 cases, 1 emptyDocuments, 3 answersOfEmptyDocuments, 1 emptyAnswers, 1 questionsWithoutAnswer, 1 unusableUrls.\n',
  );
});

test('texts have the same ids from whatever folder and by whatever path they are named', async () => {
  const root = join(folder, 'somewhere');
  for (const path of ['a/b/one.md', 'a/two.md', 'a/c/one.md']) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), `Text of ${path}.`);
  }
  const paths = ['a/b/one.md', 'a/two.md', 'a/c/one.md'].map((path) => join(root, path));
  const near = paths.map((path) => relative(process.cwd(), path));
  const round = paths.map((path) => `${root}/a/../${relative(root, path)}`);
  const outcomes = [];
  for (const named of [paths, near, round, [near[0], paths[1], round[2]]]) {
    outcomes.push((await runCommand(loadCommand, ['documents', ...named])).stdout);
  }
  expect(new Set(outcomes).size).toBe(1);
  expect(JSON.parse(outcomes[0]).collections[0].documents.map(({ id }: { id: string }) => id)).toEqual([
    'b/one.md',
    'two.md',
    'c/one.md',
  ]);
  expect(outcomes[0]).not.toContain('somewhere');
  await expect(runCommand(loadCommand, ['documents', paths[0], near[0]])).rejects.toThrow(
    `${near[0]}: gets the id "one.md", as ${paths[0]} does`,
  );
});

test('files without text are left out, counted and named; without any text nothing is loaded', async () => {
  const names = ['full.md', 'blank.md', 'nothing.md'].map((name) => join(folder, name));
  for (const [place, text] of ['Trams are quiet.', ' \n\t', ''].entries()) writeFileSync(names[place], text);
  const { stdout, stderr } = await runCommand(loadCommand, ['documents', ...names]);
  const { collections, cases, made } = JSON.parse(stdout);
  expect(collections[0].documents.map(({ id }: { id: string }) => id)).toEqual(['full.md']);
  expect(cases).toEqual([{ id: 'documents', collection: 'documents' }]);
  expect(made[0].counts).toEqual({ collections: 1, documents: 1, cases: 1, emptyDocuments: 2 });
  expect(stderr).toContain(`left out, as they hold no text: ${names[1]}, ${names[2]}.\n`);
  const out = join(folder, 'none-left.json');
  await expect(runCommand(loadCommand, ['documents', ...names.slice(1), '--out', out])).rejects.toThrow(
    /2 places are wrong[\s\S]*blank\.md: \/text holds no text[\s\S]*nothing\.md/,
  );
  expect(existsSync(out)).toBe(false);
});

test('summaries of other systems are written beside the set, those of its cases', async () => {
  const outputs = join(folder, 'outputs.jsonl');
  const paths = samplePaths('summhay');
  const { stdout, stderr } = await runCommand(loadCommand, ['summhay', ...paths, '--outputs', outputs]);
  const ids = new Set(JSON.parse(stdout).cases.map(({ id }: { id: string }) => id));
  const lines = readFileSync(outputs, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line));
  expect(records.map(({ system }) => system)).toEqual(['oracle_wise', 'full']);
  expect(records.every((record) => ids.has(record.case))).toBe(true);
  expect(stderr).toContain('2 summaries of 2 systems');
  const none = join(folder, 'none.json');
  writeFileSync(
    none,
    JSON.stringify({
      ...summHay,
      subtopics: summHay.subtopics.slice(1),
      documents: [{ document_id: 'a', document_text: 'By the river.', insights_included: ['i4'] }],
    }),
  );
  await expect(runCommand(loadCommand, ['summhay', none, '--outputs', outputs])).rejects.toThrow('hold no summaries');
});

test.each([
  [[], 'The format is one of set, documents,'],
  [['xml', 'a.xml'], 'not "xml"'],
  [['meetings'], 'Name the files of the format meetings.'],
  [['meetings', 'FILE', '--intent', 'Why?'], '--intent is for the format documents.'],
  [['documents', 'FILE', '--intent', ' '], '--intent says nothing.'],
  [['meetings', 'FILE', '--outputs', 'x'], '--outputs is for the format summhay.'],
  [['meetings', 'FILE', '--limit', '0'], '--limit is a whole number from 1, not "0".'],
  [['meetings', 'FILE', '--name', ''], '--name says nothing.'],
  [['meetings', 'FILE', '--seed', '1'], 'There is no option --seed'],
  [['meetings', 'no-such-file.json'], 'no-such-file.json: no such file'],
])('%j is refused', async (args, message) => {
  const [file] = samplePaths('meetings');
  const given = args.map((arg) => (arg === 'FILE' ? file : arg));
  await expect(runCommand(loadCommand, given)).rejects.toThrow(message);
});

test('a bad file is refused before anything is written', async () => {
  const bad = join(folder, 'bad.json');
  writeFileSync(bad, '{}');
  const before = readdirSync(folder);
  const out = join(folder, 'never.json');
  await expect(runCommand(loadCommand, ['summhay', bad, '--out', out])).rejects.toThrow('/topic_id');
  expect(readdirSync(folder)).toEqual(before);
});
