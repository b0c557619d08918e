import type { Calibration } from '../../../models/index.ts';

/** Scores from which the judge of a run decides; known for the embedded one only. */
export interface Thresholds {
  /** From where an insight is half covered, and from where in full. */
  readonly half: number;
  readonly full: number;
  /** From where a text entails a claim, if it does not tell other numbers or names. */
  readonly holds: number;
}

/** The levels of an encoder, as the embedded judge takes them. */
export function thresholdsOf({ coverage: { half, full } }: Calibration): Thresholds {
  return { half, full, holds: full };
}
