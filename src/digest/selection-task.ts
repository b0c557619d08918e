import { bertScoreBetween, bertScores } from '../kernel/bertscore.ts';
import { cosineSimilarity } from '../kernel/cosine.ts';
import { gramSimilarity } from '../kernel/gram-similarity.ts';
import { givenKernel, givenSimilarity } from '../kernel/kernel.ts';
import { type TokenMatrix, tokenMatrix } from '../kernel/token-matrix.ts';
import { tokenWeights } from '../kernel/token-weights.ts';
import type { MatrixProduct } from '../linear-algebra/matrix-product.ts';
import { asksForAgreement, type SelectionInput } from '../selection/candidates.ts';
import type { SelectionOptions } from '../selection/options.ts';
import { type Draws, drawMany, type Selection, select } from '../selection/select.ts';

/** A statement as the kernel sees it. */
export interface EncodedStatement {
  readonly sentence: Float32Array;
  /** Empty where the kernel is `cosine`. */
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

/** What the items are, in canonical order. */
export type SelectionSource =
  | { readonly kind: 'statements'; readonly statements: readonly EncodedStatement[]; readonly texts: readonly string[] }
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** L, row-major, exactly symmetric. */
  | { readonly kind: 'kernel'; readonly values: Float64Array };

/** Everything a selection needs, as plain data that can go to another thread. */
export interface SelectionTask
  extends Omit<
    SelectionInput,
    'similarity' | 'kernel' | 'vectors' | 'plain' | 'wording' | 'cosine' | 'context' | 'known'
  > {
  readonly source: SelectionSource;
  /** Unit vectors of what stands around the points, and how far it counts; null where it does not. */
  readonly context: { readonly vectors: readonly Float32Array[]; readonly share: number } | null;
  /** What the reader knows already. */
  readonly background: readonly EncodedStatement[];
}

/** What is held against what the reader knows. */
export interface FamiliarityTask {
  readonly statements: readonly EncodedStatement[];
  readonly background: readonly EncodedStatement[];
  readonly similarity: 'bertscore' | 'cosine';
  readonly idf: number;
}

/** Largest similarity of each statement to what the reader knows. */
export async function runFamiliarity(
  { statements, background, similarity, idf }: FamiliarityTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  const none = new Float64Array(statements.length);
  if (similarity === 'cosine') return (await knownByCosine(statements, background, product)) ?? none;
  if (background.length === 0 || statements.length === 0) return none;
  const items = tokenMatrix(statements, tokenDimensions(statements));
  return knownByScore(items, background, tokenWeights(items, idf), idf, product);
}

/** Builds the similarities that the options name, and selects. */
export async function runSelection(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<Selection> {
  return select(await inputOf(task, options, product), options, product);
}

/** The same for several draws of one kernel. */
export async function runDraws(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
  count: number,
): Promise<Draws> {
  return drawMany(await inputOf(task, options, product), options, product, count);
}

async function inputOf(
  { source, context, background, ...input }: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<SelectionInput> {
  const none = { kernel: null, vectors: null, plain: null, wording: null, cosine: null, context: null, known: null };
  if (source.kind === 'kernel') {
    const kernel = givenKernel(source.values, input.relevance.length);
    return { ...input, ...none, kernel, similarity: givenSimilarity(kernel) };
  }
  if (source.kind === 'vectors') {
    const { vectors } = source;
    return { ...input, ...none, vectors, similarity: cosineOf(vectors, product) };
  }

  const { statements, texts } = source;
  const cosine = cosineOf(
    statements.map(({ sentence }) => sentence),
    product,
  );
  const evidence = {
    cosine,
    wording: gramSimilarity(texts),
    context: context && { share: context.share, similarity: cosineOf(context.vectors, product) },
  };
  if (options.kernel.similarity === 'cosine') {
    const known = await knownByCosine(statements, background, product);
    const vectors = statements.map(({ sentence }) => sentence);
    return { ...input, ...none, ...evidence, vectors, similarity: cosine, known };
  }
  const items = tokenMatrix(statements, tokenDimensions(statements));
  const weights = tokenWeights(items, options.kernel.idf);
  // Plain BERTScore comes along with the weighted one at little cost, where agreement asks for it.
  const weightSets = asksForAgreement(options) ? [weights, tokenWeights(items, 0)] : [weights];
  const [similarity, plain = null] = bertScores(items, weightSets, product);
  if (background.length === 0 || statements.length === 0) {
    return { ...input, ...none, ...evidence, similarity, plain, known: null };
  }
  const known = await knownByScore(items, background, weights, options.kernel.idf, product);
  return { ...input, ...none, ...evidence, similarity, plain, known };
}

async function knownByScore(
  items: TokenMatrix,
  background: readonly EncodedStatement[],
  weights: Float32Array,
  idf: number,
  product: MatrixProduct,
): Promise<Float64Array> {
  const others = tokenMatrix(background, items.dimensions);
  const between = await bertScoreBetween(others, tokenWeights(items, idf, others), items, weights, product);
  return largestPerColumn(between, background.length);
}

function cosineOf(vectors: readonly Float32Array[], product: MatrixProduct) {
  const dimensions = vectors[0]?.length ?? 1;
  return cosineSimilarity(matrixOf(vectors, dimensions), vectors.length, dimensions, product);
}

async function knownByCosine(
  statements: readonly EncodedStatement[],
  background: readonly EncodedStatement[],
  product: MatrixProduct,
): Promise<Float64Array | null> {
  if (background.length === 0 || statements.length === 0) return null;
  const dimensions = statements[0].sentence.length;
  const vectors = statements.map(({ sentence }) => sentence);
  const right = await product.prepare(matrixOf(vectors, dimensions), vectors.length, dimensions);
  const known = background.map(({ sentence }) => sentence);
  const between = await right.multiply(matrixOf(known, dimensions), known.length);
  right.dispose();
  return largestPerColumn(between, known.length);
}

function matrixOf(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const matrix = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => {
    matrix.set(vector, i * dimensions);
  });
  return matrix;
}

function tokenDimensions(statements: readonly EncodedStatement[]): number {
  const some = statements.find(({ tokenIds }) => tokenIds.length > 0);
  return some === undefined ? 1 : some.tokens.length / some.tokenIds.length;
}

/**
 * The largest value of each column of a row-major matrix.
 *
 * @param rows at least 1
 */
function largestPerColumn(matrix: Float32Array, rows: number): Float64Array {
  const columns = matrix.length / rows;
  return Float64Array.from({ length: columns }, (_, c) => {
    let largest = -Infinity;
    for (let r = 0; r < rows; r++) largest = Math.max(largest, matrix[r * columns + c]);
    return largest;
  });
}
