import type { MatrixProduct } from '../../models/index.ts';
import { lazy } from '../../text/index.ts';

/** Similarity S between n items: symmetric, in [-1, 1], 1 on the diagonal. */
export interface Similarity {
  readonly n: number;

  /** @returns rows of S, row-major, indices.length x n; exactly symmetric if all are asked for in order */
  rows(indices: readonly number[]): Promise<Float32Array>;
}

/** Similarities from here up count as 1, so that Float32 rounding leaves no residual between duplicates. */
const ONE = 1 - 1e-6;

export function clipSimilarity(value: number): number {
  return value >= ONE ? 1 : Math.max(value, -1);
}

export function indicesOf(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

export function areAll(indices: readonly number[], n: number): boolean {
  return indices.length === n && indices.every((index, i) => index === i);
}

export function cosineSimilarity(
  vectors: Float32Array,
  n: number,
  dimensions: number,
  product: MatrixProduct,
): Similarity {
  const prepared = lazy(() => product.prepare(vectors, n, dimensions));

  async function rows(indices: readonly number[]): Promise<Float32Array> {
    const left = new Float32Array(indices.length * dimensions);
    indices.forEach((index, row) => {
      left.set(vectors.subarray(index * dimensions, (index + 1) * dimensions), row * dimensions);
    });
    const right = await prepared();
    const out = (await right.multiply(left, indices.length)).map(clipSimilarity);
    indices.forEach((index, row) => {
      out[row * n + index] = 1;
    });
    // A backend may round x.y and y.x differently; the upper triangle counts.
    if (areAll(indices, n)) for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[i * n + j] = out[j * n + i];
    return out;
  }

  return { n, rows };
}

const GRAM = 4;

export function grams(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []) {
    const padded = ` ${word} `;
    for (let at = 0; at <= Math.max(0, padded.length - GRAM); at++) found.add(padded.slice(at, at + GRAM));
  }
  return found;
}

/** Similarity of wording: cosine of the texts' sets of character 4-grams, weighted log((n + 1) / (df + 1)). */
export function gramSimilarity(texts: readonly string[]): Similarity {
  const n = texts.length;
  const numbers = new Map<string, number>();
  const numberOf = (gram: string): number => {
    const number = numbers.get(gram) ?? numbers.size;
    numbers.set(gram, number);
    return number;
  };
  const sets = texts.map((text) => Int32Array.from(grams(text), numberOf));
  const holders: number[][] = Array.from(numbers, () => []);
  sets.forEach((set, i) => {
    for (const gram of set) holders[gram].push(i);
  });
  const weights = Float64Array.from(holders, ({ length }) => Math.log((n + 1) / (length + 1)) ** 2);
  const lengths = sets.map((set) => Math.sqrt(set.reduce((sum, gram) => sum + weights[gram], 0)));

  async function rows(indices: readonly number[]): Promise<Float32Array> {
    const out = new Float32Array(indices.length * n);
    indices.forEach((i, r) => {
      const row = new Float64Array(n);
      for (const gram of sets[i]) {
        const weight = weights[gram];
        for (const j of holders[gram]) row[j] += weight;
      }
      for (let j = 0; j < n; j++) {
        const norm = lengths[i] * lengths[j];
        out[r * n + j] = i === j ? 1 : norm === 0 ? 0 : clipSimilarity(row[j] / norm);
      }
    });
    return out;
  }

  return { n, rows };
}
