import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { fileReader } from '../../../src/text/files/file-reader.node.ts';
import { docxFile } from '../../support/docx-file.ts';
import { pdfOf } from '../../support/pdf-file.ts';

const reader = fileReader();
afterAll(() => reader.end());

const LINE = 'Trams run every five minutes.';
const FLATE = '/FlateDecode';
/** 150 MB of blanks around the line. */
const inflating = (content: string): Buffer =>
  deflateSync(Buffer.alloc(150_000_000, ' ').fill(content, 0, content.length));
/** 128 blanks for each two bytes, as runs. */
const runs = (): Buffer => deflateSync(Buffer.alloc(2_400_000, Buffer.from([129, 32])));

test.each([
  ['streams', FLATE, inflating],
  ['streams in streams', `${FLATE} ${FLATE}`, (content: string) => deflateSync(inflating(content))],
  ['runs', `${FLATE} /RunLengthDecode`, runs],
])('a PDF whose %s unpack to more than 128 MB is refused, and the next file is read', async (_, names, encode) => {
  const bytes = pdfOf([[LINE]], { names, encode });
  expect(bytes.length).toBeLessThan(500_000);
  await expect(reader.read({ name: 'a.pdf', bytes })).rejects.toThrow('It has a part of more than 128 MB, unpacked;');
  expect((await reader.read({ name: 'b.pdf', bytes: pdfOf([[LINE]]) })).document.text).toBe(LINE);
});

test.each([FLATE, `${FLATE} ${FLATE}`])('what is packed as %s is read', async (names) => {
  const encode = (content: string) => names.split(' ').reduce((packed) => deflateSync(packed), Buffer.from(content));
  expect((await reader.read({ name: 'a.pdf', bytes: pdfOf([[LINE]], { names, encode }) })).document.text).toBe(LINE);
});

const SMALL = { heapMegabytes: 30, megabytes: 1200, milliseconds: 120_000 };

test.each([
  ['memory', SMALL, /^Reading it takes more than 1 GB of memory; split it\.$/],
  ['memory beside the heap', { ...SMALL, heapMegabytes: 1000, megabytes: 0 }, /more than 1 GB of memory/],
  ['time', { ...SMALL, heapMegabytes: 1000, milliseconds: 0 }, /^Reading it takes too long; split it\.$/],
])('a file that takes too much %s ends the thread, and the next file has a new one', async (_, limits, problem) => {
  const small = fileReader(limits);
  const bytes = await docxFile('<w:p/>'.repeat(150_000));
  await expect(small.read({ name: 'a.docx', bytes })).rejects.toThrow(problem);
  expect((await small.read({ name: 'a.md', bytes: new TextEncoder().encode(LINE) })).document.text).toBe(LINE);
  await small.end();
});
