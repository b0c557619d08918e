import { type CurveBin, positionCurve, positionSensitivity } from '../../evaluation/index.ts';
import { type Estimate, estimate, weightedMean } from './estimate.ts';

/** Where the documents that matter stood among those that a system was given. */
export const ORDERS = ['top', 'bottom', 'random'] as const;
export type DocumentOrder = (typeof ORDERS)[number];

const BINS = 10;

/** Source coverage of the documents in a tenth of the input, in percent; `from` and `to` are shares from 0 to 1. */
export interface EstimatedBin extends Pick<CurveBin, 'from' | 'to'> {
  /** Over documents with questions; `n` counts them. */
  readonly coverage: Estimate;
}

/**
 * The lost-in-the-middle curve of a system (`positionCurve`), with intervals for which whole texts are drawn.
 *
 * @param texts coverage of each document in the order of the input, sorted by the id of the case
 */
export function estimatedCurve(
  texts: readonly { readonly id: string; readonly byPosition: readonly (number | null)[] }[],
): EstimatedBin[] {
  const curves = texts.map(({ id, byPosition }) => {
    const documents = byPosition.map((coverage, position) => ({ id: String(position), position, coverage }));
    return { id, bins: positionCurve([{ documents }], BINS) };
  });
  return positionCurve([], BINS).map(({ from, to }, bin) => {
    const there = curves.flatMap(({ id, bins }) => {
      const { coverage, documents } = bins[bin];
      return coverage === null ? [] : [{ id, coverage, documents }];
    });
    const ids = there.map(({ id }) => id);
    const coverage = estimate(ids, (weights) =>
      weightedMean(
        there.map((each) => each.coverage),
        there.map(({ documents }, index) => documents * weights[index]),
      ),
    );
    return { from, to, coverage: { ...coverage, n: there.reduce((sum, { documents }) => sum + documents, 0) } };
  });
}

/** SummHay scores of a text whose documents came in one of the orders. */
interface OrderedScore {
  /** Id of the case; its three orders are drawn together. */
  readonly id: string;
  readonly order: DocumentOrder;
  readonly coverage: number;
  /** Null if citations are not scored. */
  readonly joint: number | null;
  /** Insights that each is a mean of. */
  readonly over: { readonly coverage: number; readonly joint: number };
}

/**
 * Position sensitivity (Laban et al. 2024) of the mean joint score of each order, or of the mean coverage if citations are
 * not scored.
 *
 * @param ordered sorted by id
 * @returns null without scores of all three orders
 */
export function orderSensitivity(ordered: readonly OrderedScore[]): Estimate | null {
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const hasJoint = ordered.every(({ joint }) => joint !== null);
  const values = ordered.map(({ joint, coverage }) => (hasJoint ? (joint ?? 0) : coverage));
  const parts = ordered.map(({ over }) => (hasJoint ? over.joint : over.coverage));
  const meanOf = (wanted: string, weights: Float64Array) =>
    weightedMean(
      values,
      weights.map((weight, index) => (ordered[index].order === wanted ? weight * parts[index] : 0)),
    );
  return estimate(
    ordered.map(({ id }) => id),
    (weights) =>
      positionSensitivity({
        top: meanOf('top', weights),
        bottom: meanOf('bottom', weights),
        random: meanOf('random', weights),
      }),
  );
}
