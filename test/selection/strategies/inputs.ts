import { givenKernel, givenSimilarity, type SelectionInput, type Similarity } from '../../../src/selection/index.ts';

/** Items that are alike in everything but their similarity; nothing else is known of them. */
export function inputOf(similarity: Similarity, overrides: Partial<SelectionInput> = {}): SelectionInput {
  const { n } = similarity;
  const indices = Int32Array.from({ length: n }, (_, i) => i);
  return {
    similarity,
    kernel: null,
    vectors: null,
    plain: null,
    wording: null,
    cosine: null,
    context: null,
    relevance: new Float64Array(n).fill(1),
    documents: indices,
    words: new Int32Array(n).fill(5),
    hashes: Array.from(indices, (i) => `${i}`),
    factors: new Float64Array(n).fill(1),
    known: null,
    auto: { points: null, words: null },
    eligible: null,
    room: null,
    chosen: [...indices].filter((i) => i % 2 === 0),
    ...overrides,
  };
}

/** An app's own kernel. */
export function kernelInput(
  l: readonly (readonly number[])[],
  overrides: Partial<SelectionInput> = {},
): SelectionInput {
  const kernel = givenKernel(Float64Array.from(l.flat()), l.length);
  return inputOf(givenSimilarity(kernel), { kernel, ...overrides });
}

/** A similarity that says what it was asked for. */
export function counting(inner: Similarity): { similarity: Similarity; rows: number[]; matrices: () => number } {
  const rows: number[] = [];
  let matrices = 0;
  return {
    rows,
    matrices: () => matrices,
    similarity: {
      n: inner.n,
      rows(indices) {
        if (indices.length === inner.n) matrices++;
        else rows.push(...indices);
        return inner.rows(indices);
      },
    },
  };
}
