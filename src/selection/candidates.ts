import { expectedSize } from '../dpp/dpp.ts';
import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { seededRandom } from '../dpp/random.ts';
import { type Agreement, agreement } from '../kernel/agreement.ts';
import { type Centring, centring } from '../kernel/centring.ts';
import { type Coverage, coverage } from '../kernel/coverage.ts';
import { type Context, type Kernel, similarityKernel, vectorKernel } from '../kernel/kernel.ts';
import { logQuality } from '../kernel/quality.ts';
import {
  ALL_ITEMS_LIMIT,
  type Reference,
  readEverything,
  readReference,
  readRows,
  referenceWithin,
} from '../kernel/reference.ts';
import { rowsOnDemand } from '../kernel/rows-on-demand.ts';
import { salience } from '../kernel/salience.ts';
import type { Similarity } from '../kernel/similarity.ts';
import type { MatrixProduct } from '../linear-algebra/matrix-product.ts';
import { type Objective, objective } from './objective.ts';
import type { SelectionOptions } from './options.ts';
import { strategies } from './registry.ts';
import { resolveSize } from './resolve-size.ts';
import { DENSE_LIMIT, type SampledKernel, sampledKernel } from './sampled-kernel.ts';
import type { StrategyInput } from './strategy.ts';

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
  /** Words that an `auto` selection fills at most; null without a bound. */
  readonly autoWords: number | null;
  /** Items that a language model chose; null where none was asked. */
  readonly chosen?: readonly number[] | null | undefined;
  /** What the summary can hold; null without a bound. */
  readonly room: { readonly maxWords: number; readonly reserve: number } | null;
}

/** Who says the same, beyond being about the same subject. */
export interface Evidence {
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

/** Builds what the options and their strategy need, and no more. */
export async function candidates(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<Candidates> {
  const strategy = strategies[options.strategy];
  const { similarity, hashes, relevance } = input;
  const { n } = similarity;
  const needsMatrix = strategy.needs.matrix === true || options.size === 'auto';
  const needsCoverage = strategy.needs.coverage === true || options.coverage.weight > 0;
  const needsEvidence = asksForAgreement(options);
  const needsMedian = input.kernel === null && options.kernel.form === 'gaussian' && options.kernel.sigma === 'median';
  const hasContext = input.context !== null && input.context.share > 0;
  const needsReference = needsEvidence || needsMedian || hasContext || strategy.needs.reference === true;
  const isWholeRead = needsMatrix && n <= DENSE_LIMIT && (n > ALL_ITEMS_LIMIT || !needsReference);
  const whole = isWholeRead ? await readEverything(similarity) : null;
  const reference = !needsReference
    ? null
    : whole === null
      ? await readReference(similarity, hashes)
      : referenceWithin(whole, hashes);
  const rows = rowsOnDemand(similarity, whole ?? reference);

  const evidence =
    needsEvidence && reference !== null
      ? await evidenceOf(input, reference, rows, options, needsCoverage, product)
      : null;
  const quality = logQuality({ ...input, salience: evidence?.salience ?? new Float64Array(n) }, options);
  const kernel = await kernelOf(input, options, rows, reference, quality);
  const isWeighed = options.coverage.weight > 0;
  const newObjective = (): Objective =>
    objective(
      incrementalLogDet(kernel.diagonal, kernel.logQuality),
      kernel.row,
      isWeighed ? (evidence?.coverage?.start() ?? null) : null,
      options.coverage.weight,
    );

  let made: Promise<SampledKernel> | null = null;
  const { size: asked } = options;
  const isFixed = options.strategy === 'k-dpp' && asked !== null && asked !== 'auto' && 'keyPoints' in asked;
  const drawSize = isFixed ? asked.keyPoints : null;
  const dpp = (): Promise<SampledKernel> => {
    made ??= sampledKernel(kernel, hashes, drawSize);
    return made;
  };
  const size = await resolveSize(options.size, input.words, input.autoWords, async () =>
    expectedSize((await dpp()).dpp),
  );
  return {
    strategyInput: {
      kernel,
      similarityRow: rows,
      reference: () => present(reference),
      coverage: evidence?.coverage ?? null, // there where it is weighed or the strategy needs it
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
  };
}

/** The given kernel, or the one that the options make of the similarity. */
async function kernelOf(
  { kernel, vectors, context }: SelectionInput,
  options: SelectionOptions,
  rows: (i: number) => Promise<Float32Array>,
  reference: Reference | null,
  quality: Float64Array,
): Promise<Kernel> {
  if (kernel !== null) return kernel;
  const isPlain = options.kernel.form === 'linear' && (context === null || context.share === 0);
  if (isPlain && vectors !== null) return vectorKernel(vectors, quality);
  return similarityKernel(rows, reference, context, quality, options.kernel);
}

function present<T>(value: T | null): T {
  if (value === null) throw new TypeError('the strategy did not say that it needs this');
  return value;
}

async function evidenceOf(
  input: SelectionInput,
  reference: Reference,
  rows: (i: number) => Promise<Float32Array>,
  options: SelectionOptions,
  needsCoverage: boolean,
  product: MatrixProduct,
): Promise<Evidence> {
  const { documents } = input;
  const cosineReference = input.cosine === null ? null : await readRows(input.cosine, reference);
  const cosines = input.cosine && cosineReference ? rowsOnDemand(input.cosine, cosineReference) : null;
  const centre = centring(reference);
  const agreed: Agreement = await agreement(
    reference,
    centre,
    {
      plain: await valuesOf(input.plain, reference),
      wording: await valuesOf(input.wording, reference),
      cosines: cosineReference?.similarities ?? null,
    },
    options.support,
    product,
  );
  return {
    reference,
    centre,
    agreementWith: async (i) => agreed.row(i, await rows(i), (await cosines?.(i)) ?? null),
    cosines,
    salience: salience(reference, agreed.values, documents, options.salience.threshold),
    coverage: needsCoverage ? coverage(reference, agreed, documents, options.coverage.threshold) : null,
  };
}

async function valuesOf(similarity: Similarity | null, reference: Reference): Promise<Float32Array | null> {
  return similarity === null ? null : (await readRows(similarity, reference)).similarities;
}
