import type { GuardrailVerdict, Interval } from '../../contract/index.ts';
import { chiSquareTail, normalQuantile, tQuantile, twoSidedP } from '../../evaluation/index.ts';

type Sums = Readonly<Record<'x' | 'xx' | 'y' | 'yy' | 'xy', number>>;

interface Moments {
  readonly n: number;
  readonly mean: number | null;
  readonly variance: number | null;
}

/** A mean of n subjects, with its squared standard error. */
export type MeanEstimate = Readonly<Record<'n' | 'mean' | 'variance', number>>;

interface TestOfDifference {
  readonly statistic: number;
  readonly degreesOfFreedom: number | null;
  readonly p: number;
}

type Direction = 'increase' | 'decrease';

/** Sums of squares carry about 15 digits; a smaller share is rounding error. */
const ROUNDING = 1e-13;

/** Mean and variance of the subjects' values; subjects without an outcome count as 0. */
export function valueMoments(n: number, { x, xx }: Pick<Sums, 'x' | 'xx'>): Moments {
  const mean = x / n;
  if (n < 1 || !Number.isFinite(mean)) return { n, mean: null, variance: null };
  return { n, mean, variance: sampleVariance(xx - x * mean, xx, n) };
}

/**
 * A ratio of sums r = Σx / Σy and n times its variance by the delta method, with the subject as the unit (Deng et al. 2018, "Applying the
 * Delta Method in Metric Analytics"): (s_xx - 2 r s_xy + r² s_yy) / mean(y)². Because x - r y sums to 0, this is the sum of its squares
 * without subtracting means.
 *
 * @returns mean null if the denominators sum to 0
 */
export function ratioMoments(n: number, { x, xx, y, yy, xy }: Sums): Moments {
  const ratio = x / y;
  if (n < 1 || !Number.isFinite(ratio)) return { n, mean: null, variance: null };
  const squares = xx - 2 * ratio * xy + ratio * ratio * yy;
  const ofResidual = sampleVariance(squares, xx + ratio * ratio * yy, n);
  const variance = ofResidual === null ? null : ofResidual / (y / n) ** 2;
  return { n, mean: ratio, variance: Number.isFinite(variance) ? variance : null };
}

/**
 * @param squares sum of squared deviations found by subtraction, possibly negative by cancellation
 * @param size size of the subtracted terms: less than 1e-13 of it counts as 0
 * @returns null with fewer than two subjects, or if the sums overflowed
 */
function sampleVariance(squares: number, size: number, n: number): number | null {
  if (n < 2 || !Number.isFinite(squares) || !Number.isFinite(size)) return null;
  return squares <= ROUNDING * size ? 0 : squares / (n - 1);
}

/**
 * Variance of the mean: the variance of the values by n, or p (1 - p) / n for a share. A share of 0 or 1 gets the variance of half an event
 * more or less, since 0 would mean certainty. Null without a variance.
 */
export function meanEstimate({ n, mean, variance }: Moments, isShare: boolean): MeanEstimate | null {
  if (mean === null || variance === null) return null;
  if (!isShare) return { n, mean, variance: variance / n };
  const share = mean > 0 && mean < 1 ? mean : (mean * n + 0.5) / (n + 1);
  return { n, mean, variance: (share * (1 - share)) / n };
}

/** Half-width of a two-sided interval of level 1 - alpha, in standard errors; normal if `degreesOfFreedom` is null. */
export function criticalValue(alpha: number, degreesOfFreedom: number | null): number {
  return -(degreesOfFreedom === null ? normalQuantile(alpha / 2) : tQuantile(alpha / 2, degreesOfFreedom));
}

/** Welch's t-test with the degrees of freedom of Welch (1947) and Satterthwaite (1946). Null if neither arm varies. */
export function welchTest(control: MeanEstimate, treatment: MeanEstimate): TestOfDifference | null {
  const variance = control.variance + treatment.variance;
  if (variance === 0) return null;
  const statistic = (treatment.mean - control.mean) / Math.sqrt(variance);
  const share = control.variance / variance;
  const degreesOfFreedom = 1 / (share ** 2 / (control.n - 1) + (1 - share) ** 2 / (treatment.n - 1));
  return { statistic, degreesOfFreedom, p: twoSidedP(statistic, degreesOfFreedom) };
}

/**
 * Tests two shares for equality with the pooled variance and without continuity correction (Fleiss, "Statistical Methods for Rates and
 * Proportions"). Null if all or none of the subjects converted.
 */
export function twoProportionZ(control: MeanEstimate, treatment: MeanEstimate): TestOfDifference | null {
  const pooled = (control.mean * control.n + treatment.mean * treatment.n) / (control.n + treatment.n);
  const variance = pooled * (1 - pooled) * (1 / control.n + 1 / treatment.n);
  if (!(variance > 0)) return null;
  const statistic = (treatment.mean - control.mean) / Math.sqrt(variance);
  return { statistic, degreesOfFreedom: null, p: twoSidedP(statistic, null) };
}

export function around(value: number, half: number): Interval {
  return { low: value - half, high: value + half };
}

/** The difference relative to the size of the control's mean; null if that is 0. */
export function relativeLift(control: number, treatment: number): number | null {
  const lift = (treatment - control) / Math.abs(control);
  return Number.isFinite(lift) ? lift : null;
}

/**
 * Interval of the relative lift by the delta method: variance v_b / m_a² + v_a m_b² / m_a⁴ (docs.growthbook.io/statistics/details,
 * "Frequentist engine").
 *
 * @param critical half-width in standard errors
 * @returns null if the control's own interval of that width includes 0: the lift is then unbounded (Fieller 1954)
 */
export function liftInterval(control: MeanEstimate, treatment: MeanEstimate, critical: number): Interval | null {
  const lift = relativeLift(control.mean, treatment.mean);
  if (lift === null || Math.abs(control.mean) <= critical * Math.sqrt(control.variance)) return null;
  const ratio = treatment.mean / control.mean;
  const error = Math.sqrt(treatment.variance + ratio * ratio * control.variance) / Math.abs(control.mean);
  return Number.isFinite(error) ? around(lift, critical * error) : null;
}

/** Subjects of both arms for which the confidence sequence is about tightest; GrowthBook's default. */
const TUNED_FOR = 5000;

/** The square of rho, which shapes a confidence sequence (Waudby-Smith et al. 2021, with GrowthBook's tuning). */
function rhoSquared(alpha: number): number {
  return (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))) / TUNED_FOR;
}

/**
 * Half-width, in standard errors of the difference, of an interval of level 1 - alpha that holds at every look: the asymptotic confidence
 * sequence of Waudby-Smith et al. 2021 (arXiv 2103.06476) by N times the variance of the difference, as in GrowthBook. 1.55 times the fixed
 * one at 5,000 subjects, 1.97 times at 500.
 *
 * @param subjects N, of both arms; at least 1
 */
export function sequentialCritical(subjects: number, alpha: number): number {
  const spread = subjects * rhoSquared(alpha);
  return Math.sqrt(((2 * (spread + 1)) / spread) * Math.log(Math.sqrt(spread + 1) / alpha));
}

/**
 * Smallest level at which the confidence sequence tuned for `alpha` excludes 0. Without a difference, the probability that it ever falls
 * below a level is at most that level (Johari et al. 2022, "Always Valid Inference", Operations Research 70).
 *
 * @param z the difference in standard errors
 * @param subjects of both arms
 */
export function alwaysValidP(z: number, subjects: number, alpha: number): number {
  const spread = subjects * rhoSquared(alpha);
  return Math.min(1, Math.sqrt(spread + 1) * Math.exp((-z * z * spread) / (2 * (spread + 1))));
}

/**
 * Whether a metric worsens by no more than a relative margin: a non-inferiority test by the interval of the contrast m_t - (1 + margin) m_c
 * (for the worse; Fieller 1954), which needs no division and so holds for a control near 0.
 *
 * @param margin relative and positive: 0.02 allows a loss of two percent
 * @param direction the better one
 * @param critical half-width of the interval in standard errors
 */
export function guardrailVerdict(
  control: MeanEstimate,
  treatment: MeanEstimate,
  judged: { readonly margin: number; readonly direction: Direction; readonly critical: number },
): GuardrailVerdict {
  const { margin, direction, critical } = judged;
  const worse = direction === 'decrease' ? 1 : -1;
  const factor = worse + margin * (control.mean < 0 ? -1 : 1);
  const beyond = worse * treatment.mean - factor * control.mean;
  const reach = critical * Math.sqrt(treatment.variance + factor * factor * control.variance);
  if (beyond + reach < 0) return 'safe';
  return beyond - reach > 0 ? 'breached' : 'unclear';
}

/** Below this expected count, chi-square's tail at 0.001 is off by more than twice. */
const ENOUGH_EXPECTED = 10;
const MISMATCH = 0.001;

/**
 * Tests the split of subjects against the weights by Pearson's chi-square (Fabijan et al. 2019, "Diagnosing Sample Ratio Mismatch"; p <
 * 0.001 as at docs.growthbook.io/statistics/srm). Pools arms that expect fewer than 10 subjects; any subject in an arm of weight 0 is a
 * mismatch.
 *
 * @param weights shares that sum to 1
 * @returns statistic and p null without two arms that expect 10
 */
export function sampleRatio(subjects: readonly number[], weights: readonly number[]) {
  if (subjects.some((count, i) => weights[i] === 0 && count > 0)) return { statistic: null, p: 0, mismatch: true };
  const total = subjects.reduce((sum, count) => sum + count, 0);
  const cells = pooled(subjects.map((observed, i) => ({ observed, expected: total * weights[i] })));
  if (cells.length < 2) return { statistic: null, p: null, mismatch: false };
  const statistic = cells.reduce((sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected, 0);
  const p = chiSquareTail(statistic, cells.length - 1);
  return { statistic, p, mismatch: p < MISMATCH };
}

type Cell = Readonly<Record<'observed' | 'expected', number>>;

/** Cells that expect enough, the smallest ones added together; none if all together do not. */
function pooled(cells: readonly Cell[]): Cell[] {
  const sorted = cells.filter(({ expected }) => expected > 0).sort((a, b) => a.expected - b.expected);
  const [smallest, next] = sorted;
  if (smallest === undefined || smallest.expected >= ENOUGH_EXPECTED) return sorted;
  if (next === undefined) return [];
  const sum = { observed: smallest.observed + next.observed, expected: smallest.expected + next.expected };
  return pooled([...sorted.slice(2), sum]);
}

type Activity = Readonly<Record<'n' | 'active', number>>;

/** Min subjects and expected active subjects per arm for any verdict: the intervals are asymptotic. */
export const ENOUGH_SUBJECTS = 100;
/** Min converted subjects, and min others, for a share. */
export const ENOUGH_OF_EITHER = 50;

/**
 * Whether two arms are large enough to judge, by the expectation of the smaller arm at the pooled rate. Far stricter than the 5 of Cochran
 * 1954, which has up to seven times alpha false positives for uneven splits of rare or skewed values
 * (docs/decisions/experiment-statistics.md).
 */
export function enoughSubjects(control: Activity, treatment: Activity, areShares: boolean): boolean {
  const smaller = Math.min(control.n, treatment.n);
  if (smaller < ENOUGH_SUBJECTS) return false;
  const rate = (control.active + treatment.active) / (control.n + treatment.n);
  return areShares ? smaller * Math.min(rate, 1 - rate) >= ENOUGH_OF_EITHER : smaller * rate >= ENOUGH_SUBJECTS;
}

const POWER = 0.8;

/**
 * Subjects per arm for a two-sided test of level alpha to detect a difference with 80% power, by the normal formula with unpooled variances
 * (Chow, Shao & Wang, "Sample Size Calculations in Clinical Research", sections 3.2.1 and 4.2.1).
 *
 * @param planned the true difference of the means, not 0; the variances of a subject's value; control subjects per treatment subject
 */
export function sampleSize(
  planned: Readonly<Record<'difference' | 'controlVariance' | 'treatmentVariance' | 'controlShare', number>>,
  alpha: number,
): { readonly control: number; readonly treatment: number } {
  const { difference, controlVariance, treatmentVariance, controlShare } = planned;
  const errors = (criticalValue(alpha, null) + normalQuantile(POWER)) / difference;
  const treatment = errors * errors * (treatmentVariance + controlVariance / controlShare);
  return { control: Math.ceil(treatment * controlShare), treatment: Math.ceil(treatment) };
}
