import { oppositionOf, sameSide } from './opposites.ts';
import { excludeEachOther } from './quantity.ts';
import type { Item, Statement } from './read-statement.ts';

export interface Difference {
  readonly kind: 'number' | 'opposite' | 'negation';
  /** Indices of the items that differ. */
  readonly a: number;
  readonly b: number;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Content words that both have. */
  readonly shared: number;
  /** Numbers of items of the common core; what follows in either statement is another clause. */
  readonly endA: number;
  readonly endB: number;
  /** Both statements end with the core. */
  readonly whole: boolean;
}

/**
 * Walks two statements side by side. They are about the same thing only if their content words are the same in the same
 * order up to the end of a clause; null where they part before that.
 */
export function compareStatements(a: Statement, b: Statement): Comparison | null {
  const differences: Difference[] = [];
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < a.items.length && j < b.items.length) {
    const [left, right] = [a.items[i] as Item, b.items[j] as Item];
    const met = meet(left, right);
    if (met === 'apart') {
      if (left.soft) i += 1;
      else if (right.soft) j += 1;
      else break;
      continue;
    }
    if (met !== 'same') differences.push({ kind: met, a: i, b: j });
    if (met !== 'number' && met !== 'opposite' && left.key !== '#') shared += 1;
    i += 1;
    j += 1;
  }
  while (a.items[i]?.soft) i += 1;
  while (b.items[j]?.soft) j += 1;
  if (!endsHere(a, i) || !endsHere(b, j)) return null;
  if (a.denied !== b.denied) differences.push({ kind: 'negation', a: -1, b: -1 });
  return { differences, shared, endA: i, endB: j, whole: i === a.items.length && j === b.items.length };
}

function meet(left: Item, right: Item): 'same' | 'apart' | Difference['kind'] {
  if (left.preposition !== right.preposition && !left.quantity) return 'apart';
  if (left.quantity && right.quantity) {
    if (left.quantity.unit !== right.quantity.unit || left.negated || right.negated) return 'apart';
    return excludeEachOther(left.quantity, right.quantity) ? 'number' : 'same';
  }
  if (left.quantity || right.quantity) return 'apart';
  if (left.key === right.key || sameSide(left.key, right.key))
    return left.negated === right.negated ? 'same' : 'negation';
  if (!oppositionOf(left.key, right.key)) return 'apart';
  // "not legal" and "illegal" are one.
  return left.negated === right.negated ? 'opposite' : 'same';
}

/** Whether a claim can end before the item: at the end, or where a clause opens that does not narrow it down. */
function endsHere({ items }: Statement, at: number): boolean {
  const item = items[at];
  return !item || (item.opensClause && (item.explains || !(item.narrows || item.relative)));
}
