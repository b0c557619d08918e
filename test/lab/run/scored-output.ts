import type { ScoredOutput } from '../../../src/lab/run/score-output.ts';
import { NO_USAGE } from '../../../src/models/index.ts';

export function scoredOutput(figures: ScoredOutput['figures'], more: Partial<ScoredOutput> = {}): ScoredOutput {
  return {
    ...{ figures, over: {}, isPartial: false, usage: NO_USAGE, byPosition: null },
    ...{ unreadable: 0, warnings: [], ...more },
  };
}
