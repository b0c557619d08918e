import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Digest } from '../../src/digest/digest.ts';
import { digestSchema } from '../../src/http/answer-schemas.ts';
import { runCli } from '../support/cli.ts';
import { CITY } from '../support/documents.ts';
import { expectSound } from '../support/promises.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const INTENT = 'What does the congestion charge pay for?';

/** A folder with two Markdown files. */
function folderOfFiles() {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'minutes.md'), CITY[0].text);
  writeFileSync(join(folder, 'tram.md'), CITY[4].text);
  return folder;
}

test('digests files: numbered sources on standard output, a line per stage on standard error', async () => {
  const folder = folderOfFiles();
  const { code, stdout, stderr } = await runCli(
    ['digest', '--key-points', '6', 'minutes.md', 'tram.md', '--intent', INTENT],
    folder,
    {
      TESSERA_DB: 'kept/here.sqlite',
    },
  );
  expect(stderr).not.toContain('Error');
  expect(code).toBe(0);
  const [summary, sources] = stdout.split('\nSources\n');
  // The text begins with what was found, not with what was asked.
  expect(summary).not.toContain(INTENT);
  expect(summary.replace(/\s+/g, ' ')).toContain('Revenue from the charge goes to the tram network. [');
  expect(summary).toContain('[1]');
  expect(summary).toContain('[2]');
  expect(sources).toMatch(/^\[1\] .+$/m);
  expect(sources).toMatch(/^\[2\] .+$/m);
  expect(sources).toContain('Minutes of 2 March');
  expect(sources).toContain('tram.md');
  expect(sources).toContain('“Revenue from the charge goes to the tram network.”');
  expect(stdout).not.toContain('\u001b');

  const lines = stderr.trim().split('\n');
  for (const stage of ['extracting', 'encoding', 'ranking', 'selecting']) {
    const [line] = lines.filter((each) => each.startsWith(stage));
    expect(line).toMatch(/^\w+ (\d+)\/\1$/);
  }
  expect(existsSync(join(folder, 'kept', 'here.sqlite'))).toBe(true);
});

test('--json prints the answer of the API', async () => {
  const folder = folderOfFiles();
  const args = ['digest', '--json', '--bullets', '--key-points', '3', 'minutes.md', 'tram.md', '--intent', INTENT];
  const { code, stdout } = await runCli(args, folder, { TESSERA_DB: ':memory:' });
  expect(code).toBe(0);
  const json = JSON.parse(stdout);
  const digest = digestSchema.parse(json) as Digest;
  expect(digest).toEqual(json);
  expectSound(digest, [
    { id: 'minutes.md', text: CITY[0].text },
    { id: 'tram.md', text: CITY[4].text },
  ]);
  expect(digest.keyPoints.filter(({ selected }) => selected)).toHaveLength(3);
  expect(digest.engine).toMatchObject({ encoder: 'transformers/all-MiniLM-L6-v2/q8/2', matrix: 'portable' });
  expect(digest.summary.text).toMatch(/^- /m);
});

test.each([
  ['nothing', []],
  ['an unknown command', ['summarise', 'minutes.md']],
  ['no file', ['digest', '--intent', 'x']],
  ['an unknown option', ['digest', 'minutes.md', '--language', 'de']],
  ['an option without its value', ['digest', 'minutes.md', '--intent']],
  ['key points that are no number', ['digest', 'minutes.md', '--key-points', 'many']],
  ['two formats', ['digest', 'minutes.md', '--bullets', '--brief']],
  ['no words', ['digest', 'minutes.md', '--max-words', '0']],
  ['one file twice', ['digest', 'minutes.md', 'minutes.md']],
  ['models without a verb', ['models']],
  ['models pull without a model', ['models', 'pull', '--to', 'models']],
  ['models pull without a folder', ['models', 'pull', 'Xenova/bge-small-en-v1.5']],
  ['models pull of what is no model', ['models', 'pull', '../models', '--to', 'models']],
  ['models pull in no precision', ['models', 'pull', 'a/b', '--to', 'models', '--dtype', 'q7']],
])('a wrong call says what is wrong and how to call: %s', async (_, args) => {
  const { code, stdout, stderr } = await runCli(args, folderOfFiles());
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^\S.+\n\nUsage:\n/);
  expect(stderr).not.toContain('    at ');
});

test('help is no mistake', async () => {
  const { code, stdout, stderr } = await runCli(['--help'], temporaryFolder());
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage:\n/);
});

test.each([
  ['a file that is not there', 'missing.md'],
  ['a folder', '.'],
  ['a file that is not UTF-8', 'latin1.txt'],
])('%s is named', async (_, file) => {
  const folder = folderOfFiles();
  writeFileSync(join(folder, 'latin1.txt'), Buffer.from('Die Gebühr steigt.', 'latin1'));
  const { code, stdout, stderr } = await runCli(['digest', 'minutes.md', file], folder);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`${file} cannot be read`);
  expect(stderr).not.toContain('    at ');
});

test.each([
  ['TESSERA_ENCODER', 'word2vec'],
  ['TESSERA_ENCODER', 'workers-ai'],
  ['TESSERA_DB', '/dev/null/x.sqlite'],
])('%s=%s: one sentence that names it', async (name, value) => {
  const { code, stdout, stderr } = await runCli(['digest', 'minutes.md'], folderOfFiles(), { [name]: value });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(name);
});
