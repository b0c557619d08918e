import { type CurveBin, positionCurve, type SourceCoverageAnswer } from '../../evaluation/index.ts';
import { type Estimate, estimate, weightedMean } from './estimate.ts';

const BINS = 10;

/** Coverage of the documents in a tenth of the order in which a model was given them, as shares from 0 to 1. */
export interface EstimatedBin extends Pick<CurveBin, 'from' | 'to'> {
  /** Over documents with questions; `n` counts them. */
  readonly coverage: Estimate;
}

/**
 * The lost-in-the-middle curve of a system (`positionCurve`) with its intervals, for which whole summaries are drawn.
 *
 * @param scored in an order of their own; `id` names what is drawn together
 */
export function estimatedCurve(
  scored: readonly ({ readonly id: string } & Pick<SourceCoverageAnswer, 'documents'>)[],
): EstimatedBin[] {
  const curves = scored.map(({ id, documents }) => ({ id, bins: positionCurve([{ documents }], BINS) }));
  return positionCurve([], BINS).map(({ from, to }, bin) => {
    const there = curves.flatMap(({ id, bins }) => {
      const { coverage, documents } = bins[bin];
      return coverage === null ? [] : [{ id, coverage, documents }];
    });
    const ids = there.map(({ id }) => id);
    const overDocuments = estimate(ids, (weights) =>
      weightedMean(
        there.map(({ coverage }) => coverage),
        there.map(({ documents }, index) => documents * weights[index]),
      ),
    );
    return { from, to, coverage: { ...overDocuments, n: there.reduce((sum, { documents }) => sum + documents, 0) } };
  });
}
