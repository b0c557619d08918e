import { describe, expect, test } from 'vitest';
import { UnusableOptionError } from '../../../src/digest/index.ts';
import type { BenchmarkCase } from '../../../src/lab/benchmark-set.ts';
import {
  NotRetrievableError,
  type Retrieval,
  type Retriever,
  retrievalSchema,
} from '../../../src/lab/retrieval/retrieval.ts';
import { retrieve } from '../../../src/lab/retrieval/retrieve.ts';
import type { Reranker } from '../../../src/models/index.ts';
import { sentences } from '../../../src/text/index.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';
import { anyTexts, caseOf, collectionOf } from './samples.ts';

const reranker: Reranker = {
  profile: { id: 'rerank/test', languages: null, matched: 0.1 },
  score: async (_, texts) => Float64Array.from(texts, (text) => text.split('mill').length),
};
const known: Partial<BenchmarkCase> = { insights: [{ id: 'i', text: 'x', documents: ['d0', 'd2'] }] };
const RANKERS: readonly Retriever[] = ['random', 'keywords', 'bm25', 'embedding', 'reranker', 'oracle'];
const anyRanker = fc.constantFrom(...RANKERS);

function forTenant(rerankers: Readonly<Record<string, Reranker>> = { reader: reranker }) {
  return testDeps({ engine: new InProcessEngine({}, rerankers) });
}

const bytesOf = (texts: readonly { readonly text: string }[]) =>
  texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

describe('the budget', () => {
  test('is never exceeded, and used up to a sentence', async () => {
    const deps = forTenant();
    await fc.assert(
      fc.asyncProperty(anyTexts, anyRanker, fc.integer({ min: 1, max: 120 }), async (texts, by, budget) => {
        const collection = collectionOf(texts);
        const found = await retrieve(collection, caseOf(known), { by, budget, order: 'ranked' }, deps);
        expect(bytesOf(found)).toBeLessThanOrEqual(4 * budget);
        // A second way: down the ranking, sentence by sentence.
        const ranked = await retrieve(collection, caseOf(known), { by, order: 'ranked' }, deps);
        const whole = ranked.map(({ text }) => text);
        const count = whole.findIndex((_, n) => bytesOf(whole.slice(0, n + 1).map((text) => ({ text }))) > 4 * budget);
        const expected = count === -1 ? whole : whole.slice(0, count);
        if (count !== -1) {
          const left = 4 * budget - bytesOf(expected.map((text) => ({ text })));
          const ends = sentences(whole[count]).map(({ end }) => whole[count].slice(0, end));
          const beginning = ends.filter((text) => Buffer.byteLength(text) <= left).at(-1);
          if (beginning !== undefined) expected.push(beginning);
        }
        expect(found.map(({ text }) => text)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('cuts a document between sentences, or leaves it out', async () => {
    const collection = collectionOf(['The river rose. The fox ran. The mill stood.', 'A dog.']);
    const by = (budget: number) => retrieve(collection, caseOf(), { by: 'bm25', budget }, forTenant());
    expect(await by(8)).toEqual([{ id: 'd0', text: 'The river rose. The fox ran.' }]);
    expect(await by(3)).toEqual([]);
  });
});

describe('what is taken', () => {
  test('does not depend on the order of the collection', async () => {
    const deps = forTenant();
    const anyCase = fc.tuple(anyTexts, anyRanker, fc.integer({ min: 1, max: 100 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(anyCase, async ([texts, by, budget, turn]) => {
        const collection = collectionOf(texts);
        const { documents } = collection;
        const turned = {
          ...collection,
          documents: [...documents, ...documents].splice(turn % documents.length, documents.length),
        };
        const options: Retrieval = { by, budget, order: 'ranked', seed: turn };
        const found = await retrieve(collection, caseOf(known), options, deps);
        expect(await retrieve(turned, caseOf(known), options, deps)).toEqual(found);
      }),
      { numRuns: 60 },
    );
  });

  test('at random is another set for another case or seed, and any document as often as the others', async () => {
    const collection = collectionOf(Array.from({ length: 8 }, (_, i) => `Text ${i}.`));
    const deps = forTenant();
    const first = async (id: string, seed: number) =>
      (await retrieve(collection, caseOf({ id }), { by: 'random', seed, order: 'ranked' }, deps))[0].id;
    expect(await first('x', 5)).toBe(await first('x', 5));
    for (const draw of [(i: number) => first(`case ${i}`, 1), (i: number) => first('x', i)]) {
      const counts = new Map<string, number>();
      for (let i = 0; i < 400; i++) {
        const document = await draw(i);
        counts.set(document, (counts.get(document) ?? 0) + 1);
      }
      // Chi-squared of 7 degrees of freedom exceeds 29.9 once in 10,000 times.
      const spread = [...counts.values()].reduce((sum, count) => sum + (count - 50) ** 2 / 50, 0);
      expect([counts.size, spread < 29.9]).toEqual([8, true]);
    }
  });

  test('by the oracle is what matters, the most first', async () => {
    const insights = [
      { id: 'i', text: 'x', documents: ['d1', 'd3'] },
      { id: 'j', text: 'y', documents: ['d3'] },
    ];
    const collection = collectionOf(['One.', 'Two.', 'Three.', 'Four.']);
    const unasked = caseOf({ insights, intent: undefined });
    const [first, second] = await retrieve(collection, unasked, { by: 'oracle', order: 'ranked' }, forTenant());
    expect([first.id, second.id]).toEqual(['d3', 'd1']);
  });
});

describe('the order', () => {
  const collection = collectionOf(['One mill.', 'The fox.', 'The river and the fox.', 'Two mills.', 'A river fox.']);
  const insights = [
    { id: 'i', text: 'x', documents: ['d1', 'd4'] },
    { id: 'j', text: 'y', documents: ['d4'] },
  ];
  const ids = async (order: Retrieval['order'], by: Retriever = 'keywords', seed = 1) =>
    (await retrieve(collection, caseOf({ insights }), { by, order, seed }, forTenant())).map(({ id }) => id);

  test('is that of the collection, or that of the ranking', async () => {
    expect(await ids(undefined)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
    const ranked = await ids('ranked');
    expect([new Set(ranked.slice(0, 2)), ranked[2]]).toEqual([new Set(['d2', 'd4']), 'd1']);
  });

  test('puts what matters first or last', async () => {
    expect(await ids('top', 'full')).toEqual(['d4', 'd1', 'd0', 'd2', 'd3']);
    expect(await ids('bottom')).toEqual(['d0', 'd2', 'd3', 'd1', 'd4']);
  });

  test('at random is decided by the seed', async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, (_, seed) => ids('random', 'full', seed)));
    expect(await ids('random', 'full', 3)).toEqual(orders[3]);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(7);
    expect(new Set(orders.map((order) => [...order].sort().join()))).toEqual(new Set(['d0,d1,d2,d3,d4']));
  });
});

describe('what cannot be had', () => {
  const collection = collectionOf(['One.', 'Two.']);
  const failure = (retrieval: Retrieval, fields: Partial<BenchmarkCase>, deps = forTenant()) =>
    retrieve(collection, caseOf(fields), retrieval, deps).then(
      () => null,
      (error: unknown) => error,
    );

  test.each(['keywords', 'bm25', 'embedding', 'reranker'] as const)('%s without an intent', async (by) => {
    const error = await failure({ by }, { intent: undefined });
    expect(error).toBeInstanceOf(NotRetrievableError);
    expect(error).toMatchObject({ code: 'not-retrievable', message: expect.stringContaining('case "one"') });
    expect(String(error)).toContain(`retrieval by "${by}" does not know what to look for`);
    expect(String(await failure({ by }, { intent: '… ?' }))).toContain('an intent without a word');
  });

  test('what only an oracle knows, where nothing is known', async () => {
    expect(await failure({ by: 'oracle' }, {})).toBeInstanceOf(NotRetrievableError);
    expect(await failure({ by: 'full', order: 'bottom' }, {})).toBeInstanceOf(NotRetrievableError);
    expect(await failure({ by: 'full', order: 'given' }, {})).toBeNull();
  });

  test.each<[Retrieval, Readonly<Record<string, Reranker>>, string, RegExp]>([
    [{ by: 'embedding', name: 'none' }, {}, '/name', /no encoder "none"; available: "hashed-words"/],
    [{ by: 'reranker' }, {}, '/name', /available: none: TESSERA_ENCODERS/],
    [{ by: 'reranker', name: 'c' }, { a: reranker, b: reranker }, '/name', /available: a, b/],
    [{ by: 'reranker' }, { a: reranker, b: reranker }, '/name', /available: a, b/],
  ])('%j', async (retrieval, rerankers, pointer, message) => {
    const error = await failure(retrieval, known, forTenant(rerankers));
    expect(error).toBeInstanceOf(UnusableOptionError);
    expect(error).toMatchObject({ pointer, message: expect.stringMatching(message) });
  });

  test.each([
    [{ by: 'bm25', name: 'hashed-words' }, 'name', 'uses neither'],
    [{ by: 'full', order: 'ranked' }, 'order', 'ranks nothing'],
  ])('%j is no retrieval', (retrieval, field, message) => {
    expect(retrievalSchema.safeParse(retrieval).error?.issues).toMatchObject([
      { path: [field], message: expect.stringContaining(message) },
    ]);
  });
});
