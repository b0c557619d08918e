import { positionSensitivity } from '../summhay/position-sensitivity.ts';
import { type Estimate, estimate, weightedMean } from './estimate.ts';
import { ORDERS, type ScoredRecord } from './record.ts';

/**
 * Position sensitivity over the records of a system (Laban et al. 2024): of the mean joint scores of each order, or of the
 * mean coverage where citations are not scored.
 *
 * @param scored in canonical order
 * @returns null without records of all three orders
 */
export function orderSensitivity(scored: readonly ScoredRecord[]): Estimate | null {
  const ordered = scored.flatMap(({ record: { id, order }, answer }) =>
    order === undefined || answer.metric !== 'summhay' ? [] : [{ id, order, answer }],
  );
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const hasJoint = ordered.every(({ answer }) => answer.joint !== null);
  const values = ordered.map(({ answer }) => (hasJoint ? (answer.joint ?? 0) : answer.coverage));
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
