import type { Correction, ExperimentState, Interval, MetricType } from './experiment.ts';

/** Which intervals a finding rests on: those valid at every look, or the fixed ones of a single planned look. */
export const BASES = ['sequential', 'fixed'] as const;
export type Basis = (typeof BASES)[number];

/** One arm of a metric. */
export interface ArmResult {
  readonly variant: string;
  /** Subjects exposed. */
  readonly n: number;
  /** Per subject: share, mean, mean count; of a ratio metric the ratio. Null where it cannot be told. */
  readonly mean: number | null;
  /** Of the per-subject value; of a ratio metric the delta method's, per subject. */
  readonly variance: number | null;
  /** Subjects with an event, for binomial metrics. */
  readonly conversions: number | null;
  /** Subjects whose value is not 0. */
  readonly active: number;
}

/** An arm against the control. */
export interface Comparison {
  readonly variant: string;
  readonly difference: number | null;
  /** Fixed-horizon interval of the difference: valid at one look that was planned. */
  readonly interval: Interval | null;
  /** Relative to the control (delta method); null where the control's mean is 0. */
  readonly lift: number | null;
  readonly liftInterval: Interval | null;
  readonly test: 'welch' | 'two-proportion-z' | 'delta' | null;
  readonly statistic: number | null;
  readonly degreesOfFreedom: number | null;
  /** Two-sided, as it is and adjusted over all goal metrics and variants. */
  readonly p: number | null;
  readonly adjustedP: number | null;
  /** Valid at every look (asymptotic confidence sequence, Waudby-Smith et al. 2021). */
  readonly sequential: {
    readonly interval: Interval;
    readonly liftInterval: Interval | null;
    readonly significant: boolean;
  } | null;
  readonly significant: boolean;
  /** Whether the change is for the better; null where there is none. */
  readonly better: boolean | null;
  /** Smallest relative change that so many subjects would show with 80% power. */
  readonly detectable: number | null;
  /** Further subjects an arm needs for the minimum effect of interest; 0 where there are enough, null where none was named. */
  readonly stillNeeded: number | null;
}

export interface MetricResult {
  readonly key: string;
  readonly type: MetricType;
  readonly role: 'goal' | 'guardrail' | 'automatic';
  readonly direction: 'increase' | 'decrease';
  readonly arms: readonly ArmResult[];
  readonly comparisons: readonly Comparison[];
  /** Guardrails: whether each variant stays within the margin, is beyond it, or neither is sure. */
  readonly guardrail: readonly { readonly variant: string; readonly verdict: GuardrailVerdict }[] | null;
}

export interface ExperimentResults {
  readonly key: string;
  readonly version: number;
  readonly state: ExperimentState;
  readonly alpha: number;
  readonly correction: Correction;
  readonly sampleRatio: {
    readonly observed: readonly { readonly variant: string; readonly subjects: number; readonly expected: number }[];
    readonly statistic: number | null;
    readonly p: number | null;
    /** p < 0.001: something is wrong with the assignment, and no verdict is given. */
    readonly mismatch: boolean;
  };
  readonly exposed: number;
  readonly overridden: number;
  readonly ignored: IgnoredOutcomes;
  readonly metrics: readonly MetricResult[];
  readonly verdict: 'none' | 'mismatch' | 'winner' | 'loser' | 'guardrail' | 'inconclusive';
  /** Which intervals it rests on: those valid at every look, or the fixed ones of an end that was planned and reached; null on a mismatch. */
  readonly basis: Basis | null;
  /** One plain sentence. */
  readonly conclusion: string;
  readonly dataVersion: number;
}

/** Outcomes that came and were left out. */
export interface IgnoredOutcomes {
  /** Older than their subject's exposure. */
  readonly beforeExposure: number;
  /** Later than the end of their version. */
  readonly afterStop: number;
  /** Of subjects whose exposure was overridden. */
  readonly overridden: number;
  /** That came again. */
  readonly duplicates: number;
}

export type GuardrailVerdict = 'safe' | 'breached' | 'unclear';
