import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { selectionRequestSchema } from '../../src/contract/selection-options.ts';
import { resolveSelection } from '../../src/digest/select/selection-options.ts';
import { differences, differencesSentence } from '../../src/page/map/differences.ts';
import { latestOnly } from '../../src/page/map/latest-only.ts';
import type { Standing } from '../../src/page/map/map-point.ts';
import { ownPicks, ownPicture, pictureOf } from '../../src/page/map/picture.ts';
import { makeScene } from '../../src/page/map/scene.ts';
import { changedRequest, isChanged, selectionRequest } from '../../src/page/map/selection-request.ts';
import { sortPoints } from '../../src/page/map/sort-points.ts';
import { STRATEGY_NAMES, strategies } from '../../src/selection/index.ts';
import { sameSelection } from '../support/same-selection.ts';
import { digestOf } from './map-digest.ts';

describe('the request of a digest’s own options', () => {
  const { selection } = digestOf();

  test('is taken by the service, and resolves to what the digest was made by', () => {
    const request = selectionRequest(selection);
    expect(selectionRequestSchema.parse(request)).toEqual(request);
    expect(request).toEqual(sameSelection({ selection }));
    const { options, ...resolved } = resolveSelection(request, {
      gate: 0.9,
      surroundings: 0.9,
      coverageWeight: 7,
      sourcesWeight: 7,
      size: { keyPoints: 7 },
      refine: !selection.refine,
      similarities: ['bertscore', 'cosine'],
      calibration: null,
    });
    const { strategy, size, seed, salience, mmr, exact, refine } = selection;
    expect(options).toMatchObject({ strategy, size, seed, salience, mmr, exact, refine });
    expect(options.kernel).toEqual(selection.kernel);
    expect(options.coverage).toEqual(selection.coverage);
    expect(options.sources).toEqual(selection.sources);
    expect(options.support.threshold).toBe(selection.support.threshold);
    expect(options.relevance).toEqual({ form: 'exponential', weight: 0.62 });
    expect(resolved).toMatchObject({ preset: 'default', gate: 0.4, surroundings: 0.3 });
  });

  test('leaves out what is not known, and keeps what is switched off', () => {
    const request = selectionRequest({
      ...selection,
      size: null,
      kernel: { ...selection.kernel, sigma: null },
      coverage: { weight: 0, threshold: null },
      support: { ...selection.support, threshold: null },
      relevance: { ...selection.relevance, gate: null },
    });
    expect(selectionRequestSchema.parse(request)).toEqual(request);
    expect(request).not.toHaveProperty('size');
    expect(request.kernel).not.toHaveProperty('sigma');
    expect(request.coverage).toEqual({ weight: 0 });
    expect(request.support).toEqual({ threshold: null });
    expect(request.relevance?.gate).toBeNull();
  });

  test('takes changes on top, and nothing else', () => {
    expect(changedRequest(selection, {}, 3)).toEqual(selectionRequest(selection));
    const changed = changedRequest(selection, { weight: 0.9, sigma: 'median', keyPoints: 5, seed: 4 }, 3);
    expect(changed).toEqual({
      ...selectionRequest(selection),
      size: { keyPoints: 5 },
      seed: 4,
      kernel: { ...selectionRequest(selection).kernel, sigma: 'median' },
      relevance: { ...selectionRequest(selection).relevance, weight: 0.9 },
    });
  });

  test('has a size that the strategy takes, whatever the digest’s own is', () => {
    for (const size of [{ keyPoints: 4 }, { words: 90 }, 'auto', null] as const) {
      for (const name of STRATEGY_NAMES) {
        const request = changedRequest({ ...selection, size }, { strategy: name }, 3);
        const kind =
          request.size === undefined ? 'none' : request.size === 'auto' ? 'auto' : Object.keys(request.size)[0];
        expect(strategies[name].sizes, `${name} of ${JSON.stringify(size)}`).toContain(kind);
      }
    }
    expect(changedRequest({ ...selection, size: { words: 90 } }, { strategy: 'k-dpp' }, 3).size).toEqual({
      keyPoints: 3,
    });
  });

  test('is changed by what is there alone', () => {
    expect([isChanged({}), isChanged({ strategy: undefined }), isChanged({ weight: 0 })]).toEqual([false, false, true]);
  });
});

describe('differences', () => {
  test('tell what came, what went and what stayed', () => {
    const found = differences(new Set(['a', 'b', 'c']), ['c', 'd']);
    expect(found).toEqual({ added: new Set(['d']), gone: new Set(['a', 'b']), kept: 1 });
    expect(differencesSentence(found)).toBe('Against the digest: 1 added, 2 gone, 1 as before.');
    expect(differencesSentence(differences(new Set(['a']), ['a']))).toBe('The same key points as in the digest.');
  });
});

describe('pictures', () => {
  test('the digest’s own is its receipt; points without relevance have no place', () => {
    const digest = digestOf();
    const { standings, picks } = ownPicture(digest);
    expect(standings).toHaveLength(5);
    expect(picks).toEqual([2, 0]);
    expect(ownPicks(digest)).toEqual(new Set(['c', 'a', 'd']));
  });

  test('where words end the selection, what was not picked is not taken for picked', () => {
    const digest = digestOf();
    const selection = { ...digest.selection, stoppedBy: 'words' as const };
    expect(ownPicks({ ...digest, selection })).toEqual(new Set(['c', 'a']));
  });

  test('another is that of the answer; who joined supports the nearest', () => {
    const item = { relevance: 0.5, salience: null, gain: null, marginal: null, reason: null };
    const near = { index: 0, id: 'a', similarity: 0.7 };
    const { standings, picks } = pictureOf({
      items: [
        { ...item, index: 0, id: 'a', selected: true, rank: 1, nearest: null },
        { ...item, index: 1, id: 'b', selected: false, rank: null, nearest: near, reason: 'supports' },
        { ...item, index: 2, id: 'c', selected: false, rank: null, nearest: near, reason: 'size' },
      ],
      gate: { kept: 3, dropped: 0 },
      warnings: [],
    });
    expect(picks).toEqual([0]);
    expect(standings.map(({ supports }) => supports)).toEqual([null, 'a', null]);
  });

  test('what is drawn: lines of those that joined, gated ones below, what came and went', () => {
    const digest = digestOf();
    const points = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...POINT, id }));
    const own = ownPicture(digest);
    const scene = makeScene(points, own, null);
    expect(scene.joins).toEqual([[1, 0]]);
    expect(scene.order).toEqual([4, 3, 1]);
    expect(scene.labels).toEqual(['1', '2']);
    expect(scene.gone).toEqual([]);
    expect(scene.nearest[1]).toBe(0);
    const against = makeScene(points, own, new Set(['c', 'd']));
    expect(against.labels).toEqual(['1', '+2']);
    expect(against.gone).toEqual([3]);
    expect(against.order).toEqual([4, 1]);
  });
});

const POINT = {
  id: 'a',
  document: 'd1',
  title: 'First',
  text: 'Trams run late.',
  speaker: null,
  quote: 'Trams run late.',
};

test('lists are in the order that is asked for, and hold what is sought', () => {
  const { standings } = ownPicture(digestOf());
  const points = ['d2', 'd1', 'd2', 'd3', 'd1'].map((document, i) => ({
    ...POINT,
    id: String(i),
    document,
    text: `Number ${i}`,
  }));
  const all = [0, 1, 2, 3, 4];
  expect(sortPoints(all, points, standings, 'rank', '')).toEqual([2, 0, 1, 3, 4]);
  expect(sortPoints(all, points, standings, 'relevance', '')).toEqual([2, 0, 1, 3, 4]);
  expect(sortPoints(all, points, standings, 'document', '')).toEqual([0, 2, 1, 4, 3]);
  expect(sortPoints(all, points, standings, 'rank', ' NUMBER 3')).toEqual([3]);
  expect(sortPoints([1, 4], points, standings satisfies readonly Standing[], 'rank', 'd1')).toEqual([1, 4]);
});

describe('the latest wish only', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Carries wishes out for 100 ms each. */
  function slow() {
    const begun: number[] = [];
    const ended: number[] = [];
    const latest = latestOnly<number>(10, async (wish, signal) => {
      begun.push(wish);
      await new Promise((done) => setTimeout(done, 100));
      if (!signal.aborted) ended.push(wish);
      if (wish === 13) throw new Error('failed');
    });
    return { begun, ended, latest };
  }

  test('while one is under way the latest waits, and those between are dropped', async () => {
    const { begun, ended, latest } = slow();
    for (const wish of [1, 2, 3]) latest.want(wish);
    await vi.advanceTimersByTimeAsync(50);
    expect(begun).toEqual([3]);
    for (const wish of [4, 5, 6]) latest.want(wish);
    await vi.advanceTimersByTimeAsync(300);
    expect(begun).toEqual([3, 6]);
    expect(ended).toEqual([3, 6]);
  });

  test('a wish that never rests is carried out all the same, and one that fails stops none', async () => {
    const { begun, latest } = slow();
    for (let wish = 10; wish < 40; wish++) {
      latest.want(wish);
      await vi.advanceTimersByTimeAsync(8);
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(begun.length).toBeGreaterThan(2);
    expect(begun.at(-1)).toBe(39);
  });

  test('stopping gives up what is under way and what waits', async () => {
    const { begun, ended, latest } = slow();
    latest.want(1);
    await vi.advanceTimersByTimeAsync(50);
    latest.want(2);
    latest.stop();
    await vi.advanceTimersByTimeAsync(300);
    expect({ begun, ended }).toEqual({ begun: [1], ended: [] });
    latest.want(3);
    await vi.advanceTimersByTimeAsync(300);
    expect(ended).toEqual([3]);
  });
});
