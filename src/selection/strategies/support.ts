import { PARAPHRASE, supports } from '../kernel/agreement.ts';

export interface SupportOptions {
  readonly threshold: number | null;
  readonly same: number;
  /** S from which the wording of a point is compared with the selected one's. */
  readonly unlike: number;
}

export interface Near {
  readonly item: number;
  readonly similarity: number;
  readonly joins: boolean;
}

interface PointRows {
  readonly similarity: Float32Array;
  readonly agreement: Float32Array;
  readonly cosines: Float32Array | null;
}

/**
 * Joins each unselected point to the selected one it agrees with most, if agreement and cosine suffice. Ties: larger S, then earlier pick.
 *
 * @param rows S, agreement and sentence cosines (null if there are none) of each selected point with all n points
 */
export function support(
  selected: readonly number[],
  rows: readonly PointRows[],
  n: number,
  { threshold, same, unlike }: SupportOptions,
) {
  /** The nearest other selected point; -1 if there is none. */
  const item = new Int32Array(n).fill(-1);
  const similarity = new Float64Array(n);
  const joins = new Uint8Array(n);
  const isSelected = new Uint8Array(n);
  for (const i of selected) isSelected[i] = 1;
  for (let j = 0; j < n; j++) {
    let best = Number.NEGATIVE_INFINITY;
    let place = -1;
    for (let p = 0; p < selected.length; p++) {
      if (selected[p] === j) continue;
      const a = rows[p].agreement[j];
      const s = rows[p].similarity[j];
      if (a < best || (a === best && s <= similarity[j])) continue;
      best = a;
      place = p;
      similarity[j] = s;
    }
    if (place < 0) continue;
    item[j] = selected[place];
    if (threshold === null || isSelected[j] === 1 || !supports(best, threshold, n)) continue;
    const cosine = rows[place].cosines?.[j] ?? same;
    if (best === PARAPHRASE || cosine >= same) joins[j] = 1;
  }
  /** For each selected point, in pick order, the points that join it or are near it, in the order of the items. */
  const near = rows.map((row, p): readonly Near[] => {
    const found: Near[] = [];
    for (let j = 0; j < n; j++) {
      const isJoined = joins[j] === 1 && item[j] === selected[p];
      const isNear = threshold !== null && isSelected[j] === 0 && row.similarity[j] >= unlike;
      if (isJoined || isNear) found.push({ item: j, similarity: row.similarity[j], joins: isJoined });
    }
    return found;
  });
  return { item, similarity, joins, near };
}
