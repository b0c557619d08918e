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
  type Memory,
  NO_MEMORY,
  type Selection,
  type SelectionInput,
  type SelectionOptions,
  type Similarity,
  select,
  type TokenMatrix,
  tokenMatrix,
  tokenWeights,
} from '../../selection/index.ts';
import { lazy } from '../../text/index.ts';

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

/** Statements laid out for any number of selections with the same similarity. */
export interface LaidStatements extends Omit<SelectionItems, 'source'> {
  readonly sentences: readonly Float32Array[];
  readonly texts: readonly string[];
  readonly tokens: TokenMatrix | null;
}

export function layOut(
  { source, ...items }: SelectionItems,
  similarity: SelectionOptions['kernel']['similarity'],
): LaidStatements {
  if (source.kind !== 'statements') throw new TypeError('only statements can be laid out');
  const { statements, texts } = source;
  const sentences = statements.map(({ sentence }) => sentence);
  return { ...items, texts, sentences, tokens: similarity === 'cosine' ? null : tokensOf(statements) };
}

/** `options` must have the similarity of the layout. `memory` keeps results by statements, similarity and `idf`. */
export async function runLaidSelection(
  laid: LaidStatements,
  settings: SelectionSettings,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory,
): Promise<Selection> {
  return select(await laidInput(laid, settings, options, product, memory), options, product, memory);
}

const NONE = { kernel: null, vectors: null, plain: null, wording: null, cosine: null, context: null, known: null };

async function inputOf(
  { items, settings }: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<SelectionInput> {
  const { source, documents, hashes } = items;
  if (source.kind === 'statements') {
    return laidInput(layOut(items, options.kernel.similarity), settings, options, product, NO_MEMORY);
  }
  const { background: _, share: _s, ...rest } = settings;
  const input = { ...rest, ...NONE, documents, hashes };
  if (source.kind === 'kernel') {
    const kernel = givenKernel(source.values, rest.relevance.length);
    return { ...input, kernel, similarity: givenSimilarity(kernel) };
  }
  return { ...input, vectors: source.vectors, similarity: cosineOf(source.vectors, product) };
}

async function laidInput(
  { sentences, texts, tokens, context, documents, hashes }: LaidStatements,
  { background, share, ...settings }: SelectionSettings,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory,
): Promise<SelectionInput> {
  const cosine = cosineOf(sentences, product);
  const input = {
    ...settings,
    ...NONE,
    documents,
    hashes,
    cosine,
    wording: whenRead(texts.length, () => gramSimilarity(texts)),
    context: context && { share, similarity: cosineOf(context, product) },
  };
  const knows = background.length > 0 && sentences.length > 0;
  if (tokens === null) {
    const known = knows ? await knownByCosine(sentences, background, product) : null;
    return { ...input, vectors: sentences, similarity: cosine, known };
  }
  const { idf } = options.kernel;
  const weights = await memory.keep('weights', String(idf), tokens.tokenIds.byteLength, async () =>
    tokenWeights(tokens, idf),
  );
  // Unweighted BERTScore, for agreement, adds little to the cost of the weighted one.
  const weightSets = asksForAgreement(options) ? [weights, tokenWeights(tokens, 0)] : [weights];
  const [similarity, plain = null] = bertScores(tokens, weightSets, product);
  const known = knows ? await knownByScore(tokens, background, weights, idf, product) : null;
  return { ...input, similarity, plain, known };
}

function whenRead(n: number, make: () => Similarity): Similarity {
  const made = lazy(make);
  return { n, rows: (indices) => made().rows(indices) };
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
  return knownByScore(items, background, tokenWeights(items, idf), idf, product);
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
