import { describe, expect, test } from 'vitest';
import { REASONS } from '../../src/contract/digest.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { sortPoints } from '../../src/page/points/point-list.tsx';
import { type ListedPoint, listedPoints, statusOf } from '../../src/page/points/points.ts';
import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';

const KEY_POINT: StoredDigest['digest']['keyPoints'][number] = {
  ...DIGEST.keyPoints[0],
  selected: false,
  rank: null,
  supports: null,
  nearest: null,
  reason: null,
};

/** Five key points and one without a quote: two selected, one joined, one let go for its words, one gated. */
const KEY_POINTS: StoredDigest['digest']['keyPoints'] = [
  { ...KEY_POINT, id: 'a', selected: true, rank: 2, relevance: 0.8 },
  { ...KEY_POINT, id: 'b', relevance: 0.7, supports: 'a', nearest: { id: 'a', similarity: 0.9 }, reason: 'supports' },
  { ...KEY_POINT, id: 'c', selected: true, rank: 1, relevance: 0.9 },
  { ...KEY_POINT, id: 'd', relevance: 0.6, reason: 'words' },
  { ...KEY_POINT, id: 'e', relevance: 0.1, reason: 'gate' },
  { ...KEY_POINT, id: 'f', relevance: null, reason: 'unverified' },
];

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
const points = listedPoints({ digest: { ...DIGEST, keyPoints: KEY_POINTS }, request: REQUEST });
const idsOf = (listed: readonly ListedPoint[]) => listed.map(({ id }) => id).join('');

describe('the points of a digest', () => {
  test('are those of the digest; points without relevance have no place', () => {
    expect(idsOf(points)).toBe('abcde');
  });

  test('are listed in the order that is asked for, and found by words', () => {
    const documents = ['d2', 'd1', 'd2', 'd3', 'd1'];
    const listed = points.map((point, i) => ({ ...point, document: documents[i], text: `Number ${i}` }));
    const sorted = (order: 'rank' | 'relevance' | 'document', text = '') => idsOf(sortPoints(listed, order, text));
    expect(sorted('rank')).toBe('cabde');
    expect(sorted('relevance')).toBe('cabde');
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
