import { DIGEST } from '../../src/contract/index.ts';
import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';

const POINT: StoredDigest['digest']['keyPoints'][number] = {
  ...DIGEST.keyPoints[0],
  selected: false,
  rank: null,
  supports: null,
  nearest: null,
  reason: null,
};

/** A digest of five key points and one without a quote: two selected, one joined, one let go for its words, one gated. */
export function digestOf(): StoredDigest['digest'] {
  const { selection } = DIGEST;
  return {
    ...DIGEST,
    keyPoints: [
      { ...POINT, id: 'a', selected: true, rank: 2, relevance: 0.8 },
      { ...POINT, id: 'b', relevance: 0.7, supports: 'a', nearest: { id: 'a', similarity: 0.9 }, reason: 'supports' },
      { ...POINT, id: 'c', selected: true, rank: 1, relevance: 0.9 },
      { ...POINT, id: 'd', relevance: 0.6, reason: 'words' },
      { ...POINT, id: 'e', relevance: 0.1, reason: 'gate' },
      { ...POINT, id: 'f', relevance: null, reason: 'unverified' },
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
