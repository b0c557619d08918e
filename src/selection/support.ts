import { type Centring, centred } from '../kernel/centring.ts';
import { CENTRING_LEAST } from '../kernel/coverage.ts';

export interface SupportOptions {
  /** Centred similarity from which a point joins; null: nothing joins. */
  readonly threshold: number | null;
  /** Similarity from which a point joins whatever the centred one is. */
  readonly paraphrase: number;
}

/** For each point, the selected point it is nearest to, and whether it joins it. */
export interface Nearest {
  /** Position in `selected` of the nearest other selected point; -1 where there is none. */
  readonly position: Int32Array;
  readonly similarity: Float64Array;
  /** 1 where an unselected point says what its nearest selected point says. */
  readonly joins: Uint8Array;
}

/**
 * Who else says what was selected: an unselected point j joins its most similar selected point i where C_ij reaches the
 * threshold or S_ij is at paraphrase level; under CENTRING_LEAST points only the latter counts. Most similar is by C; ties
 * go to the earlier pick.
 *
 * @param rows the row of S of each selected point, in pick order
 */
export function support(
  selected: readonly number[],
  rows: readonly Float32Array[],
  n: number,
  centre: Centring,
  options: SupportOptions,
): Nearest {
  const position = new Int32Array(n).fill(-1);
  const similarity = new Float64Array(n);
  const joins = new Uint8Array(n);
  const isSelected = new Uint8Array(n);
  for (const i of selected) isSelected[i] = 1;
  const { threshold, paraphrase } = options;
  for (let j = 0; j < n; j++) {
    let best = -Infinity;
    for (const [p, i] of selected.entries()) {
      if (i === j) continue;
      const c = centred(rows[p][j], centre, i, j);
      if (c > best) {
        best = c;
        position[j] = p;
        similarity[j] = rows[p][j];
      }
    }
    if (isSelected[j] || position[j] < 0 || threshold === null) continue;
    const alike = similarity[j] >= paraphrase || (n >= CENTRING_LEAST && best >= threshold);
    if (alike) joins[j] = 1;
  }
  return { position, similarity, joins };
}
