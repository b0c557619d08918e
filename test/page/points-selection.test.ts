import { describe, expect, test } from 'vitest';
import { REASONS } from '../../src/contract/digest.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { selectionRequestSchema } from '../../src/contract/selection-options.ts';
import { resolveSelection } from '../../src/digest/options.ts';
import { sortPoints } from '../../src/page/points/point-list.tsx';
import {
  differences,
  type ListedPoint,
  listedPoints,
  ownPicks,
  picksOf,
  reselected,
  statusOf,
} from '../../src/page/points/points.ts';
import { changedRequest, selectionRequest } from '../../src/page/points/reselection.ts';
import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';
import { STRATEGY_NAMES, strategies } from '../../src/selection/index.ts';
import { sameSelection } from '../support/same-selection.ts';

const KEY_POINT: StoredDigest['digest']['keyPoints'][number] = {
  ...DIGEST.keyPoints[0],
  selected: false,
  rank: null,
  supports: null,
  nearest: null,
  reason: null,
};

/** A digest of five key points and one without a quote: two selected, one joined, one let go for its words, one gated. */
function digestOf(): StoredDigest['digest'] {
  const { selection } = DIGEST;
  return {
    ...DIGEST,
    keyPoints: [
      { ...KEY_POINT, id: 'a', selected: true, rank: 2, relevance: 0.8 },
      {
        ...KEY_POINT,
        id: 'b',
        relevance: 0.7,
        supports: 'a',
        nearest: { id: 'a', similarity: 0.9 },
        reason: 'supports',
      },
      { ...KEY_POINT, id: 'c', selected: true, rank: 1, relevance: 0.9 },
      { ...KEY_POINT, id: 'd', relevance: 0.6, reason: 'words' },
      { ...KEY_POINT, id: 'e', relevance: 0.1, reason: 'gate' },
      { ...KEY_POINT, id: 'f', relevance: null, reason: 'unverified' },
    ],
    selection: {
      ...selection,
      size: { keyPoints: 3 },
      kernel: { ...selection.kernel, sigma: 0.31234567890123 },
      relevance: { ...selection.relevance, weight: 0.62, gate: 0.4, surroundings: 0.3 },
      stoppedBy: 'size',
    },
  };
}

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
    const { strategy, size, seed, salience, kernel, coverage, sources, mmr, exact, refine } = selection;
    expect(options).toMatchObject({ strategy, size, seed, salience, kernel, coverage, sources, mmr, exact, refine });
    expect(resolved).toMatchObject({ preset: 'default', gate: 0.4, surroundings: 0.3 });
  });

  test('takes changes on top, and nothing else but what the strategy does not use', () => {
    const { seed: _, ...own } = selectionRequest(selection);
    expect(changedRequest(selection, {}, 3)).toEqual(own);
    const changes = { 'selection.strategy': 'k-dpp', 'selection.relevance.weight': 0.9, 'selection.seed': 4 };
    const relevance = { ...own.relevance, weight: 0.9 };
    expect(changedRequest(selection, changes, 3)).toEqual({ ...own, strategy: 'k-dpp', relevance, seed: 4 });
    expect(changedRequest(selection, { 'selection.size': { keyPoints: 5 } }, 3).size).toEqual({ keyPoints: 5 });
  });

  test('has a size that the strategy takes, whatever the digest’s own is', () => {
    expect(changedRequest({ ...selection, size: null }, {}, 3).size).toEqual({ keyPoints: 3 });
    for (const size of [{ keyPoints: 4 }, { words: 90 }, 'auto', null] as const) {
      for (const name of STRATEGY_NAMES) {
        const request = changedRequest({ ...selection, size }, { 'selection.strategy': name }, 3);
        const kind =
          request.size === undefined ? 'none' : request.size === 'auto' ? 'auto' : Object.keys(request.size)[0];
        expect(strategies[name].sizes, `${name} of ${JSON.stringify(size)}`).toContain(kind);
      }
    }
  });
});

const REQUEST: StoredDigest['request'] = {
  digest: DIGEST.id,
  createdAt: '',
  intent: null,
  collection: null,
  documents: [],
  selection: null,
  summary: null,
  engine: null,
  experiment: null,
};
const points = listedPoints({ digest: digestOf(), request: REQUEST });
const idsOf = (listed: readonly ListedPoint[]) => listed.map(({ id }) => id).join('');

test('differences are what came, what went and what stayed', () => {
  const picks = (...ids: readonly string[]) => points.map((point) => ({ ...point, selected: ids.includes(point.id) }));
  expect(differences(new Set(['a', 'b', 'c']), picks('c', 'd'))).toEqual({
    added: new Set(['d']),
    gone: new Set(['a', 'b']),
    sentence: 'Against the digest: 1 added, 2 gone, 1 as before.',
  });
  expect(differences(new Set(['a']), picks('a')).sentence).toBe('The same key points as in the digest.');
});

describe('the points of a digest', () => {
  test('are those of the digest by its receipt; points without relevance have no place', () => {
    expect(idsOf(points)).toBe('abcde');
    expect(idsOf(picksOf(points))).toBe('ca');
    expect(ownPicks(points, { stoppedBy: 'size' })).toEqual(new Set(['c', 'a', 'd']));
    // Where words end the selection, what was not picked is not taken for picked.
    expect(ownPicks(points, { stoppedBy: 'words' })).toEqual(new Set(['c', 'a']));
  });

  test('stand in another selection as it answers; who joined supports the nearest', () => {
    const item = { relevance: 0.5, salience: null, gain: null, marginal: null, reason: null };
    const near = { index: 0, id: 'a', similarity: 0.7 };
    const moved = reselected(points.slice(0, 3), {
      items: [
        { ...item, index: 0, id: 'a', selected: true, rank: 1, nearest: null },
        { ...item, index: 1, id: 'b', selected: false, rank: null, nearest: near, reason: 'supports' },
        { ...item, index: 2, id: 'c', selected: false, rank: null, nearest: near, reason: 'size' },
      ],
    });
    expect(idsOf(picksOf(moved))).toBe('a');
    expect(moved.map(({ supports }) => supports)).toEqual([null, 'a', null]);
    expect(moved.map(({ quote }) => quote)).toEqual(points.slice(0, 3).map(({ quote }) => quote));
  });

  test('are listed in the order that is asked for, and found by words', () => {
    const documents = ['d2', 'd1', 'd2', 'd3', 'd1'];
    const listed = points.map((point, i) => ({ ...point, document: documents[i], text: `Number ${i}` }));
    const sorted = (order: 'rank' | 'relevance' | 'document', text = '', ...gone: readonly string[]) =>
      idsOf(sortPoints(listed, order, text, new Set(gone)));
    expect(sorted('rank')).toBe('cabde');
    expect(sorted('relevance')).toBe('cabde');
    expect(sorted('rank', '', 'e')).toBe('caebd');
    expect(sorted('document')).toBe('acbed');
    expect(sorted('rank', ' NUMBER 3')).toBe('d');
    expect(sorted('rank', 'd1')).toBe('be');
  });

  test.each<[Partial<ListedPoint>, string]>([
    [{ selected: true, rank: 3 }, 'selected as no. 3'],
    [{ reason: 'supports', supports: 'a' }, 'cited with no. 2, which says the same'],
    [{ reason: 'supports', supports: 'none' }, 'cited with another that says the same'],
    [{ reason: 'gate' }, 'not relevant enough to the question'],
    [{ reason: null }, 'not selected'],
    [{ reason: 'level', isCited: true }, 'not selected, but cited in the answer'],
  ])('of %j are told as “%s”', (part, status) => {
    expect(statusOf({ ...points[3], ...part }, points)).toBe(status);
  });

  test('every reason is told in its own words', () => {
    const told = REASONS.map((reason) => statusOf({ ...points[3], reason }, points));
    expect(new Set(told).size).toBe(REASONS.length);
  });
});
