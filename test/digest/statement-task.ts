import type { SelectionItems, SelectionTask } from '../../src/digest/select/selection-task.ts';
import { normalizeRows } from '../../src/models/index.ts';
import type { SelectionOptions } from '../../src/selection/index.ts';
import { seeded } from '../selection/kernel/random.ts';
import { BARE } from '../selection/strategies/problems.ts';

const DIMENSIONS = 24;

/** Statements of a few made-up tokens each, some of them alike. */
export function taskOf(n: number, seed = 1): SelectionTask {
  const random = seeded(seed);
  const vector = () => Float32Array.from({ length: DIMENSIONS }, () => random.normal());
  const vocabulary = Array.from({ length: 60 }, () => normalizeRows(vector(), 1, DIMENSIONS));
  const said = Array.from({ length: n }, () =>
    Int32Array.from({ length: 2 + random.below(3) }, () => random.below(60)),
  );
  const items: SelectionItems = {
    source: {
      kind: 'statements',
      texts: said.map((ids) => [...ids].map((id) => `word${id}`).join(' ')),
      statements: said.map((tokenIds) => {
        const tokens = Int8Array.from(
          [...tokenIds].flatMap((id) => Array.from(vocabulary[id], (v) => Math.round(127 * v))),
        );
        const sum = Float32Array.from({ length: DIMENSIONS }, (_, c) =>
          tokenIds.reduce((all, id) => all + vocabulary[id][c], 0),
        );
        return { sentence: normalizeRows(sum, 1, DIMENSIONS), tokens, tokenIds };
      }),
    },
    context: said.map(() => normalizeRows(vector(), 1, DIMENSIONS)),
    hashes: said.map((_, i) => String(random.below(1e9)) + i),
    documents: Int32Array.from({ length: n }, (_, i) => i % 9),
  };
  const settings = {
    share: 0.5,
    background: [],
    relevance: Float64Array.from({ length: n }, () => random.next()),
    words: new Int32Array(n).fill(7),
    factors: Float64Array.from({ length: n }, () => 0.5 + random.next()),
    auto: { points: null, words: null },
    eligible: null,
    room: null,
  };
  return { items, settings };
}

/** Options that ask for everything that a selection may find of statements. */
export const AGREEING: SelectionOptions = {
  ...BARE,
  size: { keyPoints: 6 },
  kernel: { ...BARE.kernel, similarity: 'bertscore', form: 'gaussian', sigma: 'median', idf: 2 },
  coverage: { weight: 20, threshold: { percentile: 75 } },
  support: { threshold: 0.15, paraphrase: 0.9, unlike: -1, same: 0.2 },
  background: { weight: 1 },
  refine: true,
};
