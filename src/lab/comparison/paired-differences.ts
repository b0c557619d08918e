import { sum } from '../../evaluation/index.ts';
import { adjustPValues, twoSidedP } from '../../server/index.ts';
import { type Estimate, estimateMean } from '../bulk/estimate.ts';
import type { Arm } from './comparison-report.ts';
import type { ComparedDigest, ComparisonMetric } from './metrics.ts';

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
export interface ArmDigests {
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
export function differencesOf(
  arms: readonly ArmDigests[],
  baseline: string,
  metrics: readonly ComparisonMetric[],
): Map<string, Readonly<Record<string, Difference>>> {
  const against = arms.find(({ arm }) => arm.name === baseline);
  if (against === undefined) return new Map();
  const cells = arms
    .filter((each) => each !== against)
    .flatMap(({ arm, ...ours }) =>
      metrics.map(({ key, isSteady }) => {
        const { differences, ids } = pairsOf(ours, against, key);
        const test = pairedTTest(differences);
        const p = isSteady ? test.p : null;
        return { arm: arm.name, key, difference: { ...estimateMean(differences, ids), ...test, p } };
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
  const others = new Map(theirs.ids.map((id, place) => [id, theirs.digests[place].figures[key] ?? null]));
  const pairs = ours.ids.flatMap((id, place) => {
    const [mine, other] = [ours.digests[place].figures[key] ?? null, others.get(id) ?? null];
    return mine === null || other === null ? [] : [{ id, difference: mine - other }];
  });
  return { ids: pairs.map(({ id }) => id), differences: pairs.map(({ difference }) => difference) };
}
