import { supports } from '../kernel/agreement.ts';

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
 * agreement reaches the threshold. Ties go to the larger S, then to the earlier pick.
 *
 * @param rows S and agreement of each selected point with all n points, in pick order
 * @param threshold null: nothing joins
 */
export function support(
  selected: readonly number[],
  rows: readonly { readonly similarity: Float32Array; readonly agreement: Float32Array }[],
  n: number,
  threshold: number | null,
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
    if (threshold !== null && isSelected[j] === 0 && position[j] >= 0 && supports(best, threshold, n)) joins[j] = 1;
  }
  return { position, similarity, joins };
}
