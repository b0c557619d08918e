import type { ComparisonRun } from '../../../src/lab/comparison/comparison-report.ts';
import type { ComparedDigest, Figures } from '../../../src/lab/comparison/metrics.ts';
import { NO_USAGE } from '../../../src/models/index.ts';

export function compared(figures: Figures, more: Partial<ComparedDigest> = {}): ComparedDigest {
  return { figures, over: {}, sentenceWords: [10, 20], isPartial: false, usage: NO_USAGE, ...more };
}

/** Digests of an arm over the data a, b, c, … with these values of a metric. */
export function madeBy(arm: string, values: readonly (number | null)[], key = 'summhay.joint'): ComparisonRun['made'] {
  return values.map((value, place) => ({
    item: { arm, datum: String.fromCharCode(97 + place) },
    result: compared({ [key]: value, 'digest.words': 100 + place, 'digest.documentCoverage': 0.5 }),
    known: false,
  }));
}
