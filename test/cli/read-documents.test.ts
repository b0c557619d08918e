import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDocuments } from '../../src/cli/read-documents.node.ts';
import { LIMITS } from '../../src/contract/index.ts';
import { pdfOf } from '../page/pdf-file.ts';
import { asNobody } from '../support/as-nobody.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
