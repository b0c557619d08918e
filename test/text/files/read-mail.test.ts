import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFile } from '../../../src/text/files/read-file.ts';
import { UnreadableFileError } from '../../../src/text/index.ts';

const bytes = (mail: string) => Uint8Array.from(mail.replaceAll('\n', '\r\n'), (character) => character.charCodeAt(0));
const read = async (mail: string) => (await readFile('mail.eml', bytes(mail))).document;

const MAIL = `From: =?utf-8?Q?Ana_Ru=C3=ADz?= <ana@example.org>
To: Bo <bo@example.org>, Team: c@example.org, d@example.org;
Date: Tue, 03 Mar 2026 23:30:00 +0200
Subject: =?iso-8859-1?Q?Gr=F6=DFe?=
 der Linie
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

Die Stra\xdfe ist offen.
--y
Content-Type: text/html

<p>Not this part.</p>
--y--
--x
Content-Type: application/pdf
Content-Disposition: attachment; filename="=?utf-8?Q?B=C3=A4der.pdf?="
Content-Transfer-Encoding: base64

c2VjcmV0
--x--
`;

test('a mail gives its subject as title, its date, its headers as lines and its text; attachments are named, not read', async () => {
  expect(await read(MAIL)).toEqual({
    title: 'Größe der Linie',
    publishedAt: '2026-03-03',
    text: [
      'From: Ana Ruíz <ana@example.org>',
      'To: Bo <bo@example.org>, Team: c@example.org, d@example.org',
      'Date: 2026-03-03',
      'Subject: Größe der Linie',
      'Attachments: Bäder.pdf (not read)',
      '',
      'Die Straße ist offen.',
    ].join('\n'),
  });
});

test('a mail of HTML alone is read as a web page is', async () => {
  const { text } = await read(
    'From: a@b.org\nSubject: S\nContent-Type: text/html\n\n<style>no</style><h2>Trams</h2><ul><li>One<li>Two</ul>',
  );
  expect(text).toBe('From: a@b.org\nSubject: S\n\n## Trams\n\n- One\n\n- Two');
});

test.each([
  ['no headers', 'Just words.\nAnd more.', 'This is not a valid mail (.eml).'],
  ['nothing', '', 'The file is empty.'],
  [
    'parts in parts',
    Array.from({ length: 3000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join(''),
    'This is not a valid mail (.eml).',
  ],
  ['headers without end', `Subject: ${'x'.repeat(5_000_000)}`, 'This is not a valid mail (.eml).'],
])('a mail of %s is refused in a sentence', async (_, mail, told) => {
  await expect(read(mail)).rejects.toThrow(UnreadableFileError);
  await expect(read(mail)).rejects.toThrow(told);
});

test('a date that is none is left out', async () => {
  expect(await read('From: a@b.org\nDate: soon\n\nWords.')).toEqual({ text: 'From: a@b.org\n\nWords.' });
});

test('any bytes are read, or refused in a sentence', async () => {
  const line = fc.constantFrom(
    'Content-Type: multipart/mixed; boundary=x',
    'Content-Type: text/plain; charset=nonsense',
    'Content-Transfer-Encoding: base64',
    'From: a@b.org',
    '--x',
    '--x--',
    '',
    '=?utf-8?B?////?=',
    '\xff\0',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (lines) => {
      await read(lines.join('\n')).then(
        ({ text }) => expect(text.trim()).not.toBe(''),
        (failure: unknown) => expect(failure).toBeInstanceOf(UnreadableFileError),
      );
    }),
    { numRuns: 200 },
  );
});

test('a mail without a name is known by its headers, and a text that begins like one is not', async () => {
  const received = `Received: from a.example.org\n\tby b.example.org; Tue, 3 Mar 2026 23:30:00 +0200\n`.repeat(90);
  for (const mail of [MAIL, received + MAIL]) {
    const { document } = await readFile('-', bytes(mail));
    expect(document).toEqual((await readFile('mail.eml', bytes(mail))).document);
    expect(document.text).toContain('Die Straße ist offen.');
  }
  for (const text of ['From: Ana\nSubject: Trams\n\nTrams run.', 'Notes\nFrom: Ana\nMIME-Version: 1.0\n\nTrams run.']) {
    expect((await readFile('-', bytes(text))).document.text).toContain('From: Ana');
  }
});
