import { describe, expect, test } from 'vitest';
import {
  DEFAULT_KEY_POINTS,
  DEFAULT_MAX_WORDS,
  type Digest,
  digestSchema,
  type SelectionRequest,
} from '../../../src/contract/index.ts';
import { LEVEL } from '../../../src/selection/index.ts';
import { digestOf } from '../../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { expectSound } from '../../support/promises.ts';
import { testApp } from '../../support/test-deps.ts';

test('answers 201 with the digest and where it can be read again', async () => {
  const { app, post } = testApp();
  const made = await post('/v1/digests', { documents: CITY, intent: CITY_INTENT });
  expect(made.status).toBe(201);
  expect(made.headers.get('content-type')).toBe('application/json');
  const body = await made.json();
  const digest = digestSchema.parse(body);
  expect(digest).toEqual(body);
  expectSound(digest as Parameters<typeof expectSound>[0], CITY);
  expect(digest.id).toMatch(/^dig_[0-9a-f]{32}$/);
  expect(made.headers.get('location')).toBe(`/v1/digests/${digest.id}`);

  const read = await app.request(`/v1/digests/${digest.id}`);
  expect(read.status).toBe(200);
  expect(await read.json()).toEqual(body);
});

test('reports by default, with the defaults filled in and the engine named', async () => {
  const digest = await digestOf(testApp(), { documents: CITY, intent: CITY_INTENT });
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

describe('a brief', () => {
  const brief = (selection: SelectionRequest, summary: object = {}) =>
    digestOf(testApp(), { documents: CITY, intent: CITY_INTENT, selection, summary: { format: 'brief', ...summary } });
  const told = ({ summary }: Digest) => summary.sentences.filter(({ framing }) => !framing);
  const selectedIn = ({ keyPoints }: Digest) => keyPoints.filter(({ selected }) => selected);

  test.each<readonly [string, SelectionRequest]>([
    ['a size by number', { size: { keyPoints: 9 } }],
    ['a size in words', { size: { words: 300 } }],
    ['every point', { strategy: 'all' }],
    ['a draw', { strategy: 'k-dpp', size: { keyPoints: 8 } }],
  ])('tells three of %s', async (_, selection) => {
    const digest = await brief({ ...selection, relevance: { gate: null } }, { maxWords: null });
    expectSound(digest, CITY);
    expect(selectedIn(digest)).toHaveLength(3);
    expect(told(digest).length).toBeLessThanOrEqual(3);
    const whole = await digestOf(testApp(), {
      documents: CITY,
      intent: CITY_INTENT,
      selection: { ...selection, relevance: { gate: null } },
      summary: { format: 'bullets' },
    });
    const best = selectedIn(whole)
      .sort((a, b) => Number(a.rank) - Number(b.rank))
      .map(({ id }) => id);
    expect(new Set(selectedIn(digest).map(({ id }) => id))).toEqual(new Set(best.slice(0, 3)));
    const reasons = digest.keyPoints.filter(({ id }) => best.slice(3).includes(id)).map(({ reason }) => reason);
    expect(reasons.every((reason) => reason === 'size' || reason === 'supports')).toBe(true);
  });
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

test.each([
  { selection: { strategy: 'relevance' as const } },
  { selection: { kernel: { similarity: 'cosine' as const } } },
  { selection: { kernel: { form: 'linear' as const } } },
  { selection: { kernel: { sigma: 0.1, idf: 0 } } },
  { selection: { relevance: { form: 'score' as const, weight: 0.9, surroundings: 0, facets: false } } },
  { selection: { relevance: { gate: null } } },
  { selection: { relevance: { gate: 1 } } },
  { selection: { relevance: { encoder: 'hashed-words' } } },
  { selection: { salience: { weight: 2, threshold: 0.1 } } },
  { selection: { coverage: { weight: 0 } } },
  { selection: { coverage: { weight: 5, threshold: { percentile: 95 } } } },
  { selection: { support: { threshold: null } } },
  { selection: { size: { words: 60 } } },
  { selection: { size: 'auto' as const } },
  { selection: { seed: 7 } },
  { selection: { background: { weight: 0 } } },
  { summary: { maxWords: 40 } },
  { summary: { maxWords: null } },
  { summary: { format: 'bullets' as const, maxWords: 1 } },
  { engine: { extractor: 'sentences' as const, encoder: 'hashed-words', writer: 'compose' as const } },
])('with %j', async (options) => {
  const digest = await digestOf(testApp(), { documents: CITY, intent: CITY_INTENT, ...options });
  expect(digest.keyPoints.length).toBeGreaterThan(20);
  if (!('summary' in options) || options.summary.maxWords !== 1) expect(digest.sources.length).toBeGreaterThan(0);
});

test.each([30, 60, 120])('a report of at most %i words', async (maxWords) => {
  const digest = await digestOf(testApp(), {
    documents: CITY,
    intent: CITY_INTENT,
    selection: { size: { keyPoints: 12 } },
    summary: { maxWords },
  });
  expect(digest.metrics.words).toBeLessThanOrEqual(maxWords);
  expect(digest.keyPoints.some(({ selected }) => selected)).toBe(true);
  expect(digest.keyPoints.filter(({ reason }) => reason === 'words').length).toBeGreaterThan(0);
});
