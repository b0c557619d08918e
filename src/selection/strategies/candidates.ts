import type { MatrixProduct } from '../../models/index.ts';
import { expectedSize } from '../dpp/dpp.ts';
import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { seededRandom } from '../dpp/random.ts';
import { agreement } from '../kernel/agreement.ts';
import { type Centring, centring } from '../kernel/centring.ts';
import { type Coverage, coverage } from '../kernel/coverage.ts';
import { type Context, type Kernel, similarityKernel, vectorKernel } from '../kernel/kernel.ts';
import { type Memory, NO_MEMORY, scoped } from '../kernel/memory.ts';
import { logQuality } from '../kernel/quality.ts';
import {
  ALL_ITEMS_LIMIT,
  landmarksAmong,
  type Reference,
  readEverything,
  readReference,
  readRows,
  referenceWithin,
} from '../kernel/reference.ts';
import { FLOAT, rowsOnDemand } from '../kernel/rows-on-demand.ts';
import { salience } from '../kernel/salience.ts';
import type { Similarity } from '../kernel/similarity.ts';
import { sources } from '../kernel/sources.ts';
import { type Bonus, weightedSum } from './bonus.ts';
import { type GreedyObjective, objective } from './objective.ts';
import { type SelectionOptions, strategies } from './registry.ts';
import { type AutoSize, resolveSize } from './resolve-size.ts';
import { DENSE_LIMIT, sampledKernel } from './sampled-kernel.ts';
import type { SampledKernel, StrategyInput } from './strategy.ts';

/** Items to select from, in canonical order. */
export interface SelectionInput {
  /** S, which the kernel is made of. */
  readonly similarity: Similarity;
  /** The kernel itself where it is given; null where it is made of S. */
  readonly kernel: Kernel | null;
  /** The vectors whose cosine S is; null where it is something else. */
  readonly vectors: readonly Float32Array[] | null;
  /** Further evidence of agreement; null where there is none. */
  readonly plain: Similarity | null;
  readonly wording: Similarity | null;
  readonly cosine: Similarity | null;
  readonly context: Context | null;
  readonly relevance: Float64Array;
  /** Document number of each point. */
  readonly documents: Int32Array;
  readonly words: Int32Array;
  /** Content hash of each point, which decides landmarks. */
  readonly hashes: readonly string[];
  /** Positive quality factor of each point. */
  readonly factors: Float64Array;
  /** Largest similarity of each point to what the reader knows; null without background. */
  readonly known: Float64Array | null;
  /** What bounds a selection of size `auto`. */
  readonly auto: AutoSize;
  /** 1 for items that may be picked; null for all. */
  readonly eligible: Uint8Array | null;
  /** Items that a language model chose; null where none was asked. */
  readonly chosen?: readonly number[] | null | undefined;
  /** What the summary can hold; null without a bound. */
  readonly room: Room | null;
}

/** Words of the summary and of its framing, and how many picks it can tell; null for no bound. */
interface Room {
  readonly maxWords: number | null;
  readonly reserve: number;
  readonly picks: number | null;
}

/** Who says the same, beyond being about the same subject. */
interface Evidence {
  readonly reference: Reference;
  readonly centre: Centring;
  /** Agreement of a point with all. */
  readonly agreementWith: (i: number) => Promise<Float32Array>;
  /** Sentence cosines of a point with all; null where there are none. */
  readonly cosines: ((i: number) => Promise<Float32Array>) | null;
  readonly salience: Float64Array;
  readonly coverage: Coverage | null;
}

/** What a strategy needs, and what the receipt is read from. */
export interface Candidates {
  readonly strategyInput: StrategyInput;
  /** Null where no option asks for it: only rows on demand are read then. */
  readonly evidence: Evidence | null;
  /** How many items the sums over all items run over; null for all. */
  readonly landmarks: number | null;
  /** The DPP of the kernel, where anything asked for it. */
  readonly sampled: () => Promise<SampledKernel | null>;
  /** What size its draws would have, were all items as relevant; null where relevance is no score that their size rests on. */
  readonly sizeWithoutRelevance: (() => Promise<number>) | null;
}

/** Whether anything in the options rests on who says the same. */
export function asksForAgreement({
  strategy,
  coverage: { weight },
  salience: { weight: b },
  support,
}: SelectionOptions) {
  return strategies[strategy].needs.coverage === true || weight > 0 || b > 0 || support.threshold !== null;
}

/**
 * Builds what the options and their strategy need, and no more.
 *
 * @param memory keeps what depends on the similarities, hashes and documents alone
 */
export async function candidates(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory = NO_MEMORY,
): Promise<Candidates> {
  const strategy = strategies[options.strategy];
  const { similarity, hashes, relevance } = input;
  const { n } = similarity;
  const needsMatrix = strategy.needs.matrix === true || (options.size === 'auto' && input.auto.points === null);
  const needsCoverage = strategy.needs.coverage === true || options.coverage.weight > 0;
  const needsEvidence = asksForAgreement(options);
  const needsMedian = input.kernel === null && options.kernel.form === 'gaussian' && options.kernel.sigma === 'median';
  const hasContext = input.context !== null && input.context.share > 0;
  const needsReference = needsEvidence || needsMedian || hasContext || strategy.needs.reference === true;
  const isWholeRead = needsMatrix && n <= DENSE_LIMIT && (n > ALL_ITEMS_LIMIT || !needsReference);
  const readsAll = isWholeRead || n <= ALL_ITEMS_LIMIT;
  // A backend may round the same pair apart in another reading: what rests on one is not mixed with the other.
  const own = scoped(memory, readsAll ? 'all' : 'landmarks');
  const whole = isWholeRead ? await own.keep('S', '', n * n * FLOAT, () => readEverything(similarity)) : null;
  const reference = !needsReference ? null : await referenceOf(input, whole, own);
  const rows = rowsOnDemand(similarity, whole ?? reference, memory);

  const evidence =
    needsEvidence && reference !== null
      ? await evidenceOf(input, { reference, rows, needsCoverage }, options, product, own)
      : null;
  const quality = logQuality({ ...input, salience: evidence?.salience ?? new Float64Array(n) }, options);
  const kernel = await kernelOf(input, options, rows, reference, quality, own);
  const newBonus = (): Bonus | null =>
    weightedSum([
      [options.coverage.weight, evidence?.coverage?.start() ?? null],
      [options.sources.weight, sources(input.documents, kernel.logQuality.map(Math.exp))],
    ]);
  const newObjective = (): GreedyObjective =>
    objective(incrementalLogDet(kernel.diagonal, kernel.logQuality), kernel.row, newBonus());

  let made: Promise<SampledKernel> | null = null;
  const { size: asked } = options;
  const isFixed = options.strategy === 'k-dpp' && asked !== null && asked !== 'auto' && 'keyPoints' in asked;
  const drawSize = isFixed ? asked.keyPoints : null;
  const dpp = (): Promise<SampledKernel> => {
    made ??= sampledKernel(kernel, hashes, drawSize);
    return made;
  };
  const isOwnSize = options.strategy === 'dpp-sample' || (options.strategy === 'k-dpp' && asked === 'auto');
  const isScored = input.kernel === null && options.relevance.form === 'score' && relevance.some((r) => r !== 1);
  const sizeWithoutRelevance = async (): Promise<number> => {
    const alike = { ...input, relevance: new Float64Array(n).fill(1) };
    const weights = logQuality({ ...alike, salience: evidence?.salience ?? new Float64Array(n) }, options);
    const other = await kernelOf(input, options, rows, reference, weights, own);
    return expectedSize((await sampledKernel(other, hashes, null)).dpp);
  };
  const size = await resolveSize(options.size, input.words, input.auto, async () => expectedSize((await dpp()).dpp));
  return {
    strategyInput: {
      kernel,
      similarityRow: rows,
      reference: () => present(reference),
      coverage: evidence?.coverage ?? null, // there where it is weighed or the strategy needs it
      newBonus,
      newObjective,
      dpp,
      relevance,
      limit: size.limit,
      fits: size.fits,
      chosen: input.chosen ?? [],
      random: seededRandom(options.seed),
      options,
    },
    evidence,
    landmarks: reference?.landmarks ?? null,
    sampled: async () => made,
    sizeWithoutRelevance: isOwnSize && isScored ? sizeWithoutRelevance : null,
  };
}

/** S where means and sums need it, out of the whole of it where that is read. */
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

/** The given kernel, or the one that the options make of the similarity. */
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

function present<T>(value: T | null): T {
  if (value === null) throw new TypeError('the strategy did not say that it needs this');
  return value;
}

async function evidenceOf(
  { plain, wording, cosine, documents }: SelectionInput,
  { reference, rows, needsCoverage }: EvidenceInput,
  { support, salience: { threshold }, coverage: { threshold: least } }: SelectionOptions,
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
    const evidence = {
      plain: await valuesOf(plain, reference),
      wording: await valuesOf(wording, reference),
      cosines: near?.similarities ?? null,
    };
    return { centre: found, agreed: await agreement(reference, found, evidence, support, product) };
  });
  const agreementOf = async (i: number): Promise<Float32Array> =>
    agreed.row(i, await rows(i), (await cosines?.(i)) ?? null);
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

/** What evidence is read from. */
interface EvidenceInput {
  readonly reference: Reference;
  readonly rows: (i: number) => Promise<Float32Array>;
  readonly needsCoverage: boolean;
}

/** As large as the reference each: levels, values and features of the agreement. */
const TABLES = 3;

async function valuesOf(similarity: Similarity | null, reference: Reference): Promise<Float32Array | null> {
  return similarity === null ? null : (await readRows(similarity, reference)).similarities;
}
