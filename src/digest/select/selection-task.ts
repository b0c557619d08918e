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

/** What of a selection among statements no option moves but those of their similarity: laid out to be compared. */
export interface LaidStatements extends Pick<SelectionTask, 'documents' | 'hashes'> {
  readonly sentences: readonly Float32Array[];
  readonly texts: readonly string[];
  /** Null where they are compared by their sentence vectors alone. */
  readonly tokens: TokenMatrix | null;
  /** Unit vectors of what stands around them; null where it is not known. */
  readonly context: readonly Float32Array[] | null;
}

/** The rest of a selection: a few numbers for each item. */
export interface SelectionSettings extends Omit<SelectionTask, 'source' | 'context' | 'documents' | 'hashes'> {
  /** How far the surroundings count. */
  readonly share: number;
}

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
export interface KnownSimilarityTask {
  readonly statements: readonly EncodedStatement[];
  readonly background: readonly EncodedStatement[];
  readonly similarity: 'bertscore' | 'cosine';
  readonly idf: number;
}

/** Largest similarity of each statement to what the reader knows. */
export async function runKnownSimilarity(
  { statements, background, similarity, idf }: KnownSimilarityTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  if (background.length === 0 || statements.length === 0) return new Float64Array(statements.length);
  if (similarity === 'cosine') {
    const vectors = statements.map(({ sentence }) => sentence);
    return knownByCosine(vectors, background, product);
  }
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

/** Lays out the statements of a task, for any number of selections with the same similarity. */
export function layOut(
  { documents, hashes, source, context }: SelectionTask,
  similarity: SelectionOptions['kernel']['similarity'],
): LaidStatements {
  if (source.kind !== 'statements') throw new TypeError('only statements can be laid out');
  const { statements, texts } = source;
  return {
    documents,
    hashes,
    texts,
    sentences: statements.map(({ sentence }) => sentence),
    tokens: similarity === 'cosine' ? null : tokenMatrix(statements, tokenDimensions(statements)),
    context: context?.vectors ?? null,
  };
}

/** What a task holds beside its statements. */
export function settingsOf({
  source: _,
  context,
  documents: _d,
  hashes: _h,
  ...rest
}: SelectionTask): SelectionSettings {
  return { ...rest, share: context?.share ?? 0 };
}

/**
 * Selects among statements that are laid out.
 *
 * @param options with the similarity that they were laid out for
 * @param memory keeps what depends on the statements, the similarity and its `idf` alone
 */
export async function runLaidSelection(
  laid: LaidStatements,
  settings: SelectionSettings,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory,
): Promise<Selection> {
  return select(await laidInput(laid, settings, options, product, memory), options, product, memory);
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

const NONE = { kernel: null, vectors: null, plain: null, wording: null, cosine: null, context: null, known: null };

async function inputOf(
  task: SelectionTask,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<SelectionInput> {
  const { source, context: _, background: _b, ...input } = task;
  if (source.kind === 'kernel') {
    const kernel = givenKernel(source.values, input.relevance.length);
    return { ...input, ...NONE, kernel, similarity: givenSimilarity(kernel) };
  }
  if (source.kind === 'vectors') {
    const { vectors } = source;
    return { ...input, ...NONE, vectors, similarity: cosineOf(vectors, product) };
  }
  return laidInput(layOut(task, options.kernel.similarity), settingsOf(task), options, product, NO_MEMORY);
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
  const weights = await memory.keep('weights', String(options.kernel.idf), tokens.tokenIds.byteLength, async () =>
    tokenWeights(tokens, options.kernel.idf),
  );
  // Plain BERTScore comes along with the weighted one at little cost, where agreement asks for it.
  const weightSets = asksForAgreement(options) ? [weights, tokenWeights(tokens, 0)] : [weights];
  const [similarity, plain = null] = bertScores(tokens, weightSets, product);
  const known = knows ? await knownByScore(tokens, background, weights, options.kernel.idf, product) : null;
  return { ...input, similarity, plain, known };
}

/** A similarity that is made when it is first read. */
function whenRead(n: number, make: () => Similarity): Similarity {
  let made: Similarity | undefined;
  const similarity = (): Similarity => {
    made ??= make();
    return made;
  };
  return { n, matrix: () => similarity().matrix(), rows: (indices) => similarity().rows(indices) };
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

/**
 * @param vectors at least one
 * @param background at least one
 */
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
