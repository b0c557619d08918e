import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractWithModel, type TitledText, windowBytes } from '../../../src/digest/index.ts';
import { ModelCallError, parsePrompt, renderPrompt } from '../../../src/models/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';

const promptOf = (id: string) =>
  parsePrompt(readFileSync(new URL(`../../../prompts/${id}.md`, import.meta.url), 'utf8'));
const NEUTRAL = { first: promptOf('extract'), more: promptOf('extract-more') };
const FOR_QUESTION = { first: promptOf('extract-for-question'), more: promptOf('extract-more-for-question') };

const TEXT = [
  'Rents rose by 8% in the old town.',
  'Ana Ruiz, the mayor, blames short lets.',
  'Landlords reject that.',
  'The council will vote on a cap in May.',
  'Two parties are against it.',
  'Trams run all night now.',
].join(' ');
const SENTENCES = TEXT.match(/[^.]+\./g)?.map((sentence) => sentence.trim()) ?? [];

interface Run {
  readonly rounds?: number;
  readonly question?: string | null;
  readonly contextTokens?: number;
  readonly about?: Partial<TitledText>;
}

async function run(text: string, answer: FakeAnswer, { rounds = 3, question = null, contextTokens, about }: Run = {}) {
  const model = new AskedStageModel(answer, contextTokens);
  const prompts = question === null ? NEUTRAL : FOR_QUESTION;
  return { ...(await extractWithModel({ text, ...about }, { model, prompts, rounds, question })), model };
}

const points = (...quotes: string[]) => ({ keyPoints: quotes.map((quote) => ({ text: quote, quotes: [quote] })) });
/** Answers these in turn, then with nothing. */
const mapConcurrent =
  (...answers: unknown[]): FakeAnswer =>
  (_, call) =>
    call < answers.length ? answers[call] : { keyPoints: [] };
const failed = () => new ModelCallError('server', 'It failed.');
/** The document as a question holds it, without its wrapping. */
const documentOf = (values: Readonly<Record<string, string>>) => values.document.split('\n').slice(1, -1).join('\n');
/** The sentences that a window holds whole. */
const sentencesOf = (values: Readonly<Record<string, string>>) => documentOf(values).match(/[A-Z][^.]*\./g) ?? [];

test('gives key points with the spans of their quotes, in reading order', async () => {
  const answer = {
    keyPoints: [
      { text: 'The council  will vote\non a cap in May.', quotes: ['the council will VOTE on a cap in May'] },
      {
        text: 'Mayor Ana Ruiz blames short lets for rents that rose by 8%.',
        quotes: ['Ana Ruiz, the mayor, blames short lets.', 'Rents rose by 8%'],
      },
    ],
  };
  const { keyPoints, unverified, failures, windows } = await run(TEXT, mapConcurrent(answer), { rounds: 1 });
  expect({ unverified, failures, windows }).toEqual({ unverified: [], failures: [], windows: 1 });
  expect(keyPoints.map(({ text }) => text)).toEqual([
    'Mayor Ana Ruiz blames short lets for rents that rose by 8%.',
    'The council will vote on a cap in May.',
  ]);
  const [first, second] = keyPoints;
  const spans = [first, ...(first.moreQuotes ?? [])].map(({ start, end, status }) => [TEXT.slice(start, end), status]);
  expect(spans.sort()).toEqual([
    ['Ana Ruiz, the mayor, blames short lets.', 'exact'],
    ['Rents rose by 8%', 'exact'],
  ]);
  expect([TEXT.slice(second.start, second.end), second.status]).toEqual([
    'The council will vote on a cap in May',
    'repaired',
  ]);
});

test('a wording with an address, markup or a formula that its quotes do not hold gives way to its quote', async () => {
  const [quote, other] = SENTENCES;
  const text = `${TEXT} Tickets are sold at trams.example.`;
  const answer = {
    keyPoints: [
      { text: `Rents rose, see evil.example.`, quotes: [quote] },
      { text: `=HYPERLINK("x") The mayor blames lets.`, quotes: [other] },
      { text: 'Buy tickets at trams.example.', quotes: ['Tickets are sold at trams.example.'] },
    ],
  };
  const { keyPoints } = await run(text, mapConcurrent(answer), { rounds: 1 });
  expect(keyPoints.map((each) => each.text)).toEqual([quote, other, 'Buy tickets at trams.example.']);
});

test('what the document does not hold is unverified, and no key point', async () => {
  const invented = { text: 'Rents will double.', quotes: ['rents are going to double', 'Rents will double by June'] };
  const { keyPoints, unverified } = await run(TEXT, mapConcurrent({ keyPoints: [invented, invented] }), { rounds: 1 });
  expect(keyPoints).toEqual([]);
  expect(unverified).toEqual([{ text: 'Rents will double.', quote: 'rents are going to double' }]);
});

test('takes what small models make of the form, and passes over the rest', async () => {
  const items = [
    'Rents rose by 8% in the old town.',
    { text: 'Landlords reject that.', quote: 'Landlords reject that.' },
    { text: 'Two parties are against it.', quotes: 'Two parties are against it.' },
    { text: '', quotes: ['Trams run all night now.'] },
    { text: 'No quotes at all.', quotes: [] },
    { text: 7, quotes: ['The council will vote on a cap in May.'] },
    { quotes: [null] },
    null,
    42,
    [],
    '  ',
  ];
  for (const answer of [{ keyPoints: items }, items]) {
    const { keyPoints, failures } = await run(TEXT, mapConcurrent(answer), { rounds: 1 });
    expect(failures).toEqual([]);
    expect(keyPoints.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Rents rose by 8% in the old town.',
        'Landlords reject that.',
        'Two parties are against it.',
      ]),
    );
  }
});

describe('rounds', () => {
  // Sentences of one length, so that a share of them is a share of the text.
  const forty = Array.from({ length: 40 }, (_, n) => `The clerk counted ${n + 10} trams that day.`);

  test.each([
    ['every fourth sentence', forty.filter((_, n) => n % 4 === 0), 1],
    ['all but nine in the middle', [...forty.slice(0, 15), ...forty.slice(24)], 1],
    ['all but ten in the middle', [...forty.slice(0, 15), ...forty.slice(25)], 2],
    ['the first thirty', forty.slice(0, 30), 2],
    ['the last thirty', forty.slice(10), 2],
    ['nothing', [], 2],
  ])(
    'what was passed over in one piece is asked for, what is untouched here and there is not: %s',
    async (_, found, calls) => {
      const { model } = await run(forty.join(' '), mapConcurrent(points(...found)), { rounds: 2 });
      expect(model.questions).toHaveLength(calls);
    },
  );
});

describe('a long document', () => {
  const sentences = Array.from({ length: 120 }, (_, n) => `On day ${n + 1} the clerk counted ${n * 7 + 3} trams.`);
  const text = sentences.join(' ');
  /** Every window gives all its sentences. */
  const all: FakeAnswer = ({ values }) => points(...sentencesOf(values));

  test('is read in windows, and what two of them hold is found once', async () => {
    const { keyPoints, windows, model } = await run(text, all, { contextTokens: 600 });
    expect(windows).toBeGreaterThan(4);
    expect(model.questions).toHaveLength(windows);
    expect(keyPoints.map((point) => point.text)).toEqual(sentences);
    expect(keyPoints.every((point) => point.moreQuotes === undefined)).toBe(true);
    for (const { values, maxTokens } of model.questions) {
      expect(new TextEncoder().encode(documentOf(values)).length).toBeLessThanOrEqual(800);
      expect(maxTokens).toBeLessThanOrEqual(300);
    }
  });

  test('what a window shares with the one before is context, from which nothing is listed again', async () => {
    const { model } = await run(text, all, { contextTokens: 600 });
    const [first, ...others] = model.questions.map(({ values }) => values);
    expect(first.before).toBe('');
    const context = ({ before }: Readonly<Record<string, string>>) => before.match(/On day [^.]*\./g) ?? [];
    for (const values of others) expect(context(values).length).toBeGreaterThan(0);
    // What is to be listed is each sentence once; what is context was to be listed before.
    expect(model.questions.flatMap(({ values }) => sentencesOf(values))).toEqual(sentences);
    for (const values of others) {
      const opening = sentencesOf(values).at(0) ?? '';
      expect(sentences.indexOf(context(values).at(-1) ?? '')).toBe(sentences.indexOf(opening) - 1);
    }

    // A model that lists the context all the same, in other words, is not heard twice.
    const disobedient: FakeAnswer = ({ values }) => ({
      keyPoints: [
        ...context(values).map((quote) => ({ text: `Trams were counted, says “${quote.length}”.`, quotes: [quote] })),
        ...points(...sentencesOf(values)).keyPoints,
      ],
    });
    const { keyPoints, unverified } = await run(text, disobedient, { contextTokens: 600 });
    expect(keyPoints.map((point) => point.text)).toEqual(sentences);
    expect(unverified).toEqual([]);
  });

  test('windows that fail do not stop the others', async () => {
    const { keyPoints, failures, windows } = await run(
      text,
      (question, call) => (call % 2 ? failed() : all(question, call)),
      {
        contextTokens: 600,
      },
    );
    expect(failures).toHaveLength(Math.floor(windows / 2));
    expect(keyPoints.length).toBeGreaterThan(sentences.length / 3);
    const malformed = await run(text, (question, call) => (call === 0 ? 'prose' : all(question, call)), {
      contextTokens: 600,
    });
    expect(malformed.failures.map(({ failure }) => failure)).toEqual(['malformed']);
  });
});

test('an answer has room in whatever context there is', async () => {
  const long = Array.from({ length: 2_000 }, (_, n) => `The clerk counted ${n} trams that day.`).join(' ');
  const title = 'Trams '.repeat(160);
  for (const contextTokens of [2_500, 4_000, 8_192, 32_000, 128_000]) {
    const { model } = await run(long, () => points('x y'), { contextTokens, rounds: 1, about: { title } });
    for (const { prompt, values, maxTokens } of model.questions) {
      const shown = renderPrompt(prompt, values).reduce((sum, { content }) => sum + content.length, 0);
      expect(shown / 4 + maxTokens).toBeLessThanOrEqual(contextTokens);
      expect(maxTokens).toBeGreaterThanOrEqual(256);
    }
    // A long window gets a long answer: three times its bytes, or half of the context.
    const [{ values, maxTokens }] = model.questions;
    if (contextTokens >= 32_000) {
      expect(maxTokens).toBeGreaterThanOrEqual(Math.min(contextTokens / 2, (3 * documentOf(values).length) / 4));
    }
  }
  expect(windowBytes(128_000)).toBe(windowBytes(32_000));
  expect(windowBytes(8_192)).toBeLessThan((8_192 * 4) / 2);
});

describe('title and date', () => {
  const shownIn = async (about: Partial<TitledText>, question: string | null = null) => {
    const { model } = await run(TEXT, mapConcurrent(points(SENTENCES[0], SENTENCES[1])), { about, question });
    expect(model.questions).toHaveLength(2);
    return model.questions.map(({ prompt, values }) => renderPrompt(prompt, values)[1].content);
  };

  test('are shown as data, in every round, with and without a question', async () => {
    for (const question of [null, 'Why do rents rise?']) {
      for (const content of await shownIn({ title: 'Rents', publishedAt: '2026-01-31' }, question)) {
        expect(content).toMatch(
          /<<<BEGIN about (\w{16})>>>\nTitle: Rents\nDate: Saturday 31 January 2026\n<<<END about \1>>>\n\n<<<BEGIN document/,
        );
      }
    }
  });
});

test('whatever the model answers, every span is a stretch of the document that holds words', async () => {
  const quote = fc.oneof(
    fc.constantFrom(
      ...SENTENCES,
      'Rents rose … blames short lets',
      'rents ROSE by 8%',
      'Rents',
      '"',
      'old town. Ana Ruiz',
    ),
    fc.tuple(fc.nat(TEXT.length), fc.nat(TEXT.length)).map(([from, to]) => TEXT.slice(from, to)),
    fc.string(),
  );
  const item = fc.oneof(
    fc.record({ text: fc.oneof(quote, fc.anything()), quotes: fc.oneof(fc.array(quote), quote, fc.anything()) }),
    fc.record({ text: quote, quote }),
    quote,
    fc.anything(),
  );
  const answer = fc.oneof(
    { weight: 4, arbitrary: fc.record({ keyPoints: fc.array(item) }) },
    { weight: 1, arbitrary: fc.array(item) },
    { weight: 1, arbitrary: fc.anything() },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
      const { keyPoints, failures } = await run(TEXT, (_, call) => answers[call % answers.length]);
      expect(failures.every((failure) => failure instanceof ModelCallError)).toBe(true);
      for (const { text, moreQuotes = [], ...first } of keyPoints) {
        expect(text).toMatch(/[\p{L}\p{N}]/u);
        expect(text).not.toMatch(/\n/);
        for (const { start, end, status } of [first, ...moreQuotes]) {
          const slice = TEXT.slice(start, end);
          expect(slice).toMatch(/[\p{L}\p{N}].*[\p{L}\p{N}]/u);
          expect(slice).toBe(slice.trim());
          expect(start >= 0 && end <= TEXT.length).toBe(true);
          expect(['exact', 'repaired']).toContain(status);
        }
      }
      const order = keyPoints.map(({ start }) => start);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});
