import type { Checkpoints } from './checkpoints.ts';
import type { DigestDeps } from './digest-deps.ts';
import type { DigestPlan } from './plan-digest.ts';
import type { Stopwatch } from './stopwatch.ts';

/** A digest that is being made, as its stages share it. */
export interface DigestContext {
  readonly plan: DigestPlan;
  readonly deps: DigestDeps;
  readonly steps: Checkpoints;
  readonly clock: Stopwatch;
}
