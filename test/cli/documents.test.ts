import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findDocuments, readDocuments } from '../../src/cli/documents.node.ts';
import { readTextFiles } from '../../src/cli/read-files.node.ts';
import { LIMITS } from '../../src/contract/index.ts';
import { asNobody } from '../support/as-nobody.ts';
import { pdfOf } from '../support/pdf-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = '<!doctype html><html><head><title>The Gazette</title></head><body><p>Fares rose.</p></body></html>';

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
  const { find } = folderWith(...HIDDEN, ...KNOWN, 'picture.png', 'table.ods', 'LICENSE');
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

/** The one document that a file with this content is read as. */
async function read(name: string, content: string | Uint8Array) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  const [document, ...more] = await readDocuments([{ path, isNamed: true }], Readable.from([]), expect.unreachable);
  expect(more).toEqual([]);
  expect(document.id).toBe(path);
  return document;
}

test('the title is the first heading, or the name of the file', async () => {
  expect(await read('a.md', '# Minutes\n\nWords.')).toMatchObject({ text: '# Minutes\n\nWords.', title: 'Minutes' });
  const pdf = pdfOf([['Trams run every five min-', 'utes from May.']]);
  expect(await read('plan.pdf', pdf)).toMatchObject({
    text: 'Trams run every five minutes from May.',
    title: 'plan.pdf',
  });
});

test('standard input is a document', async () => {
  const [document] = await readDocuments(
    [{ path: '-', isNamed: true }],
    Readable.from([Buffer.from('Caf\u00e9 and '), Buffer.from('trams.')]),
    expect.unreachable,
  );
  expect(document).toEqual({ id: '-', title: 'standard input', text: 'Café and trams.' });
});

test('a file that cannot be read is named', async () => {
  await expect(read('text.pdf', 'no pdf')).rejects.toThrow(/text\.pdf: It is no PDF, or it is damaged\.$/);
  const typed = readDocuments([{ path: '-', isNamed: true }], Readable.from([Buffer.from('')]), expect.unreachable);
  await expect(typed).rejects.toThrow('standard input: The file is empty.');
});

test('a file over the limit: its size and the limit are told', async () => {
  const most = LIMITS.documentCharacters;
  expect((await read('most.txt', 'a'.repeat(most))).text).toHaveLength(most);
  await expect(read('big.txt', 'a'.repeat(most + 1))).rejects.toThrow(
    /big\.txt: 2,000,001 characters, and a document has at most 2,000,000; split it\.$/,
  );
  const path = join(temporaryFolder(), 'huge.log');
  writeFileSync(path, '');
  truncateSync(path, 5_000_000_000); // takes no room
  await expect(readDocuments([{ path, isNamed: true }], Readable.from([]), expect.unreachable)).rejects.toThrow(
    /huge\.log: 5,000 MB, and a file has at most 100 MB; split it\.$/,
  );
});

test('a file that may not be read is told when it was named, and left out when it was found', async () => {
  const folder = temporaryFolder();
  const [path, good] = ['a.md', 'b.md'].map((name) => join(folder, name));
  for (const each of [path, good]) writeFileSync(each, 'Fares rose.');
  chmodSync(folder, 0o755);
  chmodSync(path, 0);
  const why = `${path}: you may not read it; change its permissions, or leave it out.`;
  const told: string[] = [];
  const reading = (isNamed: boolean) =>
    asNobody(() =>
      readDocuments(
        [
          { path, isNamed },
          { path: good, isNamed: true },
        ],
        Readable.from([]),
        (left) => told.push(left),
      ),
    );
  await expect(reading(true)).rejects.toThrow(why);
  expect((await reading(false)).map(({ id }) => id)).toEqual([good]);
  expect(told).toEqual([why]);
});

test('what the API would not take as a document is left out, too', async () => {
  const [long, good] = [`${'folder/'.repeat(40)}a.md`, 'b.md'].map((name) => join(temporaryFolder(), name));
  mkdirSync(join(long, '..'), { recursive: true });
  for (const each of [long, good]) writeFileSync(each, 'Fares rose.');
  const told: string[] = [];
  const files = [long, good].map((path) => ({ path, isNamed: false }));
  const documents = await readDocuments(files, Readable.from([]), (why) => told.push(why));
  expect(documents.map(({ id }) => id)).toEqual([good]);
  expect(told).toEqual([expect.stringMatching(/a\.md: its path cannot be taken: /)]);
});

test('a file that was only found is left out with a word, and the others are read', async () => {
  const folder = temporaryFolder();
  const files = ['empty.md', 'good.md', 'broken.pdf'].map((name) => ({ path: join(folder, name), isNamed: false }));
  for (const { path } of files) writeFileSync(path, path.endsWith('good.md') ? 'Fares rose.' : ' ');
  const told: string[] = [];
  const stdin = Readable.from([]);
  const documents = await readDocuments(files, stdin, (why) => told.push(why));
  expect(documents.map(({ text }) => text)).toEqual(['Fares rose.']);
  expect(told).toEqual([
    expect.stringMatching(/empty\.md: No text was found in it\.$/),
    expect.stringMatching(/broken\.pdf: It is no PDF/),
  ]);
  await expect(readDocuments([files[0]], stdin, () => {})).rejects.toThrow('None of the files can be read.');
});

test('what may have no end is refused: devices and pipes by name at once, and standard input at the limit', async () => {
  const pipe = join(temporaryFolder(), 'pipe.md');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', '/dev/full']) {
    await expect(readDocuments([{ path, isNamed: true }], Readable.from([]), expect.unreachable)).rejects.toThrow(
      `${path}: a device, pipe or socket; name a file, or pipe the text in for "-".`,
    );
    expect(() => readTextFiles([path])).toThrow(`${path}: a device, pipe or socket;`);
  }
  let chunks = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(++chunks && 1_000_000, 'a');
    })(),
  );
  await expect(readDocuments([{ path: '-', isNamed: true }], endless, expect.unreachable)).rejects.toThrow(
    'standard input: over 100 MB, and a file has at most 100 MB; split it.',
  );
  expect(chunks).toBeLessThan(200);
});

test('an address is fetched, with its title, unless it is not public; it is named once', async () => {
  const server = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(PAGE));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${'a'.repeat(200)}`; // a TCP server that listens
  const files = await findDocuments([url, url]);
  expect(files).toEqual([{ path: url, isNamed: true }]);
  const reading = () => readDocuments(files, Readable.from([]), expect.unreachable);
  await expect(reading()).rejects.toThrow(`${url}: The address must not lead to an address that is not public.`);
  vi.stubEnv('TESSERA_FETCH_ALLOW', '127.0.0.1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await reading()).toEqual([{ id: url.slice(0, 200), url, title: 'The Gazette', text: 'Fares rose.' }]);
});
