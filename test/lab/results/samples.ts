import type { Figures, ScoredText } from '../../../src/lab/results/metrics.ts';
import type { ScoredRun } from '../../../src/lab/results/result.ts';

export function compared(figures: Figures, more: Partial<ScoredText> = {}): ScoredText {
  return { figures, over: {}, isPartial: false, ...more };
}

/** Digests of an arm over the data a, b, c, … with these values of a metric. */
export function madeBy(arm: string, values: readonly (number | null)[], key = 'summhay.joint'): ScoredRun['made'] {
  return values.map((value, place) => ({
    item: { arm, datum: String.fromCharCode(97 + place) },
    result: compared({ [key]: value, 'digest.words': 100 + place, 'digest.documentCoverage': 0.5 }),
    known: false,
  }));
}
