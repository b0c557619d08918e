import { mean } from '../mean.ts';
import type { SourceCoverageAnswer } from './shapes.ts';

/** A stretch of the input, as shares of its documents from 0 to 1. */
export interface CurveBin {
  readonly from: number;
  readonly to: number;
  /** Mean over the documents in it, 0 to 100; null without any that has questions. */
  readonly coverage: number | null;
  /** Documents with questions in it. */
  readonly documents: number;
}

/**
 * Mean coverage by relative position in the input, over many summaries: where it sags, a model loses what is in the
 * middle. The document at place i of n stands at (i + 1/2) / n.
 *
 * @param bins stretches of equal length; a positive integer
 * @throws RangeError for any other number
 */
export function positionCurve(answers: readonly Pick<SourceCoverageAnswer, 'documents'>[], bins: number): CurveBin[] {
  if (!Number.isSafeInteger(bins) || bins < 1) throw new RangeError('The curve needs a positive number of bins.');
  const coverages: number[][] = Array.from({ length: bins }, () => []);
  for (const { documents } of answers) {
    for (const { position, coverage } of documents) {
      const bin = Math.floor(((2 * position + 1) * bins) / (2 * documents.length));
      if (coverage !== null) coverages[bin]?.push(coverage);
    }
  }
  return coverages.map((each, bin) => ({
    from: bin / bins,
    to: (bin + 1) / bins,
    coverage: mean(each),
    documents: each.length,
  }));
}
