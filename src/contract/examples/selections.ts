import type { DrawsAnswer, SelectionsAnswer, SelectionsRequest } from '../selections.ts';
import { SELECTED } from './digest.ts';

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

function item(index: number, relevance: number, gain: number, nearest: readonly [number, number], rank: number | null) {
  return {
    ...name(index),
    relevance,
    salience: 0,
    rank,
    gain,
    marginal: null,
    reason: rank === null ? ('size' as const) : null,
    selected: rank !== null,
    nearest: { ...name(nearest[0]), similarity: nearest[1] },
  };
}

function name(index: number) {
  return { index, id: `a${index + 1}` };
}

/** The recorded answer to `ITEMS`, with fewer decimals. */
export const SELECTION: SelectionsAnswer = {
  selected: [
    { ...name(2), rank: 1, gain: 0.9021 },
    { ...name(0), rank: 2, gain: -1.749 },
  ],
  items: [
    item(0, 0.3627, -1.749, [2, 0.7083], 2),
    item(1, 0.0155, -1.8606, [0, 0.1299], null),
    item(2, 0.4382, 0.9021, [0, 0.7083], 1),
  ],
  ...SELECTED,
  strategy: 'dpp-map',
  size: { keyPoints: 2 },
  kernel: { ...SELECTED.kernel, sigma: 0.8701 },
  relevance: { ...SELECTED.relevance, facets: ['How much traffic is there in the centre?'] },
  gate: { kept: 3, dropped: 0 },
  engine: { encoder: SELECTED.relevance.encoder, matrix: 'onnxruntime' },
  warnings: [],
  objective: -0.8469,
  logDeterminant: -0.8469,
  proven: null,
  gap: null,
  stoppedBy: 'size',
};

const DRAW = {
  selected: [
    { index: 0, id: null, rank: 1 },
    { index: 2, id: null, rank: 2 },
  ],
};

/** The recorded answer to `DRAWS_OF_A_KERNEL`, with fewer decimals. */
export const DRAWS: DrawsAnswer = {
  draws: [DRAW, DRAW],
  items: [0.3724, 0.3724, 0.4983].map((marginal, index) => ({ index, id: null, relevance: 1, marginal })),
  ...SELECTED,
  strategy: 'dpp-sample',
  size: null,
  seed: 7,
  kernel: { ...SELECTED.kernel, similarity: 'cosine' },
  relevance: { ...SELECTED.relevance, encoder: null },
  support: { threshold: null, paraphrase: 0.95, unlike: -1, same: -1 },
  expectedSize: 1.2432,
  clippedMass: 0,
  residual: 0,
  totalVariation: 0,
  gate: { kept: 3, dropped: 0 },
  engine: { encoder: null, matrix: 'onnxruntime' },
  warnings: [],
};
