import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';
import { OWN_DEFAULTS } from '../../src/selection/index.ts';

type Stored = StoredDigest['digest'];

const POINT: Stored['keyPoints'][number] = {
  id: 'a',
  document: 'd1',
  text: 'Trams run late.',
  speaker: null,
  quote: { text: 'Trams run late.', start: 0, end: 15, status: 'exact' },
  moreQuotes: [],
  relevance: 0.5,
  probability: 0.5,
  salience: null,
  selected: false,
  rank: null,
  gain: null,
  supports: null,
  nearest: null,
  marginal: null,
  reason: null,
};

/** A digest of five key points and one without a quote: two selected, one joined, one let go for its words, one gated. */
export function digestOf(): Pick<Stored, 'id' | 'keyPoints' | 'selection'> & Stored {
  const digest: Pick<Stored, 'id' | 'keyPoints' | 'selection'> = {
    id: 'dig_1',
    keyPoints: [
      { ...POINT, selected: true, rank: 2, relevance: 0.8 },
      { ...POINT, id: 'b', relevance: 0.7, supports: 'a', nearest: { id: 'a', similarity: 0.9 }, reason: 'supports' },
      { ...POINT, id: 'c', selected: true, rank: 1, relevance: 0.9 },
      { ...POINT, id: 'd', relevance: 0.6, reason: 'words' },
      { ...POINT, id: 'e', relevance: 0.1, reason: 'gate' },
      { ...POINT, id: 'f', relevance: null, reason: 'unverified' },
    ],
    selection: {
      preset: 'default',
      strategy: 'dpp-map',
      size: { keyPoints: 3 },
      seed: 1,
      kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 0.31234567890123, idf: 2 },
      relevance: {
        form: 'exponential',
        weight: 0.62,
        gate: 0.4,
        surroundings: 0.3,
        facets: ['Trams'],
        estimate: true,
        encoder: 'transformers/all-MiniLM-L6-v2/q8',
      },
      salience: { weight: 0, threshold: 0.15 },
      coverage: { weight: 100, threshold: 0.1467471420764923 },
      sources: { weight: 10 },
      support: { threshold: 0.15, paraphrase: 0.9, unlike: 0.55, same: 0.55 },
      background: { weight: 1 },
      ...OWN_DEFAULTS,
      refine: true,
      expectedSize: null,
      clippedMass: null,
      residual: null,
      totalVariation: null,
      landmarks: null,
      objective: 409.9,
      logDeterminant: -12.6,
      proven: null,
      gap: null,
      stoppedBy: 'size',
      gate: { kept: 4, dropped: 1 },
    },
  };
  // Nothing else of a digest is looked at.
  return digest as Stored;
}
