import type { MatrixProduct } from '../../models/index.ts';
import { expectedSize } from '../dpp/dpp.ts';
import { seededRandom } from '../dpp/random.ts';
import { agreement, salience } from '../kernel/agreement.ts';
import { type Coverage, coverage, sources, weightedSum } from '../kernel/coverage.ts';
import { type Context, type Kernel, similarityKernel, vectorKernel } from '../kernel/kernel.ts';
import { type Memory, NO_MEMORY, scoped } from '../kernel/memory.ts';
import { logQuality } from '../kernel/quality.ts';
import {
  ALL_ITEMS_LIMIT,
  type Centring,
  centring,
  FLOAT,
  landmarksAmong,
  type Reference,
  readEverything,
  readReference,
  readRows,
  referenceWithin,
  rowsOnDemand,
} from '../kernel/reference.ts';
import { indicesOf, type Similarity } from '../kernel/similarity.ts';
import { objective } from './objective.ts';
import { type SelectionOptions, strategies } from './registry.ts';
import { DENSE_LIMIT, sampledKernel } from './sampling.ts';
import type { SampledKernel, Size, StrategyInput } from './strategy.ts';

export interface SelectionInput {
  readonly similarity: Similarity;
  readonly kernel: Kernel | null;
  readonly vectors: readonly Float32Array[] | null;
  readonly plain: Similarity | null;
  readonly wording: Similarity | null;
  readonly cosine: Similarity | null;
  readonly context: Context | null;
  readonly relevance: Float64Array;
  readonly documents: Int32Array;
  readonly words: Int32Array;
  readonly hashes: readonly string[];
  readonly factors: Float64Array;
  readonly known: Float64Array | null;
  readonly auto: AutoSize;
  readonly eligible: Uint8Array | null;
  readonly chosen?: readonly number[] | null | undefined;
  readonly room: Room | null;
}

/** Max points and words of a selection of size `auto`; null words for no bound, null points for the expected size of the DPP. */
export interface AutoSize {
  readonly points: number | null;
  readonly words: number | null;
  readonly fills?: boolean | undefined;
}

interface Room {
  readonly maxWords: number | null;
  readonly reserve: number;
  readonly picks: number | null;
}

interface Evidence {
  readonly reference: Reference;
  readonly centre: Centring;
  readonly agreementWith: (i: number) => Promise<Float32Array>;
  /** Sentence cosines of a point with all; null if there are none. */
  readonly cosines: ((i: number) => Promise<Float32Array>) | null;
  readonly salience: Float64Array;
  readonly coverage: Coverage | null;
}

export interface Candidates {
  readonly strategyInput: StrategyInput;
  readonly restrictedTo: (items: readonly number[]) => StrategyInput;
  readonly evidence: Evidence | null;
  readonly landmarks: number | null;
  readonly sampled: () => Promise<SampledKernel | null>;
  /** Expected size of draws if all items were equally relevant; null if it does not depend on relevance scores. */
  readonly sizeWithoutRelevance: (() => Promise<number>) | null;
}

export function asksForAgreement({
  strategy,
  coverage: { weight },
  salience: { weight: b },
  support,
}: SelectionOptions) {
  return strategies[strategy].needs.coverage === true || weight > 0 || b > 0 || support.threshold !== null;
}

/** @param memory keeps what depends on the similarities, hashes and documents alone */
export async function candidates(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory = NO_MEMORY,
): Promise<Candidates> {
  const { needs } = strategies[options.strategy];
  const { similarity, hashes, relevance } = input;
  const { n } = similarity;
  const needsMatrix = needs.matrix === true || (options.size === 'auto' && input.auto.points === null);
  const needsEvidence = asksForAgreement(options);
  const needsMedian = input.kernel === null && options.kernel.form === 'gaussian' && options.kernel.sigma === 'median';
  const hasContext = input.context !== null && input.context.share > 0;
  const needsReference = needsEvidence || needsMedian || hasContext;
  const isWholeRead = needsMatrix && n <= DENSE_LIMIT && (n > ALL_ITEMS_LIMIT || !needsReference);
  const readsAll = isWholeRead || n <= ALL_ITEMS_LIMIT;
  // A backend may round the same pair differently in another reading, so the two are not mixed.
  const own = scoped(memory, readsAll ? 'all' : 'landmarks');
  const whole = isWholeRead ? await own.keep('S', '', n * n * FLOAT, () => readEverything(similarity)) : null;
  const reference = needsReference ? await referenceOf(input, whole, own) : null;
  const rows = rowsOnDemand(similarity, whole ?? reference, memory);

  const evidence =
    needsEvidence && reference !== null ? await evidenceOf(input, reference, rows, options, product, own) : null;
  const kernelWith = async (relevance: Float64Array): Promise<Kernel> => {
    const salience = evidence?.salience ?? new Float64Array(n);
    const quality = logQuality({ ...input, relevance, salience }, options);
    return kernelOf(input, options, rows, reference, quality, own);
  };
  const kernel = await kernelWith(relevance);
  const quality = kernel.logQuality.map(Math.exp);
  const newBonus = () =>
    weightedSum([
      [options.coverage.weight, evidence?.coverage?.start() ?? null],
      [options.sources.weight, sources(input.documents, quality)],
    ]);
  const newObjective = (floors?: Float64Array) => objective(kernel, newBonus(), floors);

  let made: Promise<SampledKernel> | null = null;
  const { size: asked } = options;
  const isFixed = options.strategy === 'k-dpp' && asked !== null && asked !== 'auto' && 'keyPoints' in asked;
  const dpp = (): Promise<SampledKernel> => {
    made ??= sampledKernel(kernel, hashes, isFixed ? asked.keyPoints : null);
    return made;
  };
  const isOwnSize = options.strategy === 'dpp-sample' || (options.strategy === 'k-dpp' && asked === 'auto');
  const isScored = input.kernel === null && options.relevance.form === 'score' && relevance.some((r) => r !== 1);
  const sizeWithoutRelevance = async (): Promise<number> => {
    const alike = await kernelWith(new Float64Array(n).fill(1));
    return expectedSize((await sampledKernel(alike, hashes, null)).dpp);
  };
  const size = await resolveSize(options.size, input.words, input.auto, async () => expectedSize((await dpp()).dpp));
  const strategyInput: StrategyInput = {
    kernel,
    items: indicesOf(n),
    similarityRow: rows,
    coverage: evidence?.coverage ?? null,
    newBonus,
    newObjective: () => newObjective(),
    dpp,
    relevance,
    limit: size.limit,
    fits: size.fits,
    chosen: input.chosen ?? [],
    random: seededRandom(options.seed),
    options,
  };
  return {
    strategyInput,
    restrictedTo(items) {
      const floors = new Float64Array(n).fill(Number.POSITIVE_INFINITY); // items up to their floor are never picked
      for (const i of items) floors[i] = Math.max(items.length, 4) * Number.EPSILON * Math.abs(kernel.diagonal[i]);
      return { ...strategyInput, items, newObjective: () => newObjective(floors) };
    },
    evidence,
    landmarks: reference?.landmarks ?? null,
    sampled: async () => made,
    sizeWithoutRelevance: isOwnSize && isScored ? sizeWithoutRelevance : null,
  };
}

async function referenceOf(
  { similarity, hashes }: SelectionInput,
  whole: Reference | null,
  memory: Memory,
): Promise<Reference> {
  if (whole !== null) return referenceWithin(whole, hashes);
  const { n } = similarity;
  const rows = n <= ALL_ITEMS_LIMIT ? n : landmarksAmong(n);
  return memory.keep('S', '', rows * n * FLOAT, () => readReference(similarity, hashes));
}

async function kernelOf(
  { kernel, vectors, context }: SelectionInput,
  options: SelectionOptions,
  rows: (i: number) => Promise<Float32Array>,
  reference: Reference | null,
  quality: Float64Array,
  memory: Memory,
): Promise<Kernel> {
  if (kernel !== null) return kernel;
  const isPlain = options.kernel.form === 'linear' && (context === null || context.share === 0);
  if (isPlain && vectors !== null) return vectorKernel(vectors, quality);
  return similarityKernel(rows, reference, context, quality, options.kernel, memory);
}

const TABLES = 3;

async function evidenceOf(
  { plain, wording, cosine, documents }: SelectionInput,
  reference: Reference,
  rows: (i: number) => Promise<Float32Array>,
  { strategy, support, salience: { threshold }, coverage: { weight, threshold: least } }: SelectionOptions,
  product: MatrixProduct,
  memory: Memory,
): Promise<Evidence> {
  const { n, indices } = reference;
  const { paraphrase, unlike } = support;
  const table = indices.length * n * FLOAT;
  const own = scoped(memory, `agreement ${paraphrase} ${unlike}`);
  const near = cosine && (await memory.keep('cosines', '', table, () => readRows(cosine, reference)));
  const cosines = cosine && near && rowsOnDemand(cosine, near, memory, 'cosine');
  const { centre, agreed } = await own.keep('values', '', TABLES * table, async () => {
    const found = centring(reference);
    const valuesOf = async (similarity: Similarity | null) =>
      similarity && (await readRows(similarity, reference)).similarities;
    const evidence = {
      plain: await valuesOf(plain),
      wording: await valuesOf(wording),
      cosines: near?.similarities ?? null,
    };
    return { centre: found, agreed: await agreement(reference, found, evidence, support, product) };
  });
  const agreementOf = async (i: number): Promise<Float32Array> =>
    agreed.row(i, await rows(i), (await cosines?.(i)) ?? null);
  const needsCoverage = strategies[strategy].needs.coverage === true || weight > 0;
  return {
    reference,
    centre,
    agreementWith: (i) => own.keep(`row ${i}`, '', n * FLOAT, () => agreementOf(i)),
    cosines,
    salience: await own.keep('salience', String(threshold), 2 * n * FLOAT, async () =>
      salience(reference, agreed.values, documents, threshold),
    ),
    coverage: needsCoverage
      ? await own.keep('coverage', JSON.stringify(least), 2 * table, async () =>
          coverage(reference, agreed, documents, least),
        )
      : null,
  };
}

/** Turns a size into a limit and a word budget. `auto` without a number takes the expected size of the DPP, at least 1. */
export async function resolveSize(
  size: Size | null,
  words: Int32Array,
  auto: AutoSize,
  expectedSize: () => Promise<number>,
): Promise<Pick<StrategyInput, 'limit' | 'fits'>> {
  const within =
    (budget: number) =>
    (item: number, picked: readonly number[]): boolean =>
      picked.length === 0 || picked.reduce((sum, i) => sum + words[i], words[item]) <= budget;
  const always = (): boolean => true;
  if (size === null) return { limit: Number.POSITIVE_INFINITY, fits: always };
  if (size === 'auto') {
    const limit = auto.points ?? Math.max(1, Math.round(await expectedSize()));
    return { limit, fits: auto.words === null ? always : within(auto.words) };
  }
  return 'keyPoints' in size
    ? { limit: size.keyPoints, fits: always }
    : { limit: Number.POSITIVE_INFINITY, fits: within(size.words) };
}
