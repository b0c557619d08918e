import type { MatrixProduct } from '../../models/index.ts';
import {
  asksForAgreement,
  bertScoreBetween,
  bertScores,
  cosineSimilarity,
  type Draws,
  drawMany,
  givenKernel,
  givenSimilarity,
  gramSimilarity,
  type Selection,
  type SelectionInput,
  type SelectionOptions,
  type Similarity,
  select,
  type TokenMatrix,
  tokenMatrix,
  tokenWeights,
} from '../../selection/index.ts';

export interface EncodedStatement {
  readonly sentence: Float32Array;
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

export type SelectionSource =
  | { readonly kind: 'statements'; readonly statements: readonly EncodedStatement[]; readonly texts: readonly string[] }
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** L, row-major, exactly symmetric. */
  | { readonly kind: 'kernel'; readonly values: Float64Array };

/** The items, in canonical order, with all inputs of their similarities. */
export interface SelectionItems extends Pick<SelectionInput, 'documents' | 'hashes'> {
  readonly source: SelectionSource;
  readonly context: readonly Float32Array[] | null;
}

export interface SelectionSettings
  extends Pick<SelectionInput, 'relevance' | 'words' | 'factors' | 'auto' | 'eligible' | 'chosen' | 'room'> {
  readonly share: number;
  readonly background: readonly EncodedStatement[];
}

export interface SelectionTask {
  readonly items: SelectionItems;
  readonly settings: SelectionSettings;
}

export async function runSelection(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<Selection> {
  return select(await inputOf(task, options, product), options, product);
}

/** Draws several times from one kernel. `proceed` runs before each draw, and may throw to stop. */
export async function runDraws(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
  count: number,
  proceed?: () => void,
): Promise<Draws> {
  return drawMany(await inputOf(task, options, product), options, product, count, proceed);
}

const NONE = { kernel: null, vectors: null, plain: null, wording: null, cosine: null, context: null, known: null };

async function inputOf(
  { items, settings }: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<SelectionInput> {
  const { source, documents, hashes, context } = items;
  const { background, share, ...rest } = settings;
  const input = { ...rest, ...NONE, documents, hashes };
  if (source.kind === 'kernel') {
    const kernel = givenKernel(source.values, rest.relevance.length);
    return { ...input, kernel, similarity: givenSimilarity(kernel) };
  }
  if (source.kind === 'vectors') {
    return { ...input, vectors: source.vectors, similarity: cosineOf(source.vectors, product) };
  }
  const { statements, texts } = source;
  const sentences = statements.map(({ sentence }) => sentence);
  const cosine = cosineOf(sentences, product);
  const known = { statements, background, similarity: options.kernel.similarity, idf: options.kernel.idf };
  const stated = {
    ...input,
    cosine,
    wording: whenRead(texts.length, () => gramSimilarity(texts)),
    context: context && { share, similarity: cosineOf(context, product) },
    known: background.length > 0 && sentences.length > 0 ? await runKnownSimilarity(known, product) : null,
  };
  if (options.kernel.similarity === 'cosine') return { ...stated, vectors: sentences, similarity: cosine };
  const tokens = tokensOf(statements);
  const weights = tokenWeights(tokens, options.kernel.idf);
  // Unweighted BERTScore, for agreement, adds little to the cost of the weighted one.
  const weightSets = asksForAgreement(options) ? [weights, tokenWeights(tokens, 0)] : [weights];
  const [similarity, plain = null] = bertScores(tokens, weightSets, product);
  return { ...stated, similarity, plain };
}

function whenRead(n: number, make: () => Similarity): Similarity {
  let made: Similarity | undefined;
  return {
    n,
    rows(indices) {
      made ??= make();
      return made.rows(indices);
    },
  };
}

export interface KnownSimilarityTask {
  readonly statements: readonly EncodedStatement[];
  readonly background: readonly EncodedStatement[];
  readonly similarity: 'bertscore' | 'cosine';
  readonly idf: number;
}

export async function runKnownSimilarity(
  { statements, background, similarity, idf }: KnownSimilarityTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  if (background.length === 0 || statements.length === 0) return new Float64Array(statements.length);
  if (similarity === 'cosine') {
    const vectors = statements.map(({ sentence }) => sentence);
    return knownByCosine(vectors, background, product);
  }
  const items = tokensOf(statements);
  const others = tokenMatrix(background, items.dimensions);
  const ofOthers = tokenWeights(items, idf, others);
  const between = await bertScoreBetween(others, ofOthers, items, tokenWeights(items, idf), product);
  return largestPerColumn(between, background.length);
}

async function knownByCosine(
  vectors: readonly Float32Array[],
  background: readonly EncodedStatement[],
  product: MatrixProduct,
): Promise<Float64Array> {
  const dimensions = vectors[0].length;
  const right = await product.prepare(matrixOf(vectors, dimensions), vectors.length, dimensions);
  const known = background.map(({ sentence }) => sentence);
  const between = await right.multiply(matrixOf(known, dimensions), known.length);
  return largestPerColumn(between, known.length);
}

function cosineOf(vectors: readonly Float32Array[], product: MatrixProduct) {
  const dimensions = vectors[0]?.length ?? 1;
  return cosineSimilarity(matrixOf(vectors, dimensions), vectors.length, dimensions, product);
}

function matrixOf(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const matrix = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => {
    matrix.set(vector, i * dimensions);
  });
  return matrix;
}

function tokensOf(statements: readonly EncodedStatement[]): TokenMatrix {
  const some = statements.find(({ tokenIds }) => tokenIds.length > 0);
  return tokenMatrix(statements, some === undefined ? 1 : some.tokens.length / some.tokenIds.length);
}

function largestPerColumn(matrix: Float32Array, rows: number): Float64Array {
  const columns = matrix.length / rows;
  return Float64Array.from({ length: columns }, (_, c) => {
    let largest = -Infinity;
    for (let r = 0; r < rows; r++) largest = Math.max(largest, matrix[r * columns + c]);
    return largest;
  });
}
