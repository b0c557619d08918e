import { bertScore, bertScoreBetween } from '../kernel/bertscore.ts';
import { cosineSimilarity } from '../kernel/cosine.ts';
import { tokenMatrix } from '../kernel/token-matrix.ts';
import { tokenWeights } from '../kernel/token-weights.ts';
import type { MatrixProduct } from '../linear-algebra/matrix-product.ts';
import type { SelectionOptions } from '../selection/options.ts';
import { type Selection, type SelectionInput, select } from '../selection/select.ts';

/** A statement as the kernel sees it. */
export interface EncodedStatement {
  readonly sentence: Float32Array;
  /** Empty where the kernel is `cosine`. */
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

/** Everything a selection needs, as plain data that can go to another thread. */
export interface SelectionTask extends Omit<SelectionInput, 'similarity' | 'known'> {
  /** The gated points, in canonical order. */
  readonly statements: readonly EncodedStatement[];
  /** What the reader knows already. */
  readonly background: readonly EncodedStatement[];
}

/** Builds the similarity that the options name, and selects. */
export async function runSelection(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<Selection> {
  const { statements, background, ...input } = task;
  if (options.kernel.similarity === 'cosine') {
    const dimensions = dimensionsOf(statements.map(({ sentence }) => sentence));
    const vectors = sentenceMatrix(statements, dimensions);
    const similarity = cosineSimilarity(vectors, statements.length, dimensions, product);
    const right = await product.prepare(vectors, statements.length, dimensions);
    const between = await right.multiply(sentenceMatrix(background, dimensions), background.length);
    right.dispose();
    return select({ ...input, similarity, known: largestPerColumn(between, background.length) }, options);
  }
  const dimensions = tokenDimensions(statements);
  const items = tokenMatrix(statements, dimensions);
  const weights = tokenWeights(items, options.kernel.idf);
  const similarity = bertScore(items, weights, product);
  const others = tokenMatrix(background, dimensions);
  const otherWeights = tokenWeights(items, options.kernel.idf, others);
  const between = await bertScoreBetween(others, otherWeights, items, weights, product);
  return select({ ...input, similarity, known: largestPerColumn(between, background.length) }, options);
}

function sentenceMatrix(statements: readonly EncodedStatement[], dimensions: number): Float32Array {
  const vectors = new Float32Array(statements.length * dimensions);
  statements.forEach(({ sentence }, i) => {
    vectors.set(sentence, i * dimensions);
  });
  return vectors;
}

function dimensionsOf(vectors: readonly Float32Array[]): number {
  return vectors[0]?.length ?? 1;
}

function tokenDimensions(statements: readonly EncodedStatement[]): number {
  const some = statements.find(({ tokenIds }) => tokenIds.length > 0);
  return some === undefined ? 1 : some.tokens.length / some.tokenIds.length;
}

/** The largest value of each column of a row-major matrix; null without rows. */
function largestPerColumn(matrix: Float32Array, rows: number): Float64Array | null {
  if (rows === 0) return null;
  const columns = matrix.length / rows;
  return Float64Array.from({ length: columns }, (_, c) => {
    let largest = -Infinity;
    for (let r = 0; r < rows; r++) largest = Math.max(largest, matrix[r * columns + c]);
    return largest;
  });
}
