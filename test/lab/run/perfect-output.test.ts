import { expect, test } from 'vitest';
import type { BenchmarkCase, Collection } from '../../../src/lab/benchmark-set.ts';
import { retrieve } from '../../../src/lab/retrieval/retrieve.ts';
import { labelledScores } from '../../../src/lab/run/score-output.ts';
import { perfectOutput } from '../../../src/lab/run/system-output.ts';
import { figuresIn, HAY, runSystems, setsOf } from '../../cli/benchmark/run-samples.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';

const SENTENCE = 'Here is a finding. ';
const IDS = ['d0', 'd1', 'd2', 'd3'];

/** Insights that some sentences of some documents tell, each sentence one of them. */
const labelled = fc
  .array(fc.array(fc.option(fc.nat(4)), { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 4 })
  .filter((told) => told.flat().some((insight) => insight !== null))
  .map((told): { collection: Collection; benchmarkCase: BenchmarkCase } => {
    const passages = told.flatMap((insights, at) =>
      insights.flatMap((insight, place) => {
        const start = place * SENTENCE.length;
        const passage = { document: IDS[at], start, end: start + SENTENCE.trimEnd().length };
        return insight === null ? [] : [{ ...passage, insights: [`i${insight}`] }];
      }),
    );
    const insights = [...new Set(passages.flatMap((passage) => passage.insights))].map((id) => ({
      ...{ id, text: `Insight ${id}.` },
      documents: [...new Set(passages.filter((each) => each.insights[0] === id).map(({ document }) => document))],
    }));
    const documents = told.map((sentences, at) => ({ id: IDS[at], text: SENTENCE.repeat(sentences.length).trimEnd() }));
    return { collection: { id: 'c', documents }, benchmarkCase: { id: 'x', collection: 'c', insights, passages } };
  });

test('what labels say of all documents has a joint score of 100, of less never more, and cut documents tell only their beginning', async () => {
  const deps = testDeps();
  let cuts = 0;
  const budgets = fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(labelled, budgets, async ({ collection, benchmarkCase }, tokens) => {
      const { documents } = collection;
      const joint = (given: typeof documents) =>
        labelledScores(benchmarkCase, perfectOutput(benchmarkCase, given)).figures['labelled.joint'];
      expect(joint(documents)).toBeCloseTo(100, 9);
      expect(joint([])).toBe(0);
      let before = 0;
      for (const budget of tokens.toSorted((a, b) => a - b)) {
        const given = await retrieve(collection, benchmarkCase, { by: 'random', budget }, deps);
        const wholeOf = new Map(documents.map(({ id, text }) => [id, text]));
        if (given.some(({ id, text }) => text !== wholeOf.get(id))) cuts++;
        const { sentences, given: ids } = perfectOutput(benchmarkCase, given);
        expect(ids).toEqual(given.map(({ id }) => id));
        const now = Number(joint(given));
        expect(now).toBeGreaterThanOrEqual(before - 1e-9);
        before = now;
        // Each insight with every document whose shown text tells it whole, and no other.
        const expected = benchmarkCase.insights?.flatMap(({ id, text }) => {
          const telling = given.filter((document) =>
            benchmarkCase.passages?.some(
              (one) => one.document === document.id && one.insights?.[0] === id && document.text.length >= one.end,
            ),
          );
          return telling.length === 0 ? [] : [`${text} ${telling.map((document) => document.id).sort()}`];
        });
        expect(sentences.map(({ text, documents: cited }) => `${text} ${cited.toSorted()}`)).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
  expect(cuts).toBeGreaterThan(10);
});

test('without insights it says the key points of what is given, or else the answers', () => {
  const given = [{ id: 'a', text: 'One two three.' }];
  const about = { id: 'x', collection: 'c' };
  const questions = ['a', 'b'].map((document) => ({ question: 'Q?', answer: document, document, position: 0 }));
  const spans = [
    { document: 'a', start: 0, end: 7 },
    { document: 'b', start: 0, end: 3 },
  ];
  const keyPoints = [{ text: 'P', spans }, { text: 'Cut', spans: [{ ...spans[0], end: 99 }] }, { text: 'Placeless' }];
  expect(perfectOutput({ ...about, keyPoints, questions }, given).sentences).toEqual([
    { text: 'P', documents: ['a'], quote: spans[0] },
  ]);
  expect(perfectOutput({ ...about, questions }, given).sentences).toEqual([
    { text: 'Q? a', documents: ['a'], quote: null },
  ]);
});

test('a run scores a perfect system beside others, and asks no model for it', async () => {
  const perfect = { name: 'bound', perfect: true };
  const retrieval = [{ by: 'full' }, { by: 'oracle', budget: 30 }];
  const { sets, code, stderr } = await setsOf({
    systems: [{ ...perfect, retrieval }],
    sets: [{ files: ['hay.json'], limit: 2 }],
  });
  expect(code, stderr).toBe(0);
  const figures = figuresIn(sets[0]);
  expect(figures['sales: bound, full']).toMatchObject({ 'labelled.joint': 100, 'summhay.citation': 100 });
  expect(figures['trams: bound, full']).toMatchObject({ 'labelled.joint': 100, 'labelled.recall': 100 });
  expect(figures['sales: bound, oracle']['labelled.joint']).toBeLessThan(100);
  const odd = runSystems({ systems: [{ ...perfect, options: {} }], files: { 'hay.json': HAY } });
  await expect(odd).rejects.toThrow('/systems/0');
});
