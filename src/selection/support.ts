import { PARAPHRASE, supports } from '../kernel/agreement.ts';

export interface SupportOptions {
  /** Agreement from which a point joins; null: nothing joins. */
  readonly threshold: number | null;
  /** Sentence cosine below which only paraphrases join. */
  readonly same: number;
}

/** What one point has in common with all. */
export interface PointRows {
  readonly similarity: Float32Array;
  readonly agreement: Float32Array;
  readonly cosines: Float32Array | null;
}

/** For each point, the selected point it is nearest to, and whether it joins it. */
export interface Nearest {
  /** Position in `selected` of the nearest other selected point; -1 where there is none. */
  readonly position: Int32Array;
  /** S to that point. */
  readonly similarity: Float64Array;
  /** 1 where an unselected point says what that point says. */
  readonly joins: Uint8Array;
}

/**
 * Who else says what was selected: an unselected point joins the selected point that it agrees with most, where their
 * agreement reaches the threshold and their sentences are close enough. Ties go to the larger S, then to the earlier pick.
 *
 * @param rows S, agreement and sentence cosines (null where there are none) of each selected point with all n points, in
 *   pick order
 */
export function support(
  selected: readonly number[],
  rows: readonly PointRows[],
  n: number,
  { threshold, same }: SupportOptions,
): Nearest {
  const position = new Int32Array(n).fill(-1);
  const similarity = new Float64Array(n);
  const joins = new Uint8Array(n);
  const isSelected = new Uint8Array(n);
  for (const i of selected) isSelected[i] = 1;
  for (let j = 0; j < n; j++) {
    let best = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < selected.length; p++) {
      if (selected[p] === j) continue;
      const a = rows[p].agreement[j];
      const s = rows[p].similarity[j];
      if (a < best || (a === best && s <= similarity[j])) continue;
      best = a;
      position[j] = p;
      similarity[j] = s;
    }
    if (threshold === null || isSelected[j] === 1 || position[j] < 0 || !supports(best, threshold, n)) continue;
    const cosine = rows[position[j]].cosines?.[j] ?? same;
    if (best === PARAPHRASE || cosine >= same) joins[j] = 1;
  }
  return { position, similarity, joins };
}
