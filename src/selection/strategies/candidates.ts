import type { MatrixProduct } from '../../models/index.ts';
import { expectedSize } from '../dpp/dpp.ts';
import { seededRandom } from '../dpp/random.ts';
import { agreement, salience } from '../kernel/agreement.ts';
import { coverage, sources, weightedSum } from '../kernel/coverage.ts';
import { type Context, type Kernel, similarityKernel, vectorKernel } from '../kernel/kernel.ts';
import { type Memory, NO_MEMORY, scoped } from '../kernel/memory.ts';
import { logQuality } from '../kernel/quality.ts';
import {
  ALL_ITEMS_LIMIT,
  centring,
  FLOAT,
  type Reference,
  readRows,
  referencesAmong,
  rowsOnDemand,
  rowsWithin,
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

export type Candidates = Awaited<ReturnType<typeof candidates>>;
export type KernelFacts = Awaited<ReturnType<Candidates['facts']>>;

export function asksForAgreement({
  strategy,
  coverage: { weight },
  salience: { weight: b },
  support,
}: SelectionOptions) {
  return strategies[strategy].needs?.coverage === true || weight > 0 || b > 0 || support.threshold !== null;
}

/** @param memory keeps what depends on the similarities, hashes and documents alone */
export async function candidates(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory = NO_MEMORY,
) {
  const { similarity, hashes, relevance, documents } = input;
  const { strategy, size: asked } = options;
  const { n } = similarity;
  const needsMatrix = strategies[strategy].needs?.matrix === true || (asked === 'auto' && input.auto.points === null);
  const needsEvidence = asksForAgreement(options);
  const needsMedian = input.kernel === null && options.kernel.form === 'gaussian' && options.kernel.sigma === 'median';
  const needsReference = needsEvidence || needsMedian || (input.context !== null && input.context.share > 0);
  const isWholeRead = needsMatrix && n <= DENSE_LIMIT && (n > ALL_ITEMS_LIMIT || !needsReference);
  // A backend may round the same pair differently in another reading, so the two are not mixed.
  const own = scoped(memory, isWholeRead || n <= ALL_ITEMS_LIMIT ? 'all' : 'landmarks');
  const read = (items: readonly number[]) =>
    own.keep('S', '', items.length * n * FLOAT, () => readRows(similarity, items));
  const whole = isWholeRead ? await read(indicesOf(n)) : null;
  const references = needsReference ? referencesAmong(hashes) : null;
  const reference = references && (whole === null ? await read(references) : rowsWithin(whole, references));
  const rows = rowsOnDemand(similarity, whole ?? reference, memory);

  const evidence =
    needsEvidence && reference !== null ? await evidenceOf(input, reference, rows, options, product, own) : null;
  const salience = evidence?.salience ?? new Float64Array(n);
  const weights = logQuality({ ...input, salience }, options);
  const isPlain = options.kernel.form === 'linear' && (input.context === null || input.context.share === 0);
  const kernel =
    input.kernel ??
    (isPlain && input.vectors !== null
      ? vectorKernel(input.vectors, weights)
      : await similarityKernel(rows, reference, input.context, weights, options.kernel, own));
  const quality = kernel.logQuality.map(Math.exp);
  const newBonus = () =>
    weightedSum([
      [options.coverage.weight, evidence?.coverage?.start() ?? null],
      [options.sources.weight, sources(documents, quality)],
    ]);
  const newObjective = (floors?: Float64Array) => objective(kernel, newBonus(), floors);

  const isFixed = strategy === 'k-dpp' && asked !== null && asked !== 'auto' && 'keyPoints' in asked;
  let made: Promise<SampledKernel> | null = null;
  const dpp = (): Promise<SampledKernel> => {
    made ??= sampledKernel(kernel, hashes, isFixed ? asked.keyPoints : null);
    return made;
  };
  const strategyInput: StrategyInput = {
    kernel,
    items: indicesOf(n),
    similarityRow: rows,
    coverage: evidence?.coverage ?? null,
    newBonus,
    newObjective: () => newObjective(),
    dpp,
    relevance,
    ...(await resolveSize(asked, input.words, input.auto, async () => expectedSize((await dpp()).dpp))),
    chosen: input.chosen ?? [],
    random: seededRandom(options.seed),
    options,
  };
  return {
    strategyInput,
    restrictedTo(items: readonly number[]): StrategyInput {
      const floors = new Float64Array(n).fill(Number.POSITIVE_INFINITY); // items up to their floor are never picked
      for (const i of items) floors[i] = Math.max(items.length, 4) * Number.EPSILON * Math.abs(kernel.diagonal[i]);
      return { ...strategyInput, items, newObjective: () => newObjective(floors) };
    },
    evidence,
    /** Facts about the kernel so far; null if not computed. */
    async facts() {
      const sampled = await made;
      const landmarks = reference !== null && reference.indices.length < n ? reference.indices.length : null;
      return {
        expectedSize: sampled && expectedSize(sampled.dpp),
        /** P(i in S) under the DPP of the kernel; null for a k-DPP, whose own would take the whole spectrum. */
        marginals: strategy === 'k-dpp' ? null : (sampled?.dpp.marginals() ?? null),
        clippedMass: sampled?.clippedMass ?? null,
        residual: sampled?.residual ?? null,
        totalVariation: sampled?.totalVariation ?? null,
        landmarks: landmarks ?? sampled?.landmarks ?? null,
        sigma: kernel.sigma,
        coverageThreshold: evidence?.coverage?.threshold ?? null,
        salience: evidence?.salience ?? null,
      };
    },
  };
}

const TABLES = 3;

async function evidenceOf(
  { plain, wording, cosine, documents }: SelectionInput,
  reference: Reference,
  rows: (i: number) => Promise<Float32Array>,
  { strategy, support, salience: { threshold }, coverage: { weight, threshold: least } }: SelectionOptions,
  product: MatrixProduct,
  memory: Memory,
) {
  const { n, indices } = reference;
  const table = indices.length * n * FLOAT;
  const own = scoped(memory, `agreement ${support.paraphrase} ${support.unlike}`);
  const near = cosine && (await memory.keep('cosines', '', table, () => readRows(cosine, indices)));
  const cosines = cosine && near && rowsOnDemand(cosine, near, memory, 'cosine');
  const { centre, agreed } = await own.keep('values', '', TABLES * table, async () => {
    const valuesOf = async (similarity: Similarity | null) =>
      similarity && (await readRows(similarity, indices)).similarities;
    const evidence = {
      plain: await valuesOf(plain),
      wording: await valuesOf(wording),
      cosines: near?.similarities ?? null,
    };
    const centre = centring(reference);
    return { centre, agreed: await agreement(reference, centre, evidence, support, product) };
  });
  const needsCoverage = strategies[strategy].needs?.coverage === true || weight > 0;
  return {
    reference,
    centre,
    agreementWith: (i: number) =>
      own.keep(`row ${i}`, '', n * FLOAT, async () => agreed.row(i, await rows(i), (await cosines?.(i)) ?? null)),
    /** Sentence cosines of a point with all; null if there are none. */
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
async function resolveSize(
  size: Size | null,
  words: Int32Array,
  auto: AutoSize,
  expectedSize: () => Promise<number>,
): Promise<Pick<StrategyInput, 'limit' | 'fits'>> {
  const asked: { keyPoints?: number; words?: number | null } =
    size === 'auto'
      ? { keyPoints: auto.points ?? Math.max(1, Math.round(await expectedSize())), words: auto.words }
      : (size ?? {});
  const { keyPoints: limit = Number.POSITIVE_INFINITY, words: budget = null } = asked;
  return {
    limit,
    fits: (item, picked) =>
      budget === null || picked.length === 0 || picked.reduce((sum, i) => sum + words[i], words[item]) <= budget,
  };
}
