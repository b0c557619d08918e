import { type Estimate, estimate, estimateMean, weightedMean } from './estimate.ts';

export const ORDERS = ['top', 'bottom', 'random'] as const;
export type DocumentOrder = (typeof ORDERS)[number];

const BINS = 10;

/** Source coverage in a tenth of the input, in per cent; `from` and `to` are shares from 0 to 1. */
export interface EstimatedBin {
  readonly from: number;
  readonly to: number;
  readonly coverage: Estimate;
}

/**
 * Mean source coverage by relative place in the input: a dip shows where a model loses content. The document at place
 * i of n stands at (i + 1/2) / n. Intervals resample whole texts.
 * @param texts coverage by document in input order, null for those without questions; sorted by case id
 */
export function estimatedCurve(
  texts: readonly { readonly id: string; readonly byPosition: readonly (number | null)[] }[],
): EstimatedBin[] {
  const placed = texts.flatMap(({ id, byPosition }) =>
    byPosition.map((coverage, place) => {
      return { id, coverage, bin: Math.floor(((2 * place + 1) * BINS) / (2 * byPosition.length)) };
    }),
  );
  return Array.from({ length: BINS }, (_, bin) => {
    const there = placed.filter((each) => each.bin === bin);
    const coverages = there.map(({ coverage }) => coverage);
    const ids = there.map(({ id }) => id);
    return { from: bin / BINS, to: (bin + 1) / BINS, coverage: estimateMean(coverages, ids) };
  });
}

interface OrderedScore {
  /** Case id; its three orders are resampled together. */
  readonly id: string;
  readonly order: DocumentOrder;
  readonly coverage: number;
  /** Null if citations are not scored. */
  readonly joint: number | null;
  readonly over: { readonly coverage: number; readonly joint: number };
}

/**
 * Position sensitivity (Laban et al. 2024): the larger distance of the two sorted orders from the random one, in the
 * mean joint score, or in mean coverage if citations are not scored.
 * @param ordered sorted by id
 * @returns null unless all three orders have scores
 */
export function orderSensitivity(ordered: readonly OrderedScore[]): Estimate | null {
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const by = ordered.every(({ joint }) => joint !== null) ? 'joint' : 'coverage';
  const values = ordered.map(({ [by]: score }) => score ?? 0);
  const ids = ordered.map(({ id }) => id);
  return estimate(ids, (weights) => {
    const [top, bottom, random] = ORDERS.map((wanted) => {
      const parts = weights.map((weight, index) => {
        const { order, over } = ordered[index];
        return order === wanted ? weight * over[by] : 0;
      });
      return weightedMean(values, parts);
    });
    if (top === null || bottom === null || random === null) return null;
    return Math.max(Math.abs(top - random), Math.abs(bottom - random));
  });
}
