import type { MonotoneTerm } from '../dpp/exact-map.ts';

/** What the objective adds to log det: a weighted sum of monotone submodular terms. */
export interface Bonus extends MonotoneTerm {
  readonly value: number;
  copy(): Bonus;
}

/** @returns null where no term counts */
export function weightedSum(terms: readonly (readonly [number, Bonus | null])[]): Bonus | null {
  const counted = terms.flatMap(([weight, term]) => (weight > 0 && term !== null ? [{ weight, term }] : []));
  return counted.length === 0 ? null : sumOf(counted);
}

function sumOf(terms: readonly { readonly weight: number; readonly term: Bonus }[]): Bonus {
  return {
    get value() {
      return terms.reduce((sum, { weight, term }) => sum + weight * term.value, 0);
    },
    gain: (i) => terms.reduce((sum, { weight, term }) => sum + weight * term.gain(i), 0),
    add(i) {
      for (const { term } of terms) term.add(i);
    },
    copy: () => sumOf(terms.map(({ weight, term }) => ({ weight, term: term.copy() }))),
  };
}

/** The same for some of the items, numbered anew. */
export function bonusOf(bonus: Bonus, items: readonly number[]): Bonus {
  return {
    get value() {
      return bonus.value;
    },
    gain: (i) => bonus.gain(items[i]),
    add: (i) => bonus.add(items[i]),
    copy: () => bonusOf(bonus.copy(), items),
  };
}
