import { expect, test } from 'vitest';
import type { BenchmarkCase, BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { beginnings } from '../../../src/lab/makers/asked-model.ts';
import { intentChecker, intentsMaker } from '../../../src/lab/makers/intents.ts';
import { EMBEDDED, transformersProfile } from '../../../src/models/index.node.ts';
import { type RelevanceScorer, renderPrompt } from '../../../src/models/index.ts';
import { utf8Length } from '../../../src/text/index.ts';
import type { FakeAnswer } from '../../support/asked-stage-model.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';
import { dataOf, madeBy } from './asked.ts';

const text = (words: number, letter: string) => `${`${letter.repeat(5)} `.repeat(words)}.`;

test('never more room is taken than there is, from any documents', () => {
  const document = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.constantFrom('a', 'é', '文', '😀'));
  const sizes = fc.integer({ min: 400, max: 20_000 });
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 40 }), sizes, (all, bytes) => {
      const documents = all.map(([words, letter], n) => ({ id: String(n), text: text(words, letter) }));
      const shown = beginnings(documents, bytes / 1.2);
      expect(utf8Length(shown)).toBeLessThanOrEqual(bytes);
      expect(shown.match(/<<<BEGIN/g)).toHaveLength(Math.min(documents.length, Math.floor(bytes / 300)));
      for (const part of shown.split('\n\n').map(dataOf)) {
        expect(part.endsWith(' […]') || documents.some((each) => each.text === part)).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

const STRIKE = [
  'How does the strike affect passengers of the night trains?',
  'What pay does the union ask for?',
  'How do the railways answer the demands?',
];

test.each([
  ['', 'unfit'],
  ['?!', 'unfit'],
  ['What does the union want? And what do passengers say?', 'unfit'],
  [`What ${'and what '.repeat(40)}else?`, 'unfit'],
  ['what PAY does the union ask for', 'duplicates'],
  ['What pay does the union ask for now?', 'duplicates'],
  ['What pay did employers offer before the union struck?', null],
])('of "%s" finds %s', (intent, fault) => {
  const check = intentChecker();
  expect(check(STRIKE[1])).toBeNull();
  expect(check(intent)).toBe(fault);
});

const question = (asked: string) => ({ question: asked, answer: 'yes', document: 'd', position: 0 });
const collection = (id: string, questions: readonly string[]) => ({
  id,
  documents: [{ id: 'd', text: `The night trains of ${id} stand still.` }],
  questions: questions.map(question),
});
const setOf = (cases: readonly BenchmarkCase[] = [], ids = ['c'], questions = ['Q1', 'Q2', 'Q3']): BenchmarkSet => ({
  name: 's',
  collections: ids.map((id) => collection(id, questions)),
  cases: [...cases],
  made: [],
});
/** Gives each question the scores that are told of it, in their order. */
const scorerOf = (scores: readonly number[], id = 'rerank/x'): RelevanceScorer => ({
  profile: { id, languages: null, matched: 0.5 },
  score: async () => Float64Array.from(scores),
});
const makerOf = (set: BenchmarkSet, more: Partial<Parameters<typeof intentsMaker>[1]> = {}) => {
  const options = { intents: 3, threshold: 0.6, least: 1, scorer: scorerOf([0.7, 0.6, 0.1]) };
  return intentsMaker(set, { ...options, ...more }, testDeps().cache);
};

test('drops what is alike, counts what is missing, and never takes more than wanted', async () => {
  const alike = [STRIKE[0], `${STRIKE[0].slice(0, -1)} now?`, STRIKE[0].toUpperCase(), STRIKE[1]];
  const { set, counts, questions } = await madeBy(makerOf(setOf()), () => ({ intents: alike }));
  expect(questions.map(({ values }) => values.count)).toEqual(['3']);
  expect(set?.cases.map(({ intent }) => intent)).toEqual(STRIKE.slice(0, 2));
  expect(counts).toEqual({ duplicates: 2, missing: 1, kept: 2, relevant: 2 });
  const many = await madeBy(makerOf(setOf(), { intents: 2 }), () => STRIKE);
  expect([many.set?.cases.length, many.counts.missing]).toEqual([2, undefined]);
  const none = await madeBy(makerOf(setOf()), () => 'No.');
  expect([none.set, none.questions.length, none.counts.missing]).toEqual([null, 1, 3]);
});

test('keeps intents with enough relevant questions, under the number that they had', async () => {
  let scored = 0;
  const scores = [
    [0.6, 0.9, 0.1],
    [0.61, 0.7, 0.1],
  ];
  const scorer = { ...scorerOf([]), score: async () => Float64Array.from(scores[scored++]) };
  const maker = makerOf(setOf(), { intents: 2, least: 2, scorer });
  const { set, counts } = await madeBy(maker, () => ({ intents: STRIKE.slice(0, 2) }));
  expect(set?.cases.map(({ id, questions }) => [id, questions?.map(({ relevant }) => relevant)])).toEqual([
    ['c/intent-2', [true, true, false]],
  ]);
  expect(counts).toEqual({ kept: 1, dropped: 1, relevant: 2 });
});

test('has a threshold for the encoder that ships, and the paper’s for others', () => {
  const { id } = transformersProfile(EMBEDDED);
  const thresholdOf = (scorer: RelevanceScorer | null) =>
    makerOf(setOf(), { threshold: null, scorer }).options.threshold;
  expect([id, 'openai/host/e5-mistral'].map((each) => thresholdOf(scorerOf([], each)))).toEqual([0.37, 0.6]);
  expect(thresholdOf(null)).toBe(0.6);
});

test('takes the place of what an earlier run made and could be asked again, and of nothing else', async () => {
  const keyPoints = [{ text: 'A point.' }];
  const cases: BenchmarkCase[] = [
    { id: 'c', collection: 'c' },
    { id: 'c/intent-1', collection: 'c', intent: STRIKE[0], keyPoints },
    { id: 'c/intent-2', collection: 'c', intent: 'Gone?', keyPoints },
    { id: 'c/intent-mine', collection: 'c', intent: 'Mine?' },
    { id: 'e/intent-1', collection: 'e', intent: 'Nobody answered?' },
  ];
  const set = setOf(cases, ['c', 'e']);
  const answer: FakeAnswer = ({ values }) =>
    values.documents.includes('trains of c') ? { intents: [STRIKE[1], STRIKE[0]] } : 'No.';
  const { set: made } = await madeBy(makerOf(set, { intents: 2 }), answer);
  expect(made?.cases.map(({ id }) => id)).toEqual([
    ...['c', 'c/intent-mine', 'e/intent-1', 'c/intent-1', 'c/intent-2'],
  ]);
  expect(made?.cases.slice(3).map((each) => [each.intent, each.keyPoints])).toEqual([
    [STRIKE[1], undefined],
    [STRIKE[0], keyPoints],
  ]);
});

test('what is asked fits into the context, however many documents there are', async () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ id: `${n}`, text: `Of ${n}. ${'It goes on. '.repeat(200)}` }));
  for (const contextTokens of [1024, 8192, 128_000]) {
    const set = { ...setOf(), collections: [{ ...collection('c', ['Q1', 'Q2', 'Q3']), documents: many }] };
    const maker = makerOf(set);
    const { questions } = await madeBy(maker, () => ({ intents: STRIKE.slice(0, 2) }), { contextTokens });
    expect(questions[0].values.documents.includes('Of 199.')).toBe(contextTokens === 128_000);
    for (const { prompt, values, maxTokens } of questions) {
      const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
      expect(bytes / 4 + maxTokens).toBeLessThan(contextTokens);
    }
  }
});
