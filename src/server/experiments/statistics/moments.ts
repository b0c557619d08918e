/** What an arm of a metric comes to. */
export interface Moments {
  /** Subjects exposed. */
  readonly n: number;
  /** Null where it cannot be told. */
  readonly mean: number | null;
  /** Of the value of a subject, by n - 1. */
  readonly variance: number | null;
}

/** Sums over the subjects of an arm; subjects without outcomes add nothing. */
export interface Sums {
  readonly x: number;
  readonly xx: number;
  readonly y: number;
  readonly yy: number;
  readonly xy: number;
}
