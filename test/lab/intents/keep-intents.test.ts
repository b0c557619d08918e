import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import {
  foreignIds,
  isMeasured,
  keepIntents,
  relevantAbove,
  withIntents,
} from '../../../src/lab/intents/keep-intents.ts';
import { EMBEDDED, transformersProfile } from '../../../src/models/index.node.ts';

const question = (n: number) => ({ question: `Question ${n}?`, answer: 'yes', document: 'd', position: 0 });
const intentOf = (number: number, scores: readonly (number | null)[]) => ({
  collection: 'c',
  number,
  intent: `Intent ${number}?`,
  questions: scores.map((_, n) => question(n)),
  weighed: null,
  scores,
});

test('keeps intents with enough relevant questions, under the number that they had', () => {
  const { cases, short, counts } = keepIntents([intentOf(1, [0.6, 0.9, null]), intentOf(2, [0.61, 0.7, 0.1])], 0.6, 2);
  expect(cases).toEqual([
    {
      id: 'c/intent-2',
      collection: 'c',
      intent: 'Intent 2?',
      questions: [true, true, false].map((relevant, n) => ({ ...question(n), relevant })),
    },
  ]);
  expect(counts).toEqual({ kept: 1, dropped: 1, relevant: 2, unscored: 1, unweighed: 0 });
  expect(short).toEqual([
    {
      collection: 'c',
      intent: 'Intent 1?',
      relevant: 1,
      questions: 3,
      scores: { median: 0.75, p90: expect.closeTo(0.87), most: 0.9 },
    },
  ]);
});

test('a higher threshold never makes more relevant, and everything is kept or dropped', () => {
  const scores = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(scores, { maxLength: 6 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.nat(10),
      (all, threshold, least) => {
        const scored = all.map((each, n) => intentOf(n + 1, each));
        const [low, high] = [threshold, threshold + 0.1].map((each) => keepIntents(scored, each, least));
        expect(high.counts.relevant).toBeLessThanOrEqual(low.counts.relevant);
        expect(low.counts.kept + low.counts.dropped).toBe(all.length);
        for (const { questions = [] } of low.cases) {
          expect(questions.filter(({ relevant }) => relevant).length).toBeGreaterThanOrEqual(least);
        }
      },
    ),
  );
});

test('has a threshold for the encoder that ships, under the id that it has', () => {
  const { id } = transformersProfile(EMBEDDED);
  expect(relevantAbove(id)).toBe(0.37);
  expect(relevantAbove('openai/host/e5-mistral')).toBe(0.6);
  expect(relevantAbove('llm')).toBe(0.6);
  expect([id, 'openai/host/e5-mistral'].map(isMeasured)).toEqual([true, false]);
});

test('takes the place of what an earlier run made, and of nothing else', () => {
  const collections = [
    { id: 'c', documents: [{ id: 'd', text: 'Text.' }], questions: [question(0)] },
    { id: 'e', documents: [{ id: 'd', text: 'Text.' }] },
  ];
  const cases = [
    { id: 'c', collection: 'c' },
    { id: 'c/intent-1', collection: 'c', intent: 'Old?' },
    { id: 'c/intent-mine', collection: 'c', intent: 'Mine?' },
    { id: 'e/intent-1', collection: 'e', intent: 'Not asked?' },
  ];
  const set: BenchmarkSet = { name: 's', collections, cases, made: [] };
  expect(foreignIds(set)).toEqual(['c/intent-1']);
  const making = { step: 'intents', version: 1, seed: 1, model: null, prompts: {}, options: {}, counts: {} };
  expect(foreignIds({ ...set, made: [making] })).toEqual([]);
  const made = withIntents(set, [{ id: 'c/intent-2', collection: 'c', intent: 'New?' }], new Set('c'));
  expect(made.lost).toBe(0);
  expect(made.set.cases.map(({ id }) => id)).toEqual(['c', 'c/intent-mine', 'e/intent-1', 'c/intent-2']);
});

test('an intent that comes again keeps what was made for it; what is lost of others is counted', () => {
  const collections = [{ id: 'c', documents: [{ id: 'd', text: 'Text.' }], questions: [question(0)] }];
  const keyPoints = [{ text: 'A point.' }];
  const cases = [
    { id: 'c/intent-1', collection: 'c', intent: 'Again?', keyPoints },
    { id: 'c/intent-2', collection: 'c', intent: 'Gone?', keyPoints },
    { id: 'c/intent-3', collection: 'c', intent: 'Bare?' },
  ];
  const again = { id: 'c/intent-4', collection: 'c', intent: 'Again?', questions: [] };
  const made = withIntents({ name: 's', collections, cases, made: [] }, [again], new Set('c'));
  expect(made.lost).toBe(1);
  expect(made.set.cases).toEqual([{ id: 'c/intent-4', collection: 'c', intent: 'Again?', keyPoints, questions: [] }]);
});

test('a collection without a readable answer keeps the intents that it had', () => {
  const collections = ['c', 'e'].map((id) => ({
    id,
    documents: [{ id: 'd', text: 'Text.' }],
    questions: [question(0)],
  }));
  const cases = ['c', 'e'].map((id) => ({ id: `${id}/intent-1`, collection: id, intent: 'Old?' }));
  const fresh = { id: 'c/intent-1', collection: 'c', intent: 'New?' };
  const made = withIntents({ name: 's', collections, cases, made: [] }, [fresh], new Set('c'));
  expect(made.set.cases).toEqual([cases[1], fresh]);
  // Read and scored, but not kept: they go.
  expect(withIntents({ name: 's', collections, cases, made: [] }, [fresh], new Set('ce')).set.cases).toEqual([fresh]);
});
