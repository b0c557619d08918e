import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { centring } from '../kernel/centring.ts';
import { coverage } from '../kernel/coverage.ts';
import { complementDistance, euclideanDistance, gaussian, medianSigma } from '../kernel/gaussian.ts';
import { logQuality } from '../kernel/quality.ts';
import { readReference } from '../kernel/reference.ts';
import { salience } from '../kernel/salience.ts';
import type { Similarity } from '../kernel/similarity.ts';
import { automaticSize } from './automatic-size.ts';
import { fitToWords } from './fit-to-words.ts';
import { type Objective, objective } from './objective.ts';
import type { SelectionOptions } from './options.ts';
import { strategies } from './registry.ts';
import { rowsOnDemand } from './rows-on-demand.ts';
import type { Pick, StoppedBy } from './strategy.ts';
import { type Nearest, support } from './support.ts';

/** Gated points to select from, in canonical order. */
export interface SelectionInput {
  readonly similarity: Similarity;
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
export async function select(input: SelectionInput, options: SelectionOptions): Promise<Selection> {
  const { similarity, documents, words, room } = input;
  const { n } = similarity;
  const reference = await readReference(similarity, input.hashes);
  const rows = rowsOnDemand(similarity, reference);
  const centre = centring(reference);
  const { paraphrase } = options.support;
  const supporters = salience(reference, centre, documents, options.salience.threshold, paraphrase);

  const distance = options.kernel.similarity === 'cosine' ? euclideanDistance : complementDistance;
  const sigma = options.kernel.sigma === 'median' ? medianSigma(reference, distance) : options.kernel.sigma;
  const form = options.kernel.form === 'gaussian' ? gaussian(distance, sigma) : (s: number) => s;
  const kernelRow = async (i: number): Promise<Float64Array> => Float64Array.from(await rows(i), form);
  const quality = logQuality({ ...input, salience: supporters }, options);
  const cover =
    options.coverage.weight === 0
      ? null
      : coverage(reference, centre, documents, paraphrase, options.coverage.threshold);
  const newObjective = (): Objective =>
    objective(
      incrementalLogDet(new Float64Array(n).fill(1), quality),
      kernelRow,
      cover?.start() ?? null,
      options.coverage.weight,
    );

  let target = newObjective();
  const size = await automaticSize(options.size, { quality, kernelRow, words, maxWords: input.autoWords });
  const result = await strategies[options.strategy]({
    objective: target,
    relevance: input.relevance,
    fits: size.fits,
    limit: size.limit,
  });
  let { picks } = result;
  const held = new Set(
    fitToWords(
      picks.map(({ item }) => words[item]),
      room?.maxWords ?? null,
      room?.reserve ?? 0,
    ),
  );
  const dropped = picks.filter((_, rank) => !held.has(rank)).map(({ item }) => item);
  if (dropped.length > 0) {
    target = newObjective();
    picks = await repick(
      target,
      picks.filter((_, rank) => held.has(rank)).map(({ item }) => item),
    );
  }

  const selected = picks.map(({ item }) => item);
  const selectedRows = await Promise.all(selected.map(rows));
  const gains = Float64Array.from({ length: n }, (_, i) => target.gain(i));
  for (const { item, gain } of picks) gains[item] = gain;
  return {
    picks,
    dropped,
    stoppedBy: result.stoppedBy,
    objective: target.value,
    logDeterminant: target.logDeterminant,
    expectedSize: size.expectedSize,
    sigma: options.kernel.form === 'gaussian' ? sigma : null,
    coverageThreshold: cover?.threshold ?? null,
    landmarks: reference.landmarks,
    salience: supporters,
    gains,
    nearest: support(selected, selectedRows, n, centre, options.support),
    pickedSimilarity: Float32Array.from(selected.flatMap((_, a) => selected.map((j) => selectedRows[a][j]))),
  };
}

/** Picks given items in their order, for what each adds now. */
async function repick(target: Objective, items: readonly number[]): Promise<Pick[]> {
  const picks: Pick[] = [];
  for (const item of items) {
    picks.push({ item, gain: target.gain(item) });
    await target.pick(item);
  }
  return picks;
}
