import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractSentences } from '../../../src/text/index.ts';

const texts = (text: string) => extractSentences(text).map((point) => point.text);

test('statements stay, with exact spans; headings, questions, greetings and page furniture go', () => {
  const text = `By Jane Smith

# Council approves tram

Hello everyone! The council voted on Tuesday to build a **tram line**. However, residents of St. Mary's Road fear noise.[3] What happens next?

- The line will run every 6 minutes
- Lower emissions

We use cookies to improve your experience.
© 2024 The Daily. All rights reserved.`;
  const points = extractSentences(text);
  expect(points.map((p) => [p.text, p.selfContained])).toEqual([
    ["The council voted on Tuesday to build a tram line. However, residents of St. Mary's Road fear noise.", 1],
    ['The line will run every 6 minutes', 1],
    ['Lower emissions', 0.5],
  ]);
  expect(points.map((p) => p.under)).toEqual([
    ['Council approves tram'],
    ['Council approves tram', 'What happens next?'],
    ['Council approves tram', 'What happens next?'],
  ]);
  expect(points.map((p) => text.slice(p.start, p.end))).toEqual([
    "The council voted on Tuesday to build a **tram line**. However, residents of St. Mary's Road fear noise.[3]",
    'The line will run every 6 minutes',
    'Lower emissions',
  ]);
});

test('a heading in bold type at the start of a paragraph is what the paragraph stands under', () => {
  const text =
    '**3. Harbour: north quay.** The surveyor reported that two sections are undercut. *Agreed, 6 to 0.*\n\n**Important** things come first, we said.';
  const points = extractSentences(text);
  expect(points.map((point) => [point.text, point.under])).toEqual([
    ['The surveyor reported that two sections are undercut.', ['Harbour: north quay']],
    ['Agreed, 6 to 0.', ['Harbour: north quay']],
    ['Important things come first, we said.', undefined],
  ]);
  for (const { start, end } of points) expect(text.slice(start, end)).not.toContain('Harbour');
});

describe('sentences that lean on the one before', () => {
  test('join it where both are short, never across paragraphs', () => {
    expect(texts('The tram is loud. It must stop.')).toEqual(['The tram is loud. It must stop.']);
    expect(texts('The tram is loud.\n\nBut people like the tram.')).toEqual([
      'The tram is loud.',
      'But people like the tram.',
    ]);
  });

  test('count as less self-contained where they stay alone', () => {
    expect(extractSentences('But the people of the town like the tram.')[0]?.selfContained).toBe(0.6);
    expect(extractSentences('They have collected four thousand signatures against it.')[0]?.selfContained).toBe(0.8);
    expect(extractSentences('The town has collected four thousand signatures.')[0]?.selfContained).toBe(1);
  });
});

describe('transcripts', () => {
  const text = `Ann: {vocalsound} Okay .
Bob: Um , so the the remote control costs uh twelve Euro , and that 's too much for the market .
Ann: Mm-hmm .
Ann: Why ?
Bob: We tested it . The buttons break . Users hate the case .
Bob: There you go .`;

  test('give tidy text, the speaker, and the exact words of the turn', () => {
    const points = extractSentences(text);
    expect(points.map((p) => [p.speaker, p.text])).toEqual([
      ['Bob', "The remote control costs twelve Euro, and that's too much for the market."],
      ['Bob', 'We tested it. The buttons break. Users hate the case.'],
    ]);
    expect(points.map((p) => text.slice(p.start, p.end))[1]).toBe(
      'We tested it . The buttons break . Users hate the case .',
    );
  });
});

describe('little to go by', () => {
  test.each([
    ['Sales rose 5%', ['Sales rose 5%']],
    ['Umsatz steigt', ['Umsatz steigt']],
    ['# Report\n\nHello everyone!\n\nHow are you?', []],
    ['Hello!', []],
    ['', []],
    ['\u0000\u200b \n', []],
    ['?!…', []],
  ])('%j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});

test('other languages', () => {
  expect(texts('今年公司营收增长了百分之五。利润却下降了。这是为什么？')).toEqual([
    '今年公司营收增长了百分之五。',
    '利润却下降了。',
  ]);
  expect(texts('أعلنت الحكومة عن خطة جديدة. هل ستنجح الخطة؟')).toEqual(['أعلنت الحكومة عن خطة جديدة.']);
  expect(texts('सरकार ने नई नीति की घोषणा की। क्या यह सफल होगी?')).toEqual(['सरकार ने नई नीति की घोषणा की।']);
  expect(texts('Am 3. Oktober wurde gefeiert. Warum? Die Kosten steigen um ca. 5 %.')).toEqual([
    'Am 3. Oktober wurde gefeiert.',
    'Die Kosten steigen um ca. 5 %.',
  ]);
});

describe('any text', () => {
  const UNITS = (
    'The tram is late~it ~costs~ rose~. ~! ~? ~, and ~; ~\n~\n\n~- ~# ~Bob: ~Ann: ~。~利润却下降了~😀' +
    '~\u0000~\u200b~\u200d~\u202e~\ud83d~\ude00~**~_~{vocalsound} ~[1]~`~&amp;~"~Q: ~A: ~Costs: ' +
    '~What for? ~Yes, in full. ~you may:\n~| a | b |\n~|---|---|\n~x\ty\n~<!doctype html>~<p>~</p>' +
    '~<li>~<table><tr><td>~<td>~<nav>~<br>~<b>~</b>~<~&#x1F600;~[Ann, 3 June] '
  ).split('~');
  const anything = fc.oneof(
    fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 60 }),
    fc.string({ unit: 'binary' }),
  );

  test('spans in order and in range, whole characters, clean text, same answer twice', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const points = extractSentences(text);
        let before = 0;
        for (const point of points) {
          expect(point.start).toBeGreaterThanOrEqual(before);
          expect(point.end).toBeGreaterThan(point.start);
          expect(point.end).toBeLessThanOrEqual(text.length);
          before = point.end;
          expect(text.slice(point.start, point.end)).toBe(text.slice(point.start, point.end).trim());
          expect(point.text).toMatch(/[\p{L}\p{N}]/u);
          expect(point.text).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/u);
          expect(point.selfContained).toBeGreaterThan(0);
          if (point.under) {
            expect(point.under.length).toBeGreaterThan(0);
            expect(point.under.length).toBeLessThanOrEqual(4);
            expect(point.under.join('').length).toBeLessThanOrEqual(300);
            expect(point.under.every((entry) => entry !== point.text && entry.trim() === entry)).toBe(true);
          }
          expect(point.selfContained).toBeLessThanOrEqual(1);
          if (!/\p{Surrogate}/u.test(text)) expect(text.slice(point.start, point.end)).not.toMatch(/\p{Surrogate}/u);
        }
        expect(extractSentences(text)).toEqual(points);
      }),
      { numRuns: 200 },
    );
  });

  test('statements in separate paragraphs come back one by one', () => {
    const known = [
      'Taxes rose by 3.5 percent.',
      'The U.S. Senate voted on No. 5.',
      'He said "Stop!" and left.',
      'Dr. Smith agreed with the plan.',
    ];
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...known), { minLength: 1 }), (list) => {
        expect(texts(list.join('\n\n'))).toEqual(list);
      }),
    );
  });
});

test.each([
  ['one word over and over', 'word '.repeat(200_000)],
  ['no space', 'a'.repeat(1_000_000)],
  ['full stops', '.'.repeat(1_000_000)],
  ['commas', 'it is so, and '.repeat(70_000)],
  ['asterisks', '*a '.repeat(300_000)],
  ['brackets', '['.repeat(1_000_000)],
  ['backticks', '`a '.repeat(300_000)],
  ['numbers', Array.from({ length: 100_000 }, (_, n) => `w${n}`).join(' ')],
  ['speech', 'Bob: um the the uh {disfmarker} cost is high .\n'.repeat(20_000)],
  ['heading signs', '#'.repeat(1_000_000)],
  ['questions', 'Why is it so? '.repeat(30_000)],
  ['bars', '|'.repeat(1_000_000)],
  ['rows', 'a\tb\n'.repeat(30_000)],
  ['cells', `<table><tr>${'<td>x'.repeat(50_000)}`],
  ['nested tags', `<html>${'<div>'.repeat(180_000)}The plot is small.`],
  ['tags closed and never opened', `<html>${'<a>'.repeat(120_000)}${'</b>'.repeat(120_000)}`],
  ['attributes without an end', `<html>${'<a href="'.repeat(100_000)}`],
  ['opening signs', `<html>${'<'.repeat(1_000_000)}`],
  ['ampersands', `<html>${'&'.repeat(1_000_000)}`],
  ['comments without an end', `<html>${'<!--'.repeat(200_000)}`],
])('a megabyte of %s gives key points of bounded length', (_, text) => {
  for (const point of extractSentences(text)) {
    expect(point.end - point.start).toBeLessThanOrEqual(600);
    expect(point.text.length).toBeLessThanOrEqual(600);
  }
});

const DATA = '/work/shared/data/haystacks/h1.json';
test.skipIf(!existsSync(DATA))(`labelled arguments (skipped where ${DATA} is not present)`, () => {
  const { documents } = JSON.parse(readFileSync(DATA, 'utf8')) as {
    documents: { text: string; arguments: { start: number; end: number }[] }[];
  };
  let found = 0;
  let all = 0;
  for (const { text, arguments: stretches } of documents) {
    const points = extractSentences(text);
    for (const argument of stretches) {
      const shares = points.map(
        (p) => [Math.min(argument.end, p.end) - Math.max(argument.start, p.start), p.end - p.start] as const,
      );
      const half = shares.some(
        ([shared, length]) => shared >= 0.5 * length && shared >= 0.3 * (argument.end - argument.start),
      );
      found += half ? 1 : 0;
      all++;
    }
  }
  expect(found / all).toBeGreaterThan(0.98);
});

describe('a sentence too long for one key point', () => {
  const long =
    'You may add a statement of your own to your changes and may offer other terms for the use, the copying or the passing on of your changes or of any work as a whole that they are a part of, provided your use, ';

  test('is cut where a clause with its own subject begins', () => {
    const sentence = `${long}copying and distribution comply with what is said here, and the owner of the work may ask to see the terms at any time.`;
    expect(texts(sentence)).toHaveLength(2);
  });
});

describe('an interview', () => {
  const interview = (ours: string) => `INTERVIEWER: Thanks for taking the time. How long had you used it?
DANA: I had used it for two years in three shops.
INTERVIEWER: And why did you cancel?
DANA: The price went up to a hundred and sixty pounds.
INTERVIEWER: ${ours} Did anybody ring you?
DANA: Nobody rang me before I left.
INTERVIEWER: What do you use now?
DANA: I use the rota in the till now.
`;

  test('is told by those who answer', () => {
    const found = extractSentences(interview('So the price was the reason.'));
    expect(found.map(({ speaker }) => speaker)).toEqual(['DANA', 'DANA', 'DANA', 'DANA']);
  });
});
