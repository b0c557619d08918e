import type { Thresholds } from '../../../evaluation/index.ts';
import type { Calibration } from '../../../models/index.ts';

/** The levels of an encoder, as the embedded judge takes them. */
export function thresholdsOf({ coverage: { half, full } }: Calibration): Thresholds {
  return { half, full, holds: full };
}
