import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agreementOf, type KnownItem } from '../../../src/lab/people/agreement.ts';
import { type Decision, decisionsOf, type Field, SCALES } from '../../../src/lab/people/labels.ts';

const at = '2026-01-01T00:00:00.000Z';
const decision = (item: string, annotator: string, field: Field, value: Decision['value']): Decision => ({
  ...{ item, annotator, field, value, at },
});

/** Annotators with their levels for items 0, 1, …; null for what they did not label. */
function decided(field: Field, levels: Readonly<Record<string, readonly (number | null)[]>>): Decision[] {
  return Object.entries(levels).flatMap(([annotator, given]) =>
    given.flatMap((level, item) =>
      level === null ? [] : [decision(`item ${item}`, annotator, field, SCALES[field][level])],
    ),
  );
}

test('counts, pairs, confusion and figures of three people, one of whom stopped half-way', () => {
  const decisions = decided('helps', {
    ada: [0, 1, 2, 2, 1, 0, 2, 1, 1, 0, 2, 2],
    bob: [0, 1, 1, 2, 1, 1, 2, 0, 1, 0, 2, 0],
    eve: [0, 2, null, null, null, null, null, null, null, null, null, null],
  });
  const [helps, ...more] = agreementOf(decisions, null);
  expect(more).toEqual([]);
  expect(helps).toMatchObject({ field: 'helps', items: 12, annotators: ['ada', 'bob', 'eve'], labels: 26 });
  const [first, second, third] = helps.pairs;
  expect(first).toMatchObject({ annotators: ['ada', 'bob'], items: 12, agreement: { value: 8 / 12, n: 12 } });
  // scikit-learn 1.9.1: cohen_kappa_score, also with weights='linear'.
  expect(first.kappa.value).toBeCloseTo(0.5051546391752577, 13);
  expect(first.weighted?.value).toBeCloseTo(0.5238095238095238, 13);
  expect(first.confusion).toEqual([
    [2, 1, 0],
    [1, 3, 0],
    [1, 1, 3],
  ]);
  expect([second.annotators, second.items, third.annotators]).toEqual([['ada', 'eve'], 2, ['bob', 'eve']]);
  // Item 0: all three agree; item 1: one pair of three; of the ten others seven agree.
  expect(helps.agreement.value).toBeCloseTo((1 + 1 / 3 + 6) / 12, 13);
  expect(helps.freeMarginal.value).toBeCloseTo(((1 + 1 / 3 + 6) / 12 - 1 / 3) / (2 / 3), 13);
  expect(helps.withScores).toBeNull();
  const { low, high, value } = first.kappa;
  expect([Number(low) < Number(value), Number(value) < Number(high)]).toEqual([true, true]);
});

test('disagreements are weighted by their steps on graded scales only: outcomes of ARGUE have no order', () => {
  const weightedOf = (field: Field, levels: number[]) =>
    agreementOf(decided(field, { ada: levels, bob: [...levels.slice(1), 0] }), null)[0].pairs[0];
  for (const field of ['helps', 'importance'] as const) expect(weightedOf(field, [0, 1, 2]).weighted).not.toBeNull();
  for (const field of ['attested', 'stated'] as const) expect(weightedOf(field, [0, 1, 1]).weighted).toBeNull();
  const outcomes = weightedOf('outcome', [0, 7, 3]);
  expect([outcomes.weighted, outcomes.kappa.value]).toEqual([null, expect.any(Number)]);
});

test('the mean level of people against a score, as SciPy 1.17.1 has it', () => {
  // levels 2, 1.5, 0, 1, 2, 0.5, 1 against scores: pearsonr 0.9031461989442067, spearmanr 0.9266445023146869
  const decisions = decided('helps', { ada: [2, 2, 0, 1, 2, 0, 1, 2], bob: [2, 1, 0, 1, null, 1, 1, 2] });
  const scores = [0.9, 0.7, 0.2, 0.7, 0.8, 0.1, 0.4, null];
  const known = new Map(scores.map((score, index): [string, KnownItem] => [`item ${index}`, { case: 'a', score }]));
  const [helps] = agreementOf(decisions, known);
  expect(helps.withScores?.pearson.value).toBeCloseTo(0.9031461989442067, 13);
  expect(helps.withScores?.spearman.value).toBeCloseTo(0.9266445023146869, 13);
  expect(helps.withScores?.pearson.n).toBe(7);
  // All are of one case: there is nothing to draw.
  expect(helps.withScores?.pearson.low).toBeNull();
  expect(agreementOf(decided('stated', { ada: [0, 1] }), known)[0].withScores).toBeNull();
});

test('of several decisions the last counts, and one that is taken back counts for nothing', () => {
  const first = decision('a', 'ada', 'stated', 'yes');
  const last = decisionsOf([first, decision('a', 'bob', 'stated', 'yes'), { ...first, value: 'no' }]);
  expect(last.map(({ annotator, value }) => [annotator, value])).toEqual([
    ['ada', 'no'],
    ['bob', 'yes'],
  ]);
  expect(decisionsOf([first, { ...first, value: null }])).toEqual([]);
  expect(decisionsOf([{ ...first, value: null }, first])).toEqual([first]);
});

test('the order of labels, and the names of annotators, change nothing', () => {
  const table = fc.array(fc.tuple(fc.nat(1), fc.option(fc.nat(1)), fc.option(fc.nat(1))), {
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(table, fc.nat(), (rows, seed) => {
      const columns = [0, 1, 2].map((column) => rows.map((row) => row[column] ?? null));
      const decisions = decided('stated', { ada: columns[0], bob: columns[1], eve: columns[2] });
      const agreement = agreementOf(decisions, null);
      const turned = [...decisions.slice(seed % decisions.length), ...decisions.slice(0, seed % decisions.length)];
      expect(agreementOf(turned, null)).toEqual(agreement);
      const renamed = agreementOf(decided('stated', { zoe: columns[0], bob: columns[1], eve: columns[2] }), null);
      expect(renamed[0].freeMarginal).toEqual(agreement[0].freeMarginal);
      const kappas = (found: typeof agreement) => found[0].pairs.map(({ kappa }) => kappa.value?.toFixed(10)).sort();
      if (agreement[0].annotators.length === 3) expect(kappas(renamed)).toEqual(kappas(agreement));
    }),
    { numRuns: 15 },
  );
});
