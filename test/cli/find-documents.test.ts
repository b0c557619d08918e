import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDocuments } from '../../src/cli/find-documents.node.ts';
import { asNobody } from '../support/as-nobody.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder with these files, and the paths that are found below it. */
function folderWith(...files: readonly string[]) {
  const folder = temporaryFolder();
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  const find = async (...given: readonly string[]) =>
    (await findDocuments(given.map((path) => join(folder, path)))).map(({ path }) => path.slice(folder.length + 1));
  return { folder, find };
}

const HIDDEN = ['.git/notes.md', 'node_modules/package/README.md', 'sub/node_modules/x.md', '.env.txt'];
const KNOWN = ['a.md', 'b.TXT', 'sub/c.html', 'sub/deep/d.htm', 'sub/e.pdf', 'sub/f.docx'];

test('of a folder the files of known kinds, at any depth, in order, and nothing hidden', async () => {
  const { find } = folderWith(...HIDDEN, ...KNOWN, 'picture.png', 'table.xlsx', 'LICENSE');
  expect(await find('.')).toEqual(KNOWN);
  expect(await find('sub')).toEqual(KNOWN.slice(2));
});

test('what is named itself is taken whatever its ending, and once', async () => {
  const { find } = folderWith(...KNOWN, 'LICENSE', 'log.rst');
  expect(await find('LICENSE', 'log.rst', './a.md', 'sub/../a.md', 'a.md')).toEqual(['LICENSE', 'log.rst', 'a.md']);
  expect(await find('a.md', '.')).toEqual(KNOWN);
  expect(await findDocuments(['-', '-'])).toEqual([{ path: '-', isNamed: true }]);
});

test('what is both named and found counts as named', async () => {
  const { folder } = folderWith('a.md', 'b.md');
  const [a, b] = [join(folder, 'a.md'), join(folder, 'b.md')];
  for (const given of [
    [a, folder],
    [folder, a],
  ]) {
    expect(await findDocuments(given)).toEqual([
      { path: a, isNamed: true },
      { path: b, isNamed: false },
    ]);
  }
});

test('patterns; a file that is called like one is that file', async () => {
  const { find } = folderWith(...KNOWN, 'notes[1].md', 'notes1.md');
  expect(await find('**/*.{html,htm}')).toEqual(KNOWN.slice(2, 4));
  expect(await find('notes[1].md')).toEqual(['notes[1].md']);
});

test('what is not there, and where nothing is, is told by its name', async () => {
  const { folder } = folderWith('pictures/a.png');
  await expect(findDocuments(['nofile.txt'])).rejects.toThrow('nofile.txt: no such file or folder.');
  await expect(findDocuments([join(folder, '*.md')])).rejects.toThrow('*.md: no matching file.');
  const pictures = join(folder, 'pictures');
  await expect(findDocuments([pictures])).rejects.toThrow(`${pictures}: no file in it ends in .txt .md`);
});

test('links are not followed, and patterns do not reach into packages unless they name them', async () => {
  const { folder, find } = folderWith('sub/a.md', 'node_modules/p/b.md');
  symlinkSync('..', join(folder, 'sub/up'));
  expect(await find('.')).toEqual(['sub/a.md']);
  expect(await find('**/*.md')).toEqual(['sub/a.md']);
  expect(await find('node_modules/**/*.md')).toEqual(['node_modules/p/b.md']);
});

test('one file is one, by whatever names, and links to it', async () => {
  const { folder, find } = folderWith('a.md', 'sub/b.md');
  symlinkSync('a.md', join(folder, 'link.md'));
  symlinkSync('sub', join(folder, 'other'));
  expect(await find('a.md', 'link.md', './a.md', '.', '**/*.md')).toEqual(['a.md', 'sub/b.md']);
  expect(await find('link.md', 'a.md')).toEqual(['link.md']);
  expect(await find('other', 'sub/b.md', 'sub')).toEqual(['other/b.md']);
  expect(await findDocuments([join(folder, 'sub'), join(folder, 'other/b.md')])).toEqual([
    { path: join(folder, 'sub/b.md'), isNamed: true },
  ]);
});

test('a file that is called "-" is not standard input', async () => {
  const { folder } = folderWith('-');
  const here = process.cwd();
  process.chdir(folder);
  try {
    expect(await findDocuments(['./-'])).toEqual([{ path: './-', isNamed: true }]);
    expect(await findDocuments(['*', '-'])).toEqual([
      { path: './-', isNamed: false },
      { path: '-', isNamed: true },
    ]);
  } finally {
    process.chdir(here);
  }
});

test('what the system refuses is one line that says what to do', async () => {
  const { folder } = folderWith('a.md', 'shut/b.md', 'shut/below/c.md');
  symlinkSync('round.md', join(folder, 'round.md'));
  await expect(findDocuments([join(folder, 'round.md')])).rejects.toThrow(
    'round.md: a link that leads back to itself;',
  );
  await expect(findDocuments([`${'a'.repeat(300)}.md`])).rejects.toThrow(
    '.md: no such file, for names are not that long;',
  );
  const alternatives = Array.from({ length: 60 }, (_, n) => `name${n}`);
  expect(await findDocuments([join(folder, `{a,${alternatives}}.md`)])).toHaveLength(1);
  const shut = join(folder, 'shut');
  chmodSync(folder, 0o755);
  chmodSync(shut, 0);
  const refused = 'you may not read it; change its permissions, or leave it out.';
  await asNobody(async () => {
    await expect(findDocuments([join(shut, 'b.md')])).rejects.toThrow(`${join(shut, 'b.md')}: ${refused}`);
    await expect(findDocuments([shut])).rejects.toThrow(`${shut}: ${refused}`);
    expect(await findDocuments([folder])).toEqual([
      { path: join(folder, 'a.md'), isNamed: false },
      { path: shut, isNamed: false }, // reading it tells
    ]);
  });
  chmodSync(shut, 0o755);
});
