import type { VariantOptions } from '../../contract/index.ts';
import { sum } from '../../evaluation/index.ts';
import { adjustPValues, twoSidedP } from '../../server/index.ts';
import { type Estimate, estimateMean, estimatePairedMeans, type PartSum } from '../bulk/estimate.ts';
import type { Run } from '../runner.ts';
import { type ComparedDigest, type ComparisonMetric, metricsFor } from './metrics.ts';
import { type ArmShape, type Scale, type ShapeName, scalesOf, shapeOf } from './shapes.ts';

interface PairedTTest {
  /** Null, with `p`, where the differences do not vary: nothing can be told from them. */
  readonly statistic: number | null;
  /** Pairs less 1; null with fewer than two. */
  readonly degreesOfFreedom: number | null;
  /** Two-sided. */
  readonly p: number | null;
}

/** Standard errors below so many units of rounding of the mean are none; as R's `t.test` refuses them. */
const ROUNDING = 10 * Number.EPSILON;

/**
 * Student's t-test that the mean of paired differences is 0 ("Student" 1908). It does not depend on the order of the pairs.
 *
 * @param differences one for each pair; their unit does not matter
 */
export function pairedTTest(differences: readonly number[]): PairedTTest {
  const n = differences.length;
  if (n < 2) return { statistic: null, degreesOfFreedom: null, p: null };
  const mean = sum(differences) / n;
  const variance = sum(differences.map((each) => (each - mean) ** 2)) / (n - 1);
  const error = Math.sqrt(variance / n);
  const degreesOfFreedom = n - 1;
  if (error <= ROUNDING * Math.abs(mean)) return { statistic: null, degreesOfFreedom, p: null };
  const statistic = mean / error;
  return { statistic, degreesOfFreedom, p: twoSidedP(statistic, degreesOfFreedom) };
}

/** Digests of an arm with the ids of their data, in order of these. */
interface ArmDigests {
  readonly arm: Arm;
  readonly ids: readonly string[];
  readonly digests: readonly ComparedDigest[];
}

/** How much higher a figure of an arm is than the baseline's, over the data of which both have it. */
export interface Difference extends Estimate, PairedTTest {
  /** Over all arms (Holm), metric by metric: that there are many figures makes none of them less true. */
  readonly adjustedP: number | null;
}

/** Differences of every arm but the baseline, by arm, then by metric; those of unsteady metrics are not tested. */
function differencesOf(
  arms: readonly ArmDigests[],
  baseline: string,
  metrics: readonly ComparisonMetric[],
): Map<string, Readonly<Record<string, Difference>>> {
  const against = arms.find(({ arm }) => arm.name === baseline);
  if (against === undefined) return new Map();
  const cells = arms
    .filter((each) => each !== against)
    .flatMap(({ arm, ...ours }) =>
      metrics.map(({ key, isSteady, isPooled }) => {
        const { differences, ids, mine, others } = pairsOf(ours, against, key);
        const test = pairedTTest(differences);
        const p = isSteady ? test.p : null;
        const mean = isPooled ? estimatePairedMeans(mine, others, ids) : estimateMean(differences, ids);
        return { arm: arm.name, key, difference: { ...mean, ...test, p } };
      }),
    );
  const adjustedPs = new Map(
    metrics.flatMap(({ key }) => {
      // What cannot be tested is no test, and does not count.
      const tested = cells.filter((cell) => cell.key === key && cell.difference.p !== null);
      const adjusted = adjustPValues(
        tested.map(({ difference }) => difference.p),
        'holm',
      );
      return tested.map((cell, place) => [cell, adjusted[place]] as const);
    }),
  );
  const found = new Map<string, Record<string, Difference>>();
  for (const cell of cells) {
    const { arm, key, difference } = cell;
    found.set(arm, { ...found.get(arm), [key]: { ...difference, adjustedP: adjustedPs.get(cell) ?? null } });
  }
  return found;
}

/** Pairs of figures by datum, in order of the data. */
function pairsOf(ours: Omit<ArmDigests, 'arm'>, theirs: Omit<ArmDigests, 'arm'>, key: string) {
  const others = new Map(theirs.ids.map((id, place) => [id, theirs.digests[place]]));
  const pairs = ours.ids.flatMap((id, place) => {
    const [mine, other] = [figureIn(ours.digests[place], key), figureIn(others.get(id), key)];
    return mine === null || other === null ? [] : [{ id, mine, other }];
  });
  return {
    ids: pairs.map(({ id }) => id),
    // What is a mean of nothing has no value to test: citations of a summary that covers no insight.
    differences: pairs
      .filter(({ mine, other }) => mine.parts.of > 0 && other.parts.of > 0)
      .map(({ mine, other }) => mine.value - other.value),
    mine: pairs.map(({ mine }) => mine.parts),
    others: pairs.map(({ other }) => other.parts),
  };
}

/** A figure of a digest, by itself and as a sum over what it is a mean of. */
function figureIn(digest: ComparedDigest | undefined, key: string) {
  const value = digest?.figures[key] ?? null;
  if (digest === undefined || value === null) return null;
  const of = digest.over[key] ?? 1;
  const parts: PartSum = { sum: value * of, of };
  return { value, parts };
}

/** One set of options of a comparison. */
export interface Arm {
  readonly name: string;
  readonly options: VariantOptions;
}

/** What is compared: every arm over every datum. */
export interface Comparison {
  readonly name: string;
  /** In the order in which tables list them. */
  readonly arms: readonly Arm[];
  /** The arm that the others are held against. */
  readonly baseline: string;
  /** Keys of the metrics to show and to test; null for all that there are figures of. */
  readonly metrics: readonly string[] | null;
}

/** The digests of a comparison, each by its arm and its datum. */
export type ComparisonRun = Pick<
  Run<{ readonly arm: string; readonly datum: string }, ComparedDigest>,
  'made' | 'failed' | 'spent'
>;

/** What came of an arm. */
export interface ArmReport {
  readonly name: string;
  readonly options: Arm['options'];
  readonly digests: number;
  /** Data over which its digest failed, and those of which a part failed. */
  readonly failed: number;
  readonly partial: number;
  /** Mean words of the summary, whatever the metrics are. */
  readonly words: Estimate;
  /** Means over the data, by metric, or over the parts of all (`ComparedDigest.over`). */
  readonly figures: Readonly<Record<string, Estimate>>;
  /** Less the baseline, by metric; null for the baseline itself. */
  readonly differences: Readonly<Record<string, Difference>> | null;
  readonly distributions: ArmShape;
}

export interface ComparisonReport {
  readonly name: string;
  readonly baseline: string;
  /** Data compared over. */
  readonly data: number;
  readonly metrics: readonly ComparisonMetric[];
  /** The metric of the plots: the first score there is. */
  readonly main: string | null;
  readonly arms: readonly ArmReport[];
  /** Arms left out, as they need a language model. */
  readonly skipped: readonly string[];
  /** Scales of the histograms, shared by all arms. */
  readonly scales: Readonly<Record<ShapeName, Scale>>;
}

/**
 * Figures per arm and paired differences from the baseline, with 95% bootstrap intervals over the data. The same whatever
 * the order of the data and of their digests.
 *
 * @param skipped names of arms that were left out
 * @param hasTimings whether latency is told too
 */
export function comparisonReport(
  { name, arms, baseline, metrics: wanted }: Comparison,
  { made, failed }: Pick<ComparisonRun, 'made' | 'failed'>,
  { skipped = [], hasTimings = false }: { readonly skipped?: readonly string[]; readonly hasTimings?: boolean } = {},
): ComparisonReport {
  const compared = arms.filter((arm) => !skipped.includes(arm.name));
  const sorted = made.toSorted(({ item: a }, { item: b }) => (a.datum < b.datum ? -1 : a.datum > b.datum ? 1 : 0));
  const all = compared.map((arm): ArmDigests => {
    const ours = sorted.filter(({ item }) => item.arm === arm.name);
    return { arm, ids: ours.map(({ item }) => item.datum), digests: ours.map(({ result }) => result) };
  });
  const digests = all.flatMap((each) => each.digests);
  const metrics = metricsFor(
    digests.map(({ figures }) => figures),
    wanted,
    hasTimings,
  );
  const differences = differencesOf(all, baseline, metrics);
  const scales = scalesOf(digests);
  return {
    name,
    baseline,
    data: new Set([...made, ...failed].map(({ item }) => item.datum)).size,
    metrics,
    main: metrics.find(({ key }) => !key.startsWith('digest.'))?.key ?? metrics[0]?.key ?? null,
    arms: all.map(({ arm, ids, digests: ours }) => {
      const meanOf = (key: string) =>
        estimateMean(
          ours.map(({ figures }) => figures[key] ?? null),
          ids,
          ours.map(({ over }) => over[key] ?? 1),
        );
      return {
        name: arm.name,
        options: arm.options,
        digests: ours.length,
        failed: failed.filter(({ item }) => item.arm === arm.name).length,
        partial: ours.filter(({ isPartial }) => isPartial).length,
        words: meanOf('digest.words'),
        figures: Object.fromEntries(metrics.map(({ key }) => [key, meanOf(key)])),
        differences: differences.get(arm.name) ?? null,
        distributions: shapeOf(ours, scales),
      };
    }),
    skipped,
    scales,
  };
}
