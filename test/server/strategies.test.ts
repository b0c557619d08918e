import { describe, expect, test } from 'vitest';
import type { Digest, SelectionRequest } from '../../src/contract/index.ts';
import { MODEL_STRATEGIES, STRATEGY_NAMES, strategies } from '../../src/selection/index.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const request = (selection: SelectionRequest, summary: object = { format: 'bullets' }) => ({
  documents: CITY,
  intent: CITY_INTENT,
  selection,
  summary,
});

/** Answers round to four decimals. */
const ROUNDED = 1e-4;

describe.each(STRATEGY_NAMES.filter((name) => !MODEL_STRATEGIES.includes(name)))('%s', (strategy) => {
  const { sizes, isSequential, isSampled } = strategies[strategy];

  test('makes a digest whose receipt adds up', async () => {
    const { keyPoints, selection } = await digestOf(testApp(), request({ strategy }));
    expect(selection).toMatchObject({ strategy, preset: 'default', seed: 1 });
    const selected = keyPoints.filter((point) => point.selected).sort((a, b) => Number(a.rank) - Number(b.rank));
    if (isSequential) {
      const gains = selected.reduce((sum, { gain }) => sum + Number(gain), 0);
      if (selection.objective !== null)
        expect(Math.abs(gains - selection.objective)).toBeLessThan(ROUNDED * selected.length);
    } else {
      for (const { gain } of selected) expect(gain).toBeNull();
      const relevance = selected.map((point) => point.relevance);
      expect(relevance).toEqual([...relevance].sort((a, b) => Number(b) - Number(a)));
    }
    const reasons = new Set(keyPoints.map(({ reason }) => reason));
    expect(reasons.has('notDrawn')).toBe(isSampled && !isSequential);
    for (const { nearest, rank, reason } of keyPoints) {
      if (reason !== 'gate' && selected.length > 1) expect(nearest).not.toBeNull();
      if (nearest !== null) expect(selected.map(({ id }) => id)).toContain(nearest.id);
      expect(rank === null).toBe(reason !== null);
    }
    const marginals = keyPoints.flatMap(({ marginal }) => (marginal === null ? [] : [marginal]));
    if (isSampled && !isSequential && strategy !== 'k-dpp') {
      expect(marginals.every((p) => p >= -1e-12 && p <= 1)).toBe(true);
      const expected = marginals.reduce((sum, p) => sum + p, 0);
      expect(Math.abs(expected - Number(selection.expectedSize))).toBeLessThan(ROUNDED * marginals.length);
    } else expect(marginals).toEqual([]);
  });

  test('takes the sizes that it says it takes, and no other', async () => {
    const { post } = testApp();
    for (const [kind, size] of [
      ['keyPoints', { keyPoints: 2 }],
      ['words', { words: 40 }],
      ['auto', 'auto'],
    ] as const) {
      const response = await post('/v1/digests', request({ strategy, size }));
      const json = (await response.json()) as Digest & { errors: { pointer: string }[] };
      expect(response.status, JSON.stringify(json.errors)).toBe(sizes.includes(kind) ? 201 : 422);
      if (response.status === 422) expect(json.errors[0].pointer).toBe('/selection/size');
      else {
        expect(json.selection.size).toEqual(size);
        if (kind === 'keyPoints') expect(json.keyPoints.filter(({ selected }) => selected)).toHaveLength(2);
      }
    }
  });
});

test('the seed decides what is drawn, and nothing else does', async () => {
  const drawn = async (seed: number) => {
    const { keyPoints } = await digestOf(testApp(), request({ strategy: 'dpp-sample', seed }));
    return keyPoints.filter(({ selected }) => selected).map(({ id }) => id);
  };
  const sets = await Promise.all([1, 1, 2, 3, 4, 2 ** 40 + 1].map(drawn));
  expect(sets[0]).toEqual(sets[1]);
  expect(new Set(sets.map((set) => set.join())).size).toBeGreaterThan(2);
});

describe('the published preset', () => {
  test('is the selection of the paper', async () => {
    const { selection, keyPoints } = await digestOf(testApp(), request({ preset: 'published' }));
    expect(selection).toMatchObject({
      preset: 'published',
      strategy: 'dpp-sample',
      size: null,
      kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 1, idf: 0 },
      relevance: { form: 'score', gate: null, surroundings: 0, estimate: false, facets: [CITY_INTENT] },
      salience: { weight: 0 },
      coverage: { weight: 0 },
      sources: { weight: 0 },
      support: { threshold: null },
      background: { weight: 0 },
      gate: { dropped: 0 },
      stoppedBy: 'draw',
    });
    expect(keyPoints.some(({ supports }) => supports !== null)).toBe(false);
  });

  test('leaves the reliability of documents out', async () => {
    const heavy = CITY.map((document, i) => ({ ...document, weight: i === 0 ? 100 : 1 }));
    const one = await digestOf(testApp(), request({ preset: 'published' }));
    const other = await digestOf(testApp(), { ...request({ preset: 'published' }), documents: heavy });
    expect(other.selection.expectedSize).toBe(one.selection.expectedSize);
  });

  test('gives way to explicit fields', async () => {
    const { selection } = await digestOf(
      testApp(),
      request({ preset: 'published', strategy: 'dpp-map', size: { keyPoints: 3 }, kernel: { sigma: 0.1 } }),
    );
    expect(selection).toMatchObject({
      strategy: 'dpp-map',
      size: { keyPoints: 3 },
      kernel: { sigma: 0.1, idf: 0 },
      relevance: { form: 'score' },
    });
  });
});

test('an exact search that may spend nothing says how far off it can be', async () => {
  const { selection } = await digestOf(
    testApp(),
    request({ strategy: 'dpp-map-exact', size: { keyPoints: 6 }, exact: { nodes: 1 }, coverage: { weight: 0 } }),
  );
  expect(selection.proven).toBe(selection.gap === 0);
  expect(selection.stoppedBy).toBe(selection.proven ? 'size' : 'budget');
});

test('more by a k-DPP than the kernel has dimensions is refused, an automatic size is not', async () => {
  const { post } = testApp();
  const response = await post('/v1/digests', request({ strategy: 'k-dpp', size: { keyPoints: 999 } }));
  expect(response.status).toBe(422);
  const { errors } = (await response.json()) as { errors: { pointer: string }[] };
  expect(errors[0].pointer).toBe('/selection/size');
  await digestOf(testApp(), request({ strategy: 'k-dpp', size: 'auto' }));
});
