import { expect, test } from 'vitest';
import { DEFAULT_KEY_POINTS, DEFAULT_MAX_WORDS } from '../../../src/contract/index.ts';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import { LEVEL } from '../../../src/selection/index.ts';
import { digestOf } from '../../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { testApp } from '../../support/test-deps.ts';

const CITY_REQUEST = { documents: CITY, intent: CITY_INTENT };

test('reports by default, with the defaults filled in and the engine named', async () => {
  const digest = await digestOf(testApp(), CITY_REQUEST);
  expect(digest.status).toBe('completed');
  expect(digest.selection).toMatchObject({
    strategy: 'dpp-map',
    size: 'auto',
    kernel: { similarity: 'bertscore', form: 'gaussian', idf: expect.any(Number) },
    relevance: { gate: expect.any(Number), facets: [CITY_INTENT], encoder: 'hashed-words/1' },
  });
  expect(digest.engine).toMatchObject({ encoder: 'hashed-words/1', matrix: 'portable', writer: 'compose' });
  expect(digest.metrics.words).toBeLessThanOrEqual(DEFAULT_MAX_WORDS.report);
  const chosen = digest.keyPoints.filter(({ selected }) => selected);
  expect(chosen.length).toBeGreaterThan(0);
  expect(chosen.length).toBeLessThanOrEqual(DEFAULT_KEY_POINTS);
  const least = Math.min(...chosen.map(({ probability }) => probability ?? 0));
  expect(least).toBeGreaterThanOrEqual(LEVEL.absolute);
  const below = digest.keyPoints.filter(({ reason }) => reason === 'level');
  expect(below.length).toBeGreaterThan(0);
  expect(digest.intent).toEqual({ answered: 'yes', facets: [{ text: CITY_INTENT, answered: true }], nearest: [] });
  expect(digest.summary.sentences[0].framing).toBe(false);
  const { kept, dropped } = digest.selection.gate;
  expect(kept + dropped).toBe(digest.keyPoints.length);
  expect(digest.keyPoints.filter(({ reason }) => reason === 'gate')).toHaveLength(dropped);
});

test('every key point is selected with a rank, or says why it is not', async () => {
  const { keyPoints } = await digestOf(testApp(), {
    documents: CITY,
    intent: CITY_INTENT,
    selection: { size: { keyPoints: 5 } },
  });
  const selected = keyPoints.filter((point) => point.selected);
  expect(selected.map(({ rank }) => rank).sort()).toEqual([1, 2, 3, 4, 5]);
  for (const { selected, rank, reason, supports, salience } of keyPoints) {
    expect(selected).toBe(rank !== null);
    expect(selected).toBe(reason === null);
    expect(reason === 'supports').toBe(supports !== null);
    expect(reason === 'gate').toBe(salience === null);
  }
  expect(new Set(keyPoints.map(({ id }) => id)).size).toBe(keyPoints.length);
});

test('a sentence that two documents hold is cited with both (P4)', async () => {
  const { summary, sources } = await digestOf(testApp(), {
    documents: CITY,
    intent: 'Where does the revenue from the congestion charge go?',
    selection: { size: { keyPoints: 12 } },
  });
  const shared = summary.sentences.find(({ text }) => text.includes('goes to the tram network'));
  const cited = shared?.citations.map(({ document }) => document);
  expect(cited?.sort()).toEqual(['council', 'tram']);
  const numbers = sources.filter(({ document }) => cited?.includes(document)).map(({ number }) => `[${number}]`);
  expect(summary.text).toContain(`goes to the tram network. ${numbers.join('')}`);
});

test.each<Partial<ResolvedRequest>>([
  { selection: { kernel: { similarity: 'cosine' } } },
  { selection: { kernel: { form: 'linear', sigma: 0.1, idf: 0 } } },
  { selection: { relevance: { form: 'score', weight: 0.9, surroundings: 0, facets: false } } },
  { selection: { relevance: { gate: null } } },
  { selection: { salience: { weight: 2, threshold: 0.1 }, coverage: { weight: 0 } } },
  { selection: { coverage: { weight: 5, threshold: { percentile: 95 } } } },
  { selection: { support: { threshold: null }, size: { words: 60 } } },
  { selection: { size: { keyPoints: 12 } }, summary: { maxWords: 30 } },
  { selection: { size: { keyPoints: 9 } }, summary: { format: 'brief', maxWords: null } },
  { selection: { strategy: 'all', relevance: { gate: null } }, summary: { format: 'brief' } },
  { summary: { format: 'bullets', maxWords: 1 } },
  { engine: { extractor: 'sentences', encoder: 'hashed-words', writer: 'compose' } },
])('with %j', async (options) => {
  const { keyPoints, metrics, summary, sources } = await digestOf(testApp(), { ...CITY_REQUEST, ...options });
  expect(keyPoints.length).toBeGreaterThan(20);
  const { format, maxWords = 250 } = options.summary ?? {};
  if (maxWords !== 1) expect(sources.length).toBeGreaterThan(0);
  if (maxWords !== 1) expect(metrics.words).toBeLessThanOrEqual(maxWords ?? Number.POSITIVE_INFINITY);
  if (format === 'brief') expect(summary.sentences.filter(({ framing }) => !framing).length).toBeLessThanOrEqual(3);
});
