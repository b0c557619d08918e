import { describe, expect, test } from 'vitest';
import { REASONS } from '../../src/contract/digest.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { selectionRequestSchema } from '../../src/contract/selection-options.ts';
import { resolveSelection } from '../../src/digest/options.ts';
import { statusSentence, statusWords } from '../../src/page/map/point-card.tsx';
import { sortPoints } from '../../src/page/map/point-list.tsx';
import {
  differences,
  ownPicks,
  ownPicture,
  pictureOf,
  quarters,
  ranksOf,
  type Standing,
} from '../../src/page/map/points.ts';
import { changedRequest, selectionRequest } from '../../src/page/map/reselection.ts';
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
    expect(changedRequest(selection, { 'selection.strategy': undefined }, 3)).toEqual(own);
    const changes = { 'selection.strategy': 'k-dpp', 'selection.relevance.weight': 0.9, 'selection.seed': 4 };
    const relevance = { ...own.relevance, weight: 0.9 };
    expect(changedRequest(selection, changes, 3)).toEqual({ ...own, strategy: 'k-dpp', relevance, seed: 4 });
    expect(changedRequest(selection, { 'selection.size': { keyPoints: 5 } }, 3).size).toEqual({ keyPoints: 5 });
  });

  test('has a size that the strategy takes, whatever the digest’s own is', () => {
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

test('differences are what came, what went and what stayed', () => {
  expect(differences(new Set(['a', 'b', 'c']), ['c', 'd'])).toEqual({
    added: new Set(['d']),
    gone: new Set(['a', 'b']),
    sentence: 'Against the digest: 1 added, 2 gone, 1 as before.',
  });
  expect(differences(new Set(['a']), ['a']).sentence).toBe('The same key points as in the digest.');
});

describe('pictures', () => {
  test('the digest’s own is its receipt; points without relevance have no place', () => {
    const digest = digestOf();
    const { standings, picks } = ownPicture(digest);
    expect(standings).toHaveLength(5);
    expect(picks).toEqual([2, 0]);
    expect(ownPicks(digest)).toEqual(new Set(['c', 'a', 'd']));
    // Where words end the selection, what was not picked is not taken for picked.
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
      warnings: [],
    });
    expect(picks).toEqual([0]);
    expect(standings.map(({ supports }) => supports)).toEqual([null, 'a', null]);
  });

  test('numbers are ranks, and the unselected are parted by relevance, without those below the gate', () => {
    const picture = ownPicture(digestOf());
    const points = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...POINT, id }));
    expect([...ranksOf(points, picture)]).toEqual([
      ['c', 1],
      ['a', 2],
    ]);
    expect(quarters(picture.standings)).toEqual([[3], [], [], [1]]);
    expect(quarters(picture.standings.slice(0, 2))).toEqual([[], [], [], [1]]);
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
  const sorted = (order: 'rank' | 'relevance' | 'document', text = '', gone = -1) =>
    sortPoints(points, standings, { order, text, isGone: (i) => i === gone });
  expect(sorted('rank')).toEqual([2, 0, 1, 3, 4]);
  expect(sorted('relevance')).toEqual([2, 0, 1, 3, 4]);
  expect(sorted('rank', '', 4)).toEqual([2, 0, 4, 1, 3]);
  expect(sorted('document')).toEqual([0, 2, 1, 4, 3]);
  expect(sorted('rank', ' NUMBER 3')).toEqual([3]);
  expect(sorted('rank', 'd1')).toEqual([1, 4]);
});

const STANDING: Standing = { ...digestOf().keyPoints[3], relevance: 0.5, gain: null, marginal: null, reason: null };
const ranks = new Map([['kp_2', 2]]);

test.each<[Partial<Standing>, string, string]>([
  [{ selected: true, rank: 3 }, 'no. 3', 'Selected as no. 3.'],
  [
    { reason: 'supports', supports: 'kp_2', nearest: { id: 'kp_2', similarity: 0.49 } },
    'cited with no. 2',
    'Cited with no. 2: the service found that it says the same (49% similar).',
  ],
  [
    { reason: 'supports', supports: 'kp_9' },
    'cited with another',
    'Cited with a selected one: the service found that it says the same.',
  ],
  [{ reason: 'gate' }, 'not relevant enough', 'Not selected: not relevant enough to the question.'],
  [{ reason: 'size', gain: 0.1234 }, 'not selected', 'Not selected: enough key points came first. It would add 0.123.'],
  [{ reason: 'notDrawn', marginal: 0.124 }, 'not drawn', 'Not drawn. 12.4% of all draws have it.'],
  [{ reason: null }, 'not selected', 'Not selected.'],
])('%j is told as “%s” and “%s”', (part, words, sentence) => {
  expect(statusWords({ ...STANDING, ...part }, ranks)).toBe(words);
  expect(statusSentence({ ...STANDING, ...part }, ranks)).toBe(sentence);
});

test('every reason has a sentence of its own', () => {
  const sentences = REASONS.map((reason) => statusSentence({ ...STANDING, reason }, ranks));
  expect(new Set(sentences).size).toBe(REASONS.length);
});
