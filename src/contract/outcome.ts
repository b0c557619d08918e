/** Something that a subject did, or that happened to it. */
export interface Outcome {
  /** Makes it count once in its experiment, however often it comes. */
  readonly eventId: string;
  readonly subject: string;
  /** Key of a metric of the experiment. */
  readonly metric: string;
  /** Needed by `mean` and `ratio`; 0 or 1 for `binomial`, 1 for `count`, both by default 1. */
  readonly value?: number | undefined;
  /** Of a `ratio`, by default 1; no other metric has one. */
  readonly denominator?: number | undefined;
  /** Milliseconds since 1970; by default when it arrives. */
  readonly at?: number | undefined;
}

/** Outcomes of one batch at most. */
export const MOST_OUTCOMES = 1000;

/** Values and denominators at most: the squares of all subjects together are still numbers. */
export const MOST_VALUE = 1e15;

/** What became of a batch. */
export interface RecordedOutcomes {
  /** That count. */
  readonly accepted: number;
  readonly duplicates: number;
  /** Kept, and outside the analysis. */
  readonly ignored: { readonly beforeExposure: number; readonly afterStop: number; readonly overridden: number };
  /** Of outcomes that were not kept, by their place in the batch; each with a pointer such as `/outcomes/3/value`. */
  readonly problems: readonly { readonly index: number; readonly pointer: string; readonly detail: string }[];
}
