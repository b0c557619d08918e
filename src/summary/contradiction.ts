import { type Comparison, compareStatements, type Difference } from './contradiction/compare-statements.ts';
import { couldBothHold } from './contradiction/could-both-hold.ts';
import { describeDifference } from './contradiction/describe-difference.ts';
import { readStatement, type Statement } from './contradiction/read-statement.ts';

/**
 * Whether two statements contradict each other by a number that measures the same thing, a negation, or an opposed verb or
 * adjective. Precise rather than eager: the content words must be the same, in the same order, up to the end of a clause, with
 * exactly one difference, and neither statement may be narrowed, hedged or deictic in a way that lets both be true. English
 * only; false for other languages.
 */
export function contradiction(a: string, b: string): boolean {
  const [left, right] = [readStatement(a), readStatement(b)];
  return left !== null && right !== null && opposing(left, right) !== null;
}

/**
 * What two statements are opposed on by a negation, a verb or an adjective; null where they are not. Numbers are compared by
 * `conflict.ts`.
 *
 * @param commonWords Lower-case words known not to be names, so that a claim can be quoted mid-sentence.
 * @returns can follow "differ on", or is two wordings (“…” against “…”).
 */
export function opposition(a: Statement, b: Statement, commonWords: ReadonlySet<string>): string | null {
  const found = opposing(a, b);
  if (found === null || found.difference.kind === 'number') return null;
  return describeDifference(a, b, found.comparison, found.difference, commonWords);
}

function opposing(a: Statement, b: Statement): { comparison: Comparison; difference: Difference } | null {
  const comparison = compareStatements(a, b);
  const difference = comparison && deciding(comparison);
  if (!difference || couldBothHold(a, b, comparison, difference)) return null;
  return { comparison, difference };
}

/** The one difference that makes two statements opposed; null where there is none, or so many that they are of different things. */
function deciding({ differences, shared, whole }: Comparison): Difference | null {
  const claims = differences.filter((difference) => difference.kind !== 'number');
  const [only, ...more] = claims.length > 0 ? claims : differences;
  if (!only || more.length > 0) return null;
  if (only.kind === 'negation') return differences.length === 1 && shared >= 2 ? only : null;
  if (only.kind === 'number') return shared >= 2 ? only : null;
  // "Rose by 2%" and "fell by 3%" are opposed; "model 10 is safe" and "model 11 is dangerous" are not.
  if (differences.some((difference) => difference.kind === 'number' && difference.a < only.a)) return null;
  return shared >= (whole ? 1 : 2) ? only : null;
}
