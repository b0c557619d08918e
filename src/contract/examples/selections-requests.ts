import type { SelectionsRequest } from '../selections-request.ts';

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

/** Requests for a selection, one of each kind. */
export const SELECTIONS_REQUESTS = {
  items: { summary: 'Among items', value: ITEMS },
  embeddings: { summary: 'Among embeddings, by their likeness to a query', value: EMBEDDINGS },
  kernel: { summary: 'By a kernel', value: KERNEL },
  digest: { summary: 'Among the points of a stored digest', value: STORED_DIGEST },
  draws: { summary: 'Several draws from one kernel', value: DRAWS_OF_A_KERNEL },
};
