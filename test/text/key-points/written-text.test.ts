import { describe, expect, test } from 'vitest';
import { extractSentences } from '../../../src/text/index.ts';

const found = (text: string) =>
  extractSentences(text).map(({ speaker, text: own, under }) => [speaker ?? '', own, ...(under ?? [])]);

const MAIL = `From: Ingrid Solheim <ingrid@nordvik.example>
To: Facilities <facilities@nordvik.example>
Cc: Pavel Horak
Date: Tue, 3 Mar 2026 09:14:00 +0100
Subject: Re: AW: Boiler in hall B

Hi all,

The boiler in hall B went out again on Monday night. Thermatek wants 2,400 euros for a new pump.

- The night shift was sent home at four.

Best,
Ingrid

--
Ingrid Solheim
Head of Facilities | Nordvik Paper
+47 555 01 23

`;

describe('mail', () => {
  test('headers, greeting and signature state nothing; who wrote and the subject stand beside what they wrote', () => {
    expect(found(MAIL)).toEqual([
      ['Ingrid Solheim', 'The boiler in hall B went out again on Monday night.', 'Boiler in hall B'],
      ['Ingrid Solheim', 'Thermatek wants 2,400 euros for a new pump.', 'Boiler in hall B'],
      ['Ingrid Solheim', 'The night shift was sent home at four.', 'Boiler in hall B'],
    ]);
  });

  test.each([
    ['On Mon, 2 Mar 2026 at 17:02, Pavel Horak <pavel@nordvik.example> wrote:', 'Pavel Horak'],
    ['On 2 March 2026, at 5:02 PM, Pavel Horak wrote:', 'Pavel Horak'],
    [
      'On Mon, 2 Mar 2026 at 17:02, Pavel Horak <pavel.horak.of.the.pump.house@nordvik.example>\n> wrote:',
      'Pavel Horak',
    ],
    ['Am 02.03.2026 um 17:02 schrieb Pavel Horak <pavel@nordvik.example>:', 'Pavel Horak'],
    [
      '---------- Forwarded message ---------\nFrom: "Horak, Pavel" <pavel@nordvik.example>\nDate: 2 March',
      'Horak, Pavel',
    ],
    ['-----Original Message-----\n**From:** pavel@nordvik.example\n**Sent:** Monday', 'pavel'],
  ])('what is quoted after %j is by %s', (opening, sender) => {
    const text = `${MAIL}${opening}\n> The pump made noise all weekend.\n> Could we get a quote before Friday?`;
    expect(found(text).slice(3)).toEqual([[sender, 'The pump made noise all weekend.']]);
  });

  test('a quote between the lines is not by who answers it, and who answers goes on', () => {
    const text = `From: Mei-Ling Foster
I am not keen on the hall in Bath Street.

> They blame the heating for the price.

In June nobody needs the heating, Gordon.

On Monday, 2 March 2026, Tom Adeyemi wrote:
> The Exchange gives 15 percent off for two nights.
Then we should take both nights there.`;
    expect(found(text)).toEqual([
      ['Mei-Ling Foster', 'I am not keen on the hall in Bath Street.'],
      ['', 'They blame the heating for the price.'],
      ['Mei-Ling Foster', 'In June nobody needs the heating, Gordon.'],
      ['Tom Adeyemi', 'The Exchange gives 15 percent off for two nights.'],
      ['Mei-Ling Foster', 'Then we should take both nights there.'],
    ]);
  });

  test.each([
    'From: the beginning of the year we saw more of it.',
    'To: be or not to be is asked in every school of the town.',
    'On Monday the mayor of the old town wrote: nothing will change.',
  ])('a sentence is no mail: %s', (text) => {
    expect(found(text)).toEqual([['', text]]);
  });
});

describe('chat', () => {
  test.each([
    (name: string, text: string) => `[09:02] ${name}: ${text}`,
    (name: string, text: string) => `09:02:11 ${name}: ${text}`,
    (name: string, text: string) => `2026-03-02 09:02 <${name}> ${text}`,
    (name: string, text: string) => `<${name}> ${text}`,
    (name: string, text: string) => `12/03/2026, 9:02 am - ${name}: ${text}`,
    (name: string, text: string) => `[12.03.26, 09:02:11] ${name}: ${text}`,
    (name: string, text: string) => `${name} (09:02): ${text}`,
  ])('form %#', (line) => {
    const text = [
      line('mara', 'the staging database is down since nine'),
      line('tobi', 'restarting the pooler brought it back'),
      line('mara', 'it had 500 stuck connections'),
    ].join('\n');
    expect(found(text)).toEqual([
      ['mara', 'the staging database is down since nine'],
      ['tobi', 'restarting the pooler brought it back'],
      ['mara', 'it had 500 stuck connections'],
    ]);
  });
});

describe('what describes the file or leads elsewhere', () => {
  test('front matter and navigation state nothing and head nothing', () => {
    const text =
      '---\ntitle: Release notes\ndate: 2026-02-03\ntags:\n  - backup\n---\n\n[Home](/) | [Docs](/docs) | [Blog](/blog)\n\nBackups are encrypted by default.\n';
    expect(found(text)).toEqual([['', 'Backups are encrypted by default.']]);
  });

  test('text between two rules stays', () => {
    const text = '---\n\nThe council met on Monday: all came.\n\n---\n\nThe fare rises in May.';
    expect(found(text).map(([, own]) => own)).toEqual([
      'The council met on Monday: all came.',
      'The fare rises in May.',
    ]);
  });
});
