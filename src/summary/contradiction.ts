import { type Clause, clausesOf } from './contradiction/clauses.ts';
import { areOpposed, isOnSameSide } from './contradiction/opposites.ts';
import { keyOf } from './contradiction/vocabulary.ts';

/** What is reduced or avoided need not be there in full: "without complexities" and "reduces complexities". */
const TAKES_AWAY = new Set('reduce avoid prevent stop eliminate remove escape spare cut end'.split(' ').map(keyOf));
/** They compare what stands behind them, which may be another thing. */
const COMPARATIVES = new Set('more less fewer'.split(' ').map(keyOf));

/**
 * Whether one of two English statements denies what the other affirms, or says the opposite of it ("output rose", "output
 * fell"). False for questions, where words of denial make it hard to tell, and for other languages. What it keeps from being
 * cited: docs/decisions/support.md.
 */
export function contradict(a: string, b: string): boolean {
  if (a.includes('?') || b.includes('?')) return false;
  const [left, right] = [clausesOf(a), clausesOf(b)];
  if (left === null || right === null) return false;
  return denies(left, right) || denies(right, left) || turnsAround(left, right);
}

/** "The vaccine does not prevent illness", of "the vaccine prevents illness". */
function denies(own: readonly Clause[], others: readonly Clause[]): boolean {
  return own.some(
    (clause) =>
      !clause.tangled &&
      [...clause.denied].some((key) => {
        // "It works here but not there": one statement says both.
        if (own.some((other) => other !== clause && other.keys.includes(key))) return false;
        const about = others.filter((other) => other.keys.includes(key));
        return about.some((other) => isOfSame(clause, other, key)) && about.every((other) => !other.denies);
      }),
  );
}

/** "Output fell", of "output rose": opposed words beside the same word. */
function turnsAround(left: readonly Clause[], right: readonly Clause[]): boolean {
  const [leftKeys, rightKeys] = [left, right].map((clauses) => clauses.flatMap(({ keys }) => keys));
  const decides = (key: string, others: readonly string[]) =>
    !COMPARATIVES.has(key) && !others.some((other) => other === key || isOnSameSide(key, other));
  const [own, others] = [left, right].map((clauses) => clauses.filter(({ negated }) => !negated));
  return own.some(({ keys }) =>
    keys.some(
      (key, at) =>
        decides(key, rightKeys) &&
        others.some((other) =>
          other.keys.some(
            (opposed, there) =>
              areOpposed(key, opposed) &&
              decides(opposed, leftKeys) &&
              beside(keys, at).some((word) => beside(other.keys, there).includes(word)),
          ),
        ),
    ),
  );
}

/** Whether two clauses speak of the same beyond the word that one denies, and the other does not take that away. */
function isOfSame(denying: Clause, { keys }: Clause, denied: string): boolean {
  if (TAKES_AWAY.has(keys[keys.indexOf(denied) - 1] ?? '')) return false;
  return denying.keys.some((key) => key !== denied && keys.includes(key));
}

function beside(keys: readonly string[], at: number): string[] {
  return [keys[at - 1], keys[at + 1]].filter((key) => key !== undefined);
}
