import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Digest, digestSchema } from '../../src/contract/index.ts';
import { callCli } from '../support/call-cli.ts';
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

test('digests files: numbered sources on standard output, and silence on standard error where nobody looks', async () => {
  const folder = folderOfFiles();
  const { code, stdout, stderr } = await runCli(
    ['digest', '--key-points', '6', 'minutes.md', 'tram.md', '--intent', INTENT],
    folder,
    {
      TESSERA_DB: 'kept/here.sqlite',
    },
  );
  expect([code, stderr]).toEqual([0, '']);
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

  expect(existsSync(join(folder, 'kept', 'here.sqlite'))).toBe(true);
});

test('--format json prints the answer of the API', async () => {
  const folder = folderOfFiles();
  const args = ['digest', '--format', 'json', '--key-points', '3', 'minutes.md', 'tram.md', '--intent', INTENT];
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
});

test.each([
  ['bullets', /^- .* \[1\]/m, /^Sources$/m],
  [
    'markdown',
    /^# What does the congestion charge pay for\?$/m,
    /: “Revenue from the charge goes to the tram network\.”$/m,
  ],
  ['html', /^<!doctype html>/, /<q>Revenue from the charge goes to the tram network\.<\/q>/],
])('--format %s', async (format, ...expected) => {
  const args = ['digest', '--key-points', '6', 'minutes.md', 'tram.md', '--format', format, '--intent', INTENT];
  const { code, stdout, stderr } = await runCli(args, folderOfFiles(), { TESSERA_DB: ':memory:' });
  expect([code, stderr]).toEqual([0, '']);
  for (const part of expected) expect(stdout).toMatch(part);
});

test('reads a folder, each file once, and standard input', async () => {
  const folder = folderOfFiles();
  const all = ['digest', '.', 'minutes.md', './tram.md', '-', '--format', 'json'];
  const { code, stdout } = await runCli(all, folder, { TESSERA_DB: ':memory:' }, 'Buses run at night too.');
  expect(code).toBe(0);
  const { documents } = JSON.parse(stdout) as Digest;
  expect(documents.map(({ id }) => id).sort()).toEqual(['-', 'minutes.md', 'tram.md']);
});

test('what cannot be read of a folder is left out: told in a line each, and in the digest', async () => {
  const folder = folderOfFiles();
  writeFileSync(join(folder, 'big.txt'), 'a'.repeat(2_000_001));
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'rubbish.txt'), Buffer.from([0, 1, 2, 255]));
  writeFileSync(join(folder, 'scan.pdf'), 'no pdf');
  const notes = [
    'Left out: big.txt: 2,000,001 characters, and a document has at most 2,000,000; split it.',
    'Left out: empty.txt: The file is empty.',
    'Left out: rubbish.txt: This is not a text file, despite its name.',
    'Left out: scan.pdf: It is no PDF, or it is damaged.',
  ];
  const settings = { TESSERA_DB: join(folder, 'kept.sqlite') };
  const { code, stdout, stderr } = await runCli(['digest', '.', '--intent', INTENT], folder, settings);
  expect([code, stderr]).toEqual([0, notes.map((note) => `${note}\n`).join('')]);
  expect(stdout).toMatch(/^\[1\] .+$/m);
  for (const note of notes) expect(stdout.replaceAll('\n', ' ')).toContain(`Note: ${note}`);
  const json = await runCli(['digest', '*.*', '--format', 'json'], folder, settings);
  const digest = digestSchema.parse(JSON.parse(json.stdout)) as Digest;
  expect(digest.warnings).toEqual(expect.arrayContaining(notes));
});

test('a name that a terminal would obey is shown without that', async () => {
  const folder = folderOfFiles();
  writeFileSync(join(folder, 'a\u001b[2Jb\n.txt'), '');
  const { code, stderr } = await runCli(['digest', '.', '--key-points', '3'], folder, { TESSERA_DB: ':memory:' });
  expect([code, stderr]).toEqual([0, 'Left out: a [2Jb .txt: The file is empty.\n']);
});

test.each([
  ['no file', ['--intent', 'x'], 'Name files or folders to read, or - for standard input.'],
  ['an unknown option', ['minutes.md', '--language', 'de'], 'There is no option --language.'],
  ['an option without its value', ['minutes.md', '--intent'], '--intent needs a value.'],
  [
    'an option for a value',
    ['minutes.md', '--intent', '--format'],
    '--intent needs a value; write one that begins with "-" as --intent=VALUE.',
  ],
  [
    'key points that are no number',
    ['minutes.md', '--key-points', 'many'],
    '--key-points is a whole number from 1, not "many".',
  ],
  ['too many key points', ['minutes.md', '--key-points', '1001'], '--key-points: must be at most 1000.'],
  ['no words', ['minutes.md', '--max-words', '0'], '--max-words is a whole number from 1, not "0".'],
  [
    'no format',
    ['minutes.md', '--format', 'pdf'],
    '--format is one of report, bullets, brief, json, markdown, html, not "pdf".',
  ],
  ['nothing asked', ['minutes.md', '--intent', ' '], '--intent says nothing.'],
])('a wrong call says in one line what is wrong and where help is: %s', async (_, args, told) => {
  const { code, stdout, stderr } = await callCli(['digest', ...args], folderOfFiles());
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.startsWith(told), stderr).toBe(true);
  expect(stderr).toMatch(/^[^\n]+ See "tessera digest --help"\.\n$/);
});

test.each([
  ['missing.md', 'missing.md: no such file or folder.'],
  ['missing/*.md', 'missing/*.md: no matching file.'],
  ['old.doc', 'old.doc: The old Word format (.doc) is not supported. Save it as .docx.'],
  ['broken.pdf', 'broken.pdf: It is no PDF, or it is damaged.'],
  ['broken.docx', 'broken.docx: This is not a valid Word document (.docx).'],
  ['big.txt', 'big.txt: 2,000,001 characters, and a document has at most 2,000,000; split it.'],
  ['round.md', 'round.md: a link that leads back to itself; name the file that is meant.'],
])('%s: one line that says what to do', async (file, told) => {
  const folder = folderOfFiles();
  writeFileSync(join(folder, 'old.doc'), Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  writeFileSync(join(folder, 'big.txt'), 'a'.repeat(2_000_001));
  symlinkSync('round.md', join(folder, 'round.md'));
  for (const name of ['broken.pdf', 'broken.docx']) writeFileSync(join(folder, name), 'no such thing');
  const { code, stdout, stderr } = await callCli(['digest', 'minutes.md', file], folder);
  expect([code, stdout, stderr]).toEqual([1, '', `${told}\n`]);
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
