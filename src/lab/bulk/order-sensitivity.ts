import { positionSensitivity } from '../../evaluation/index.ts';
import { type Estimate, estimate, weightedMean } from './estimate.ts';
import { type DocumentOrder, ORDERS } from './record.ts';

/** SummHay scores of a summary whose documents came in one of the orders. */
interface OrderedScore {
  /** What was asked: the three orders of it are drawn together. */
  readonly id: string;
  readonly order: DocumentOrder;
  readonly coverage: number;
  /** Null where citations are not scored. */
  readonly joint: number | null;
}

/**
 * Position sensitivity over the records of a system (Laban et al. 2024): of the mean joint scores of each order, or of the
 * mean coverage where citations are not scored.
 *
 * @param ordered in an order of their own
 * @returns null without scores of all three orders
 */
export function orderSensitivity(ordered: readonly OrderedScore[]): Estimate | null {
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const hasJoint = ordered.every(({ joint }) => joint !== null);
  const values = ordered.map(({ joint, coverage }) => (hasJoint ? (joint ?? 0) : coverage));
  const meanOf = (wanted: string, weights: Float64Array) =>
    weightedMean(
      values,
      weights.map((weight, index) => (ordered[index].order === wanted ? weight : 0)),
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
