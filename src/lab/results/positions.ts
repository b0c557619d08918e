import { type CurveBin, positionCurve, positionSensitivity } from '../../evaluation/index.ts';
import { type Estimate, estimate, weightedMean } from './estimate.ts';

export const ORDERS = ['top', 'bottom', 'random'] as const;
export type DocumentOrder = (typeof ORDERS)[number];

const BINS = 10;

/** Source coverage in a tenth of the input, in per cent; `from` and `to` are shares from 0 to 1. */
export interface EstimatedBin extends Pick<CurveBin, 'from' | 'to'> {
  readonly coverage: Estimate;
}

/** Intervals resample whole texts. @param texts coverage by document in input order, sorted by case id */
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
    const means = there.map(({ coverage }) => coverage);
    const found = estimate(
      there.map(({ id }) => id),
      (weights) =>
        weightedMean(
          means,
          there.map(({ documents }, index) => documents * weights[index]),
        ),
    );
    return { from, to, coverage: { ...found, n: there.reduce((sum, { documents }) => sum + documents, 0) } };
  });
}

interface OrderedScore {
  /** Case id; its three orders are resampled together. */
  readonly id: string;
  readonly order: DocumentOrder;
  readonly coverage: number;
  readonly joint: number | null;
  readonly over: { readonly coverage: number; readonly joint: number };
}

/**
 * Position sensitivity (Laban et al. 2024) of the mean joint score, or of mean coverage if citations are not scored.
 * @param ordered sorted by id
 * @returns null unless all three orders have scores
 */
export function orderSensitivity(ordered: readonly OrderedScore[]): Estimate | null {
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const hasJoint = ordered.every(({ joint }) => joint !== null);
  const values = ordered.map(({ joint, coverage }) => (hasJoint ? (joint ?? 0) : coverage));
  const parts = ordered.map(({ over }) => (hasJoint ? over.joint : over.coverage));
  return estimate(
    ordered.map(({ id }) => id),
    (weights) => {
      const [top, bottom, random] = ORDERS.map((wanted) =>
        weightedMean(
          values,
          weights.map((weight, index) => (ordered[index].order === wanted ? weight * parts[index] : 0)),
        ),
      );
      return positionSensitivity({ top, bottom, random });
    },
  );
}
