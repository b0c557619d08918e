import type { ComparedDigest } from '../../../src/lab/comparison/compare-digest.ts';
import type { Figures } from '../../../src/lab/comparison/metrics.ts';
import type { MadeComparison } from '../../../src/lab/comparison/run-comparison.ts';
import { NO_USAGE } from '../../../src/models/index.ts';

export function compared(figures: Figures, more: Partial<ComparedDigest> = {}): ComparedDigest {
  return { figures, sentenceWords: [10, 20], isPartial: false, usage: NO_USAGE, ...more };
}

/** Digests of an arm over the data a, b, c, … with these values of a metric. */
export function madeBy(arm: string, values: readonly (number | null)[], key = 'summhay.joint'): MadeComparison[] {
  return values.map((value, place) => ({
    arm,
    datum: String.fromCharCode(97 + place),
    digest: compared({ [key]: value, 'digest.words': 100 + place, 'digest.documentCoverage': 0.5 }),
    known: false,
  }));
}
