import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const { stdout, stderr } = await runCommand(loadCommand, ['diversesumm', ...samplePaths('diversesumm')]);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'diverse', cases: [{ id: 'flood' }, { id: 'storm' }] });
  expect(stderr).toBe(
    'benchmark load: 2 collections, 6 documents, 2 cases, 2 emptyDocuments, 2 questionsWithoutAnswer, 8 unusableAnswers, 2 unusableUrls.\n',
  );
});

test('texts have their names as ids, or their paths; a text is needed, and named once', async () => {
  const root = join(folder, 'somewhere');
  const [near, two, far, blank] = ['a/one.md', 'a/two.md', 'b/one.md', 'blank.md'].map((path) => join(root, path));
  for (const path of [near, two, far, blank]) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, path === blank ? ' \n\t' : `Text of ${path}.`);
  }
  const { stdout } = await runCommand(loadCommand, ['documents', near, two, far]);
  const { collections, cases } = JSON.parse(stdout);
  expect(collections[0].documents.map(({ id }: { id: string }) => id)).toEqual([near, 'two.md', far]);
  expect(cases).toEqual([{ id: 'documents', collection: 'documents' }]);
  await expect(runCommand(loadCommand, ['documents', near, blank])).rejects.toThrow('blank.md: /text holds no text');
  await expect(runCommand(loadCommand, ['documents', two, two])).rejects.toThrow(
    '/documents/1/id of a set, which is a',
  );
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
  [['set', 'FILE', '--name', ''], '--name says nothing.'],
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
