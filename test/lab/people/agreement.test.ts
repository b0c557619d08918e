import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Field, SCALES } from '../../../src/contract/index.ts';
import {
  agreementOf,
  coverageAgreement,
  type DecidedItem,
  humanLevels,
  type KnownItem,
  THRESHOLDS,
  taskCurves,
} from '../../../src/lab/people/agreement.ts';
import { annotationItems, type JudgedRecord } from '../../../src/lab/people/judged-records.ts';
import { type Decision, decisionsOf } from '../../../src/lab/people/labels.ts';
import { pearson } from '../../../src/lab/people/statistics.ts';
import { summHayAnswer } from '../results/scored-records.ts';

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
  const [helps, ...more] = agreementOf(decisions, new Map());
  expect(more).toEqual([]);
  expect(helps).toMatchObject({ field: 'helps', items: 12, annotators: ['ada', 'bob', 'eve'], labels: 26 });
  const [all, first, ...others] = helps.rows;
  expect(others.map(({ raters, items }) => [raters, items])).toEqual([
    ['ada / eve', 2],
    ['bob / eve', 2],
  ]);
  expect(first).toMatchObject({ raters: 'ada / bob', items: 12, figures: { agreement: { value: 8 / 12, n: 12 } } });
  // scikit-learn 1.9.1: cohen_kappa_score, also with weights='linear'.
  const { kappa, weighted } = first.figures;
  expect(kappa?.value).toBeCloseTo(0.5051546391752577, 13);
  expect(weighted?.value).toBeCloseTo(0.5238095238095238, 13);
  expect(first.confusion).toEqual([
    [2, 1, 0],
    [1, 3, 0],
    [1, 1, 3],
  ]);
  // Item 0: all three agree; item 1: one pair of three; of the ten others seven agree.
  expect(all.figures.agreement?.value).toBeCloseTo((1 + 1 / 3 + 6) / 12, 13);
  expect(all.figures.freeMarginal?.value).toBeCloseTo(((1 + 1 / 3 + 6) / 12 - 1 / 3) / (2 / 3), 13);
  // Krippendorff's, on the graded scale: squared steps within items over those of all 26 labels.
  expect(all.figures.alpha?.value).toBeCloseTo(0.546485260770975, 9);
  expect([Number(kappa?.low) < Number(kappa?.value), Number(kappa?.value) < Number(kappa?.high)]).toEqual([true, true]);
});

test('disagreements are weighted by their steps on graded scales only: outcomes of ARGUE have no order', () => {
  const figuresOf = (field: Field, levels: number[]) =>
    agreementOf(decided(field, { ada: levels, bob: [...levels.slice(1), 0] }), new Map())[0].rows[1].figures;
  for (const field of ['helps', 'importance'] as const) expect(figuresOf(field, [0, 1, 2]).weighted).toBeDefined();
  for (const field of ['attested', 'stated'] as const) expect(figuresOf(field, [0, 1, 1]).weighted).toBeUndefined();
  const outcomes = figuresOf('outcome', [0, 7, 3]);
  expect([outcomes.weighted, outcomes.kappa?.value]).toEqual([undefined, expect.any(Number)]);
});

test('the mean level of people against a score, as SciPy 1.17.1 has it', () => {
  // levels 2, 1.5, 0, 1, 2, 0.5, 1 against scores: pearsonr 0.9031461989442067, spearmanr 0.9266445023146869
  const decisions = decided('helps', { ada: [2, 2, 0, 1, 2, 0, 1, 2], bob: [2, 1, 0, 1, null, 1, 1, 2] });
  const scores = [0.9, 0.7, 0.2, 0.7, 0.8, 0.1, 0.4, null];
  const known = new Map(scores.map((score, index): [string, KnownItem] => [`item ${index}`, { case: 'a', score }]));
  const { raters, figures } = agreementOf(decisions, known)[0].rows[2];
  expect([raters, figures.pearson?.n]).toEqual(['mean level / usefulness', 7]);
  expect(figures.pearson?.value).toBeCloseTo(0.9031461989442067, 13);
  expect(figures.spearman?.value).toBeCloseTo(0.9266445023146869, 13);
  // All are of one case: there is nothing to draw.
  expect(figures.pearson?.low).toBeNull();
  expect(agreementOf(decided('stated', { ada: [0, 1] }), known)[0].rows).toHaveLength(1);
});

/** One summary of each letter: people's level, the judge's, its score, then people's bullet and the judge's. */
const coverage = (rows: readonly [string, number, number, number, number | null, number | null, number?][]) => {
  const ids = [...new Set(rows.map(([id]) => id))];
  const of = (id: string) => rows.filter(([each]) => each === id);
  return coverageAgreement(
    ids.map((id) => ({
      bullets: ['One.', 'Two.', 'Three.'],
      insights: of(id).map(([, human, , , bullet, , model]) => ({
        ...{ text: 'It is so.', human: human as 0 | 0.5 | 1, bullet },
        ...(model !== undefined && { models: { m: model as 0 | 0.5 | 1 } }),
      })),
    })),
    ids.map((id) =>
      summHayAnswer({
        insights: of(id).map(([, , level, score, , bullet], place) => ({
          ...{ id: `${place}`, coverage: (100 * level) as 0 | 50 | 100, score, bullet },
          ...{ precision: null, recall: null, f1: null },
        })),
      }),
    ),
  );
};

test('coverage by a judge and by recorded ones is held against people as a person would count by hand', () => {
  const { summaries, rows, curves } = coverage([
    ['a', 1, 1, 0.9, 0, 0, 1],
    ['a', 0.5, 0, 0.4, 1, 1, 1],
    ['b', 0, 0, 0.1, null, 2, 0.5],
    ['b', 1, 0.5, 0.6, 2, 0, 1],
    ['c', 0, 0.5, 0.5, null, 1],
    ['c', 0.5, 0.5, 0.5, null, 1],
  ]);
  const [judge, score, model] = rows;
  expect([summaries, judge.items]).toEqual([3, 6]);
  // Three insights that people found in a bullet; two of them linked as they did.
  expect(judge.figures.linked).toMatchObject({ value: 2 / 3, n: 3 });
  expect(judge.figures.bias?.value).toBeCloseTo((0 - 0.5 + 0 - 0.5 + 0.5 + 0) / 6, 12);
  expect(judge.confusion).toEqual([
    [1, 1, 0],
    [1, 1, 0],
    [0, 1, 1],
  ]);
  const people = [1, 0.5, 0, 1, 0, 0.5];
  expect(judge.figures.pearson?.value).toBeCloseTo(pearson([1, 0, 0, 0.5, 0.5, 0.5], people) ?? 0, 12);
  expect(score.figures.pearson?.value).toBeCloseTo(pearson([0.9, 0.4, 0.1, 0.6, 0.5, 0.5], people) ?? 0, 12);
  expect([model.raters, model.figures.pearson?.n, model.figures.bias?.value]).toEqual(['people / m', 4, 0.25]);
  expect(curves.map((curve) => curve.judge)).toEqual(['judge', 'm']);
  // Covered at all: 4 of 6; by scores 0.9, 0.4, 0.6 and 0.5 against 0.1 and 0.5.
  const at = (threshold: (typeof THRESHOLDS)[number]) => THRESHOLDS.indexOf(threshold);
  const { falsePositives, misses } = curves[0];
  expect([0.1, 0.2, 0.5, 0.6].map((each) => falsePositives[at(each as 0.1)].value)).toEqual([100, 50, 50, 0]);
  expect([0.4, 0.5, 0.6, 0.7, 1].map((each) => misses[at(each as 0.1)].value)).toEqual([0, 25, 50, 75, 100]);
  expect([curves[1].misses[at(1)], curves[1].falsePositives[at(0.5)]]).toMatchObject([{ n: 3 }, { n: 1, value: 100 }]);
});

test('a judge who says what people say agrees in everything', () => {
  const levels = [0, 0.5, 1, 1, 0, 0.5];
  const [judge, score] = coverage(levels.map((level, place) => ['abc'[place % 3], level, level, level, 0, 0])).rows;
  for (const { pearson: linear, spearman } of [judge.figures, score.figures]) {
    for (const figure of [linear?.value, spearman?.value, linear?.low]) expect(figure).toBeCloseTo(1, 12);
  }
  expect(judge.figures).toMatchObject({ linked: { value: 1, n: 4 }, bias: { value: 0, low: 0, high: 0 } });
  expect([judge.figures.agreement?.value, judge.figures.kappa?.value]).toEqual([1, 1]);
});

test('errors by threshold are those of counting; false positives never rise with it, misses never fall', () => {
  const item = fc.record({
    field: fc.constantFrom<Field>('entailed', 'reported', 'outcome', 'covered'),
    cluster: fc.constantFrom('a', 'b', 'c'),
    first: fc.nat(1),
    score: fc.oneof(fc.constantFrom(...THRESHOLDS), fc.double({ min: 0, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), (given) => {
      const items = given.map((each): DecidedItem => ({ ...each, second: 0 }));
      const curves = taskCurves(items);
      // Scales of more than two answers have no threshold.
      const fields = new Set(
        given.map(({ field }) => field).filter((field) => /ed$/.test(field) && field !== 'covered'),
      );
      expect(new Set(curves.map(({ judge }) => judge))).toEqual(fields);
      for (const { judge, falsePositives, misses } of curves) {
        const scores = (level: number) => given.filter((one) => one.field === judge && one.first === level);
        const sorted = (level: number) =>
          scores(level)
            .map(({ score }) => score)
            .sort((a, b) => a - b);
        const below = (list: readonly number[], threshold: number) => {
          const place = list.findIndex((score) => score >= threshold);
          return list.length === 0 ? null : (100 * (place < 0 ? list.length : place)) / list.length;
        };
        THRESHOLDS.forEach((threshold, place) => {
          const [no, yes] = [below(sorted(0), threshold), below(sorted(1), threshold)];
          expect(misses[place].value).toEqual(yes === null ? null : expect.closeTo(yes, 9));
          expect(falsePositives[place].value).toEqual(no === null ? null : expect.closeTo(100 - no, 9));
          if (place === 0) return;
          expect(Number(falsePositives[place].value)).toBeLessThanOrEqual(
            Number(falsePositives[place - 1].value) + 1e-9,
          );
          expect(Number(misses[place].value)).toBeGreaterThanOrEqual(Number(misses[place - 1].value) - 1e-9);
        });
      }
    }),
    { numRuns: 40 },
  );
});

test('people say what most of them say, the lower of a tie, and the record speaks where nobody did', () => {
  const record = { task: 'entailment', id: 'x', text: 'T.', claims: [{ claim: 'C.', human: true }] } as const;
  const [{ id }] = annotationItems(record as JudgedRecord);
  const levelBy = (...values: readonly ('no' | 'yes')[]) =>
    humanLevels(
      [record as JudgedRecord],
      values.map((value, place) => decision(id, `annotator ${place}`, 'entailed', value)),
    ).map(({ level }) => level);
  expect([levelBy('yes', 'no', 'yes'), levelBy('yes', 'no'), levelBy('no', 'yes'), levelBy()]).toEqual([
    [1],
    [0],
    [0],
    [1],
  ]);
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
      const agreement = agreementOf(decisions, new Map());
      const turned = [...decisions.slice(seed % decisions.length), ...decisions.slice(0, seed % decisions.length)];
      expect(agreementOf(turned, new Map())).toEqual(agreement);
      const renamed = agreementOf(decided('stated', { zoe: columns[0], bob: columns[1], eve: columns[2] }), new Map());
      expect(renamed[0].rows[0].figures).toEqual(agreement[0].rows[0].figures);
      const kappas = (found: typeof agreement) =>
        found[0].rows.map(({ figures }) => figures.kappa?.value?.toFixed(10)).sort();
      if (agreement[0].annotators.length === 3) expect(kappas(renamed)).toEqual(kappas(agreement));
    }),
    { numRuns: 15 },
  );
});
