import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComposeInput, compose } from '../../src/summary/index.ts';
import { statedDate } from '../../src/summary/order-themes.ts';
import { inputOf, type Written } from './points.ts';

const ASKED = { text: 'What happened?', matched: true, facets: [] };

function textOf(written: readonly Written[], rest: Partial<ComposeInput> = {}): string {
  return compose(inputOf(written, { intent: ASKED, ...rest })).text;
}

describe('the best answer', () => {
  it('opens any report, unless it leans on what is not there', () => {
    const point = fc.record({
      text: fc.constantFrom(
        'A pump failed.',
        'Trams were full.',
        'Shops closed early.',
        'Lights went out in the east.',
      ),
      document: fc.constantFrom('d1', 'd2', 'd3'),
      relevance: fc.double({ min: 0, max: 1, noNaN: true }),
      start: fc.nat(5000),
    });
    fc.assert(
      fc.property(fc.uniqueArray(point, { minLength: 1, selector: ({ text }) => text }), (written) => {
        const best = written.reduce((a, b) => (b.relevance > a.relevance ? b : a));
        expect(textOf(written).startsWith(best.text)).toBe(true);
      }),
    );
  });
});

describe('a paragraph', () => {
  it('tells what carries dates in their order, after the answer', () => {
    const written = [
      { text: 'The bridge opened in May 2021.', document: 'd1', relevance: 0.9 },
      { text: 'The bridge was closed in 2024.', document: 'd3', relevance: 0.8 },
      { text: 'The bridge was repaired on 3 March 2023.', document: 'd2', relevance: 0.7 },
    ];
    expect(textOf(written)).toBe(
      'The bridge opened in May 2021. [1] The bridge was repaired on 3 March 2023. [2] The bridge was closed in 2024. [3]',
    );
  });

  it('goes by when documents were published where all are dated, each in its own order', () => {
    const documents = [
      { id: 'late', publishedAt: '2026-02-01' },
      { id: 'early', publishedAt: '2025-01-01' },
      { id: 'first', publishedAt: '2026-01-01' },
    ];
    const written = [
      { text: 'The pump failed.', document: 'first', relevance: 0.9 },
      { text: 'The pump was replaced.', document: 'late', relevance: 0.8, start: 400 },
      { text: 'The pump runs again.', document: 'late', relevance: 0.85, start: 900 },
      { text: 'The pump was old.', document: 'early', relevance: 0.2 },
    ];
    expect(textOf(written, { documents })).toBe(
      'The pump failed. [1] The pump was old. [2] The pump was replaced. [3] The pump runs again. [3]',
    );
  });

  it.each([
    ['It opened in 2021.', '2021'],
    ['It opened on 2021-05-03.', '2021-05-03'],
    ['It opened on May 3, 2021.', '2021-05-03'],
    ['It fell from 2019 to 2021.', null],
    ['It cost 2,000 euros and may rise.', null],
    ['It cost 2000 euros.', null],
  ])('%j states %j', (text, date) => {
    expect(statedDate(text)).toBe(date);
  });
});

describe('a sentence that leans on another', () => {
  const named = { text: 'Dr Osei runs the clinic.', document: 'd1', relevance: 0.3 };
  const leaning = { text: 'He said that beds are short.', document: 'd1', relevance: 0.8, selfContained: 0.8 };
  const other = { text: 'Waiting lists grew.', document: 'd2', relevance: 0.9 };
  const more = [
    { text: 'Nurses are leaving.', document: 'd3', relevance: 0.2 },
    { text: 'Fees went up.', document: 'd4', relevance: 0.1 },
  ];
  const documents = [{ id: 'd1', title: 'Riverside Post' }, { id: 'd2' }, { id: 'd3' }, { id: 'd4' }];

  it('stands directly after it', () => {
    const text = textOf([other, { ...leaning, start: named.text.length + 1 }, ...more, named], { documents });
    expect(text).toMatch(/Dr Osei runs the clinic\. (\[\d\]) He said that beds are short\. \1/u);
  });

  it('says where it is from, and opens nothing, where the other is missing', () => {
    const text = textOf([{ ...leaning, relevance: 1 }, other, ...more], { documents });
    expect(text.startsWith('Waiting lists grew.')).toBe(true);
    expect(text).toContain('In “Riverside Post”: He said that beds are short.');
  });

  it('is not read on from a sentence that it does not follow, in its own document or in one without a title', () => {
    const start = named.text.length + 120; // another sentence stands between, and is not told
    const text = textOf([other, { ...leaning, start }, ...more, named], { documents });
    expect(text).toMatch(/Dr Osei runs the clinic\. (\[\d\]) … He said that beds are short\. \1/u);
    expect(textOf([other, leaning])).toMatch(/^Waiting lists grew\. \[1\] … He said that beds are short\./u);
  });

  it.each([
    ['But the fee stays.', 'The fee stays.'],
    ['And so on.', 'And so on.'],
    ['So the team rolled back.', 'The team rolled back.'],
    ['So far the team is fine.', 'So far the team is fine.'],
    ['Otherwise, the fee is 20 euros.', 'Otherwise, the fee is 20 euros.'],
    ['However, sadly.', 'However, sadly.'],
  ])('%j is shown as %j', (text, shown) => {
    const [sentence] = compose(inputOf([{ text, document: 'd1', selfContained: 0.6 }])).sentences;
    expect(sentence?.text).toBe(shown);
    expect(sentence?.citations[0]?.quote.text).toBe(text);
  });
});

describe('what a point stands under', () => {
  it.each([
    [['Leave', 'What you may do:'], 'change it', 0.5, 'What you may do: change it.'],
    [['Do part-timers receive it in full?'], 'Yes, in full.', 0.5, 'Do part-timers receive it in full? Yes, in full.'],
    [['Is it paid?'], 'No, it is not.', 1, 'Is it paid? No, it is not.'],
    [['Battery'], 'Battery: 28 hours', 0.5, 'Battery: 28 hours.'],
    [['Battery'], 'The battery lasts 28 hours.', 1, 'The battery lasts 28 hours.'],
    [['## **Fees**'], '20 euros a month', 0.5, 'Fees: 20 euros a month.'],
    [['[3]'], 'see there', 0.5, '(3): see there.'],
  ])('%j is shown before %j where it reads badly alone', (under, text, selfContained, shown) => {
    expect(compose(inputOf([{ text, document: 'd1', under, selfContained }])).sentences[0]?.text).toBe(shown);
  });

  it('leads into all its items at once', () => {
    const item = (text: string, start: number) => ({
      text,
      document: 'd1',
      under: ['You need:'],
      selfContained: 0.5,
      start,
    });
    const written = [item('a visa.', 0), item('Without a stamp it is void.', 300), item('your passport', 20)];
    const { text, sentences } = compose(inputOf(written));
    expect(text).toBe('You need: a visa; your passport; Without a stamp it is void. [1]');
    expect(sentences[0]?.keyPoints).toEqual(['kp1', 'kp2', 'kp3']);
    expect(sentences[0]?.citations).toHaveLength(3);
  });
});

describe('what is said twice', () => {
  it.each([
    ['The plan passed.', '“the plan passed”', true],
    ['The plan passed.', 'The plan did not pass.', false],
    [
      'All staff of the firm may work from any other country for a month.',
      'Not all staff of the firm may work from any other country for a month.',
      false,
    ],
    [
      'Staff of the firm may work from any other country for a month.',
      'The staff of the firm may work from any other country for a month.',
      true,
    ],
    [
      'Staff of the firm may work from any other country for a month.',
      'Staff of the firm may work from any other country for a month 2026.',
      false,
    ],
  ])('%j and %j are one sentence: %j', (a, b, isSame) => {
    const input = inputOf([
      { text: a, document: 'd1' },
      { text: b, document: 'd2' },
    ]);
    const { sentences } = compose(input);
    const cited = sentences.filter(({ framing }) => !framing);
    expect(cited).toHaveLength(isSame ? 1 : 2);
    expect(cited.flatMap(({ keyPoints }) => keyPoints).sort()).toEqual(['kp1', 'kp2']);
    expect(compose({ ...input, format: 'bullets' }).sentences).toHaveLength(2);
  });
});

describe('a sentence whose antecedent was not selected', () => {
  const quote = { text: 'The west gate is old.', start: 370, end: 391 };
  const written = [
    { text: 'The east pump failed twice.', document: 'd1', relevance: 0.9 },
    { text: 'It also leaks.', document: 'd2', start: 392, selfContained: 0.5, antecedent: { quote, text: quote.text } },
  ];

  it.each(['report', 'bullets'] as const)('is told behind it, with both quotes, in a %s', (format) => {
    const { sentences } = compose(inputOf(written, { intent: ASKED, format }));
    expect(sentences[1].text).toBe('The west gate is old. It also leaks.');
    expect(sentences[1].citations.map(({ document, quote: { start } }) => [document, start])).toEqual([
      ['d2', 392],
      ['d2', 370],
    ]);
  });

  it('is told alone if both do not fit', () => {
    expect(textOf(written, { maxWords: 10 })).toContain('It also leaks.');
    expect(textOf(written, { maxWords: 10 })).not.toContain('west gate');
  });
});

describe('the parts of a question', () => {
  const written = [
    { text: 'The gate jams in the frost.', document: 'd1', relevance: 0.9, facet: 1 },
    { text: 'The east pump failed twice.', document: 'd2', relevance: 0.5, facet: 0 },
    { text: 'The west pump failed in May.', document: 'd3', relevance: 0.4, facet: 0 },
  ];

  it('are answered in turn, whichever has the best answer', () => {
    expect(textOf(written)).toBe(
      'The east pump failed twice. [1] The west pump failed in May. [2]\n\nThe gate jams in the frost. [3]',
    );
  });

  it('keep a sentence beside the one it leans on', () => {
    const leaning = { text: 'It also leaks.', document: 'd2', relevance: 0.8, facet: 1, start: 28, selfContained: 0.5 };
    const [first] = textOf([...written, leaning]).split('\n\n');
    expect(first).toBe('The east pump failed twice. [1] It also leaks. [1] The west pump failed in May. [2]');
  });

  it('tell every point once, also where two parts have the same statement', () => {
    const again = { text: 'The east pump failed twice.', document: 'd4', relevance: 0.7, facet: 1 };
    const text = textOf([...written, again]);
    expect(text.match(/The east pump failed twice/gu)).toHaveLength(1);
    for (const { text: told } of written) expect(text).toContain(told);
  });
});
