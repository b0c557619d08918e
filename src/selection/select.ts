import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { agreement } from '../kernel/agreement.ts';
import { centred, centring } from '../kernel/centring.ts';
import { coverage } from '../kernel/coverage.ts';
import { logQuality } from '../kernel/quality.ts';
import { type Reference, readReference, readRows } from '../kernel/reference.ts';
import { salience } from '../kernel/salience.ts';
import type { Similarity } from '../kernel/similarity.ts';
import type { MatrixProduct } from '../linear-algebra/matrix-product.ts';
import { automaticSize } from './automatic-size.ts';
import { fitToWords } from './fit-to-words.ts';
import { improve } from './improve.ts';
import { kernelRows } from './kernel-rows.ts';
import { type Objective, objective } from './objective.ts';
import type { SelectionOptions } from './options.ts';
import { strategies } from './registry.ts';
import { rowsOnDemand } from './rows-on-demand.ts';
import type { Pick, StoppedBy } from './strategy.ts';
import { type Nearest, support } from './support.ts';

/** Gated points to select from, in canonical order. */
export interface SelectionInput {
  /** S, which the kernel is made of. */
  readonly similarity: Similarity;
  /** Further evidence of agreement; null where there is none. */
  readonly plain: Similarity | null;
  readonly wording: Similarity | null;
  readonly cosine: Similarity | null;
  /** Similarity of what stands around the points, and how far it counts, in [0, 1]; null where it does not. */
  readonly context: { readonly similarity: Similarity; readonly share: number } | null;
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
  /** What the summary can hold; null without a bound. */
  readonly room: { readonly maxWords: number; readonly reserve: number } | null;
}

export interface Selection {
  /** In rank order, after those that the summary cannot hold were let go. */
  readonly picks: readonly Pick[];
  /** Picks that the summary could not hold. */
  readonly dropped: readonly number[];
  readonly stoppedBy: StoppedBy;
  readonly objective: number;
  readonly logDeterminant: number;
  readonly expectedSize: number | null;
  readonly sigma: number | null;
  readonly coverageThreshold: number | null;
  readonly landmarks: number | null;
  readonly salience: Float64Array;
  /** Gain of every point after the last pick; of picked points the gain when picked. */
  readonly gains: Float64Array;
  readonly nearest: Nearest;
  /** S between picked points, row-major, in pick order. */
  readonly pickedSimilarity: Float32Array;
}

/** Builds the kernel over the gated points, runs the strategy, and finds who supports what it picked. */
export async function select(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
): Promise<Selection> {
  const { similarity, documents, words, room } = input;
  const { n } = similarity;
  const reference = await readReference(similarity, input.hashes);
  const cosineReference = input.cosine === null ? null : await readRows(input.cosine, reference);
  const rows = rowsOnDemand(similarity, reference);
  const cosines = input.cosine && cosineReference ? rowsOnDemand(input.cosine, cosineReference) : null;

  const centre = centring(reference);
  const evidence = {
    plain: await valuesOf(input.plain, reference),
    wording: await valuesOf(input.wording, reference),
    cosines: cosineReference?.similarities ?? null,
  };
  const agreed = await agreement(reference, centre, evidence, options.support, product);
  const agreementWith = async (i: number): Promise<Float32Array> =>
    agreed.row(i, await rows(i), (await cosines?.(i)) ?? null);
  const isReference = new Set(reference.indices);
  const supporters = salience(reference, agreed.values, documents, options.salience.threshold);

  const { kernelRow, sigma } = await kernelRows(reference, rows, input.context, options.kernel);
  const quality = logQuality({ ...input, salience: supporters }, options);
  const cover =
    options.coverage.weight === 0 ? null : coverage(reference, agreed, documents, options.coverage.threshold);
  const newObjective = (): Objective =>
    objective(
      incrementalLogDet(new Float64Array(n).fill(1), quality),
      kernelRow,
      cover?.start() ?? null,
      options.coverage.weight,
    );

  const size = await automaticSize(options.size, { quality, kernelRow, words, maxWords: input.autoWords });
  const result = await strategies[options.strategy]({
    objective: newObjective(),
    relevance: input.relevance,
    fits: size.fits,
    limit: size.limit,
  });
  const improved =
    options.refine && cover !== null && options.strategy === 'dpp-map'
      ? await improve(
          result.picks.map(({ item }) => item),
          {
            newObjective,
            agreementWith,
            similarityRow: async (i) => (await rows(i)).map((s, j) => centred(s, centre, i, j)),
            isAtHand: (i) => isReference.has(i),
            documents,
            factors: input.factors,
            threshold: options.support.threshold,
          },
        )
      : result.picks.map(({ item }) => item);
  const held = fitToWords(
    improved.map((item) => words[item]),
    room?.maxWords ?? null,
    room?.reserve ?? 0,
  );
  const selected = held.map((rank) => improved[rank]);
  const target = newObjective();
  const picks = await repick(target, selected);

  const selectedRows = await Promise.all(
    selected.map(async (i) => ({
      similarity: await rows(i),
      agreement: await agreementWith(i),
      cosines: (await cosines?.(i)) ?? null,
    })),
  );
  const gains = Float64Array.from({ length: n }, (_, i) => target.gain(i));
  for (const { item, gain } of picks) gains[item] = gain;
  return {
    picks,
    dropped: improved.filter((item) => !selected.includes(item)),
    stoppedBy: result.stoppedBy,
    objective: target.value,
    logDeterminant: target.logDeterminant,
    expectedSize: size.expectedSize,
    sigma,
    coverageThreshold: cover?.threshold ?? null,
    landmarks: reference.landmarks,
    salience: supporters,
    gains,
    nearest: support(selected, selectedRows, n, options.support),
    pickedSimilarity: Float32Array.from(selected.flatMap((_, a) => selected.map((j) => selectedRows[a].similarity[j]))),
  };
}

async function valuesOf(similarity: Similarity | null, reference: Reference): Promise<Float32Array | null> {
  return similarity === null ? null : (await readRows(similarity, reference)).similarities;
}

/** Picks given items in their order, for what each adds. */
async function repick(target: Objective, items: readonly number[]): Promise<Pick[]> {
  const picks: Pick[] = [];
  for (const item of items) {
    picks.push({ item, gain: target.gain(item) });
    await target.pick(item);
  }
  return picks;
}
