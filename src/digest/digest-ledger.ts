import type { DigestTimings } from '../contract/index.ts';
import type { Ledger } from './checkpoints.ts';
import type { ModelStages, StagesAccount } from './model-stages.ts';
import type { Stopwatch } from './stopwatch.ts';

/** What was asked of models and how long stages took, as it goes with checkpoints. */
export function digestLedger(stages: ModelStages, clock: Stopwatch): Ledger {
  return {
    take: () => ({ account: stages.account(), timings: clock.timings() }),
    asked: () => stages.usage().total.requests,
    restore(taken) {
      // Only what `take` gave comes back here.
      const { account, timings } = taken as { account: StagesAccount; timings: DigestTimings };
      stages.restore(account);
      clock.restore(timings);
    },
  };
}
