import padjust from '@stdlib/stats-padjust';
import type { Correction } from '../../../contract/index.ts';

/**
 * p-values that allow for how many there are: Holm (1979) bounds the chance of any false one, Benjamini & Hochberg (1995) the
 * expected share of false ones. Those that are not known yet (null) stay null and count all the same.
 */
export function adjustPValues(values: readonly (number | null)[], correction: Correction): (number | null)[] {
  const known = values.flatMap((p) => (p === null ? [] : [p]));
  if (known.length === 0) return [...values];
  const adjusted = padjust(known, correction === 'holm' ? 'holm' : 'bh', values.length);
  let next = 0;
  return values.map((p) => (p === null ? null : adjusted[next++]));
}
