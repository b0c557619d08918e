import { OWN_DEFAULTS } from '../../selection/index.ts';
import type { DrawsAnswer, SelectionsAnswer, SelectionsRequest } from '../selections.ts';

const ITEMS: SelectionsRequest = {
  items: [
    { id: 'a1', text: 'Traffic in the centre fell by 18 percent.' },
    { id: 'a2', text: 'The charge raised 40 million euros.' },
    { id: 'a3', text: 'Car traffic in the centre is down by 18 percent.', document: 'press' },
  ],
  intent: 'How much traffic is there in the centre?',
  selection: { size: { keyPoints: 2 } },
};

const EMBEDDINGS: SelectionsRequest = {
  embeddings: [
    [1, 0, 0],
    [0.9, 0.1, 0],
    [0, 1, 0],
  ],
  queryEmbedding: [1, 0.5, 0],
  selection: { size: { keyPoints: 2 } },
};

const L = [
  [1, 0.9, 0.1],
  [0.9, 1, 0.1],
  [0.1, 0.1, 1],
];

const KERNEL: SelectionsRequest = { kernel: L, selection: { strategy: 'dpp-map-exact', size: { keyPoints: 2 } } };

const STORED_DIGEST: SelectionsRequest = {
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  intent: 'What did it cost?',
  selection: { strategy: 'mmr', size: { keyPoints: 2 }, mmr: { lambda: 0.7 } },
};

const DRAWS_OF_A_KERNEL: SelectionsRequest = { kernel: L, selection: { strategy: 'dpp-sample', seed: 7 }, draws: 2 };

/** One example of each kind. */
export const SELECTIONS_REQUESTS = {
  items: { summary: 'Among items', value: ITEMS },
  embeddings: { summary: 'Among embeddings, by their likeness to a query', value: EMBEDDINGS },
  kernel: { summary: 'By a kernel', value: KERNEL },
  digest: { summary: 'Among the points of a stored digest', value: STORED_DIGEST },
  draws: { summary: 'Several draws from one kernel', value: DRAWS_OF_A_KERNEL },
};

/** The recorded answer to `ITEMS`, with fewer decimals. */
export const SELECTION: SelectionsAnswer = {
  selected: [
    { index: 2, id: 'a3', rank: 1, gain: 0.9021 },
    { index: 0, id: 'a1', rank: 2, gain: -1.749 },
  ],
  items: [
    {
      index: 0,
      id: 'a1',
      relevance: 0.3627,
      salience: 0,
      rank: 2,
      gain: -1.749,
      marginal: null,
      reason: null,
      selected: true,
      nearest: { index: 2, id: 'a3', similarity: 0.7083 },
    },
    {
      index: 1,
      id: 'a2',
      relevance: 0.0155,
      salience: 0,
      rank: null,
      gain: -1.8606,
      marginal: null,
      reason: 'size',
      selected: false,
      nearest: { index: 0, id: 'a1', similarity: 0.1299 },
    },
    {
      index: 2,
      id: 'a3',
      relevance: 0.4382,
      salience: 0,
      rank: 1,
      gain: 0.9021,
      marginal: null,
      reason: null,
      selected: true,
      nearest: { index: 0, id: 'a1', similarity: 0.7083 },
    },
  ],
  preset: 'default',
  strategy: 'dpp-map',
  size: { keyPoints: 2 },
  seed: 1,
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 0.8701, idf: 2 },
  relevance: {
    form: 'exponential',
    weight: 0.5,
    gate: null,
    surroundings: 0,
    facets: ['How much traffic is there in the centre?'],
    encoder: 'transformers/all-MiniLM-L6-v2/q8/2',
    estimate: true,
  },
  salience: { weight: 0, threshold: 0.15 },
  coverage: { weight: 0, threshold: null },
  sources: { weight: 0 },
  support: { threshold: 0.15, paraphrase: 0.9, unlike: 0.55, same: 0.55 },
  background: { weight: 1 },
  ...OWN_DEFAULTS,
  refine: false,
  expectedSize: null,
  clippedMass: null,
  residual: null,
  totalVariation: null,
  landmarks: null,
  gate: { kept: 3, dropped: 0 },
  engine: { encoder: 'transformers/all-MiniLM-L6-v2/q8/2', matrix: 'onnxruntime' },
  warnings: [],
  objective: -0.8469,
  logDeterminant: -0.8469,
  proven: null,
  gap: null,
  stoppedBy: 'size',
};

/** The recorded answer to `DRAWS_OF_A_KERNEL`, with fewer decimals. */
export const DRAWS: DrawsAnswer = {
  draws: [
    {
      selected: [
        { index: 0, id: null, rank: 1 },
        { index: 2, id: null, rank: 2 },
      ],
    },
    {
      selected: [
        { index: 0, id: null, rank: 1 },
        { index: 2, id: null, rank: 2 },
      ],
    },
  ],
  items: [
    { index: 0, id: null, relevance: 1, marginal: 0.3724 },
    { index: 1, id: null, relevance: 1, marginal: 0.3724 },
    { index: 2, id: null, relevance: 1, marginal: 0.4983 },
  ],
  preset: 'default',
  strategy: 'dpp-sample',
  size: null,
  seed: 7,
  kernel: { similarity: 'cosine', form: 'gaussian', sigma: null, idf: 2 },
  relevance: {
    form: 'exponential',
    weight: 0.5,
    gate: null,
    surroundings: 0,
    facets: [],
    encoder: null,
    estimate: true,
  },
  salience: { weight: 0, threshold: 0.15 },
  coverage: { weight: 0, threshold: null },
  sources: { weight: 0 },
  support: { threshold: null, paraphrase: 0.95, unlike: -1, same: -1 },
  background: { weight: 1 },
  ...OWN_DEFAULTS,
  refine: false,
  expectedSize: 1.2432,
  clippedMass: 0,
  residual: 0,
  totalVariation: 0,
  landmarks: null,
  gate: { kept: 3, dropped: 0 },
  engine: { encoder: null, matrix: 'onnxruntime' },
  warnings: [],
};
