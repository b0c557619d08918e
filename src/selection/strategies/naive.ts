import { all } from './all.ts';
import type { Strategy } from './strategy.ts';

/** A digest by one prompt over the documents: the quotes in its answer are the points, and all of them stand. */
export const naive: Strategy = {
  ...all,
  title: 'One prompt',
  line: 'A language model writes from the documents in one prompt; quotes that are not in them are dropped.',
  group: 'model',
  chooses: 'whatever one prompt over the documents quotes',
  objective: 'No selection: everything that one prompt over the documents quoted.',
  cost: 'one call of a model',
  source: 'the naive baseline of the key point papers',
};
