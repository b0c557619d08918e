import type { Checkpoints } from './checkpoints.ts';
import type { DigestParts } from './digest-parts.ts';
import type { DigestPlan } from './plan-digest.ts';
import type { Stopwatch } from './stopwatch.ts';

/** A digest that is being made, as its stages share it. */
export interface Making {
  readonly plan: DigestPlan;
  readonly parts: DigestParts;
  readonly steps: Checkpoints;
  readonly clock: Stopwatch;
}
