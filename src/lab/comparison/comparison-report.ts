import type { VariantOptions } from '../../contract/index.ts';
import { type Estimate, estimateMean } from '../bulk/estimate.ts';
import type { Run } from '../runner.ts';
import type { Scale } from './distribution.ts';
import { type ComparedDigest, type ComparisonMetric, metricsFor } from './metrics.ts';
import { type ArmDigests, type Difference, differencesOf } from './paired-differences.ts';
import { type ArmShape, type ShapeName, scalesOf, shapeOf } from './shapes.ts';

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
  'made' | 'failed'
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
  /** Means over the data, by metric. */
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
  { made, failed }: ComparisonRun,
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
