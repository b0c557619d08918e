import { describe, expect, test } from 'vitest';
import type { SelectionRequest } from '../../src/contract/index.ts';
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
  const { isSequential, isSampled } = strategies[strategy];

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
});
