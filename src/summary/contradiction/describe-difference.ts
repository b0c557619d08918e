import type { Comparison, Difference } from './compare-statements.ts';
import { isOpposable } from './opposites.ts';
import type { Item, Statement } from './read-statement.ts';
import { COMMON_OPENERS, FIRST_PERSONS, FUNCTION_WORDS, keyOf, SOFT_WORDS, TIME_WORDS } from './vocabulary.ts';

/** A claim longer than this is not repeated in full. */
const LONGEST_CLAIM = 18;

/**
 * Says on what two opposed statements differ, as a phrase that can follow "differ on", or as the two wordings alone
 * (“…” against “…”) where no such phrase would read well.
 */
export function describeDifference(
  a: Statement,
  b: Statement,
  comparison: Comparison,
  difference: Difference,
  commonWords: ReadonlySet<string>,
): string {
  const [left, right] = [a.items[difference.a], b.items[difference.b]];
  const negatedA = difference.kind === 'negation' && (left ? left.negated : a.denied);
  const [stated, end] = negatedA ? [b, comparison.endB] : [a, comparison.endA];
  const claim = claimOf(stated, end, commonWords, [a, b]);
  if (difference.kind === 'opposite' && left && right) {
    const [word, opposite] = [wording(a, left), wording(b, right)];
    if (!claim) return `“${phraseFrom(a, left, comparison.endA)}” against “${phraseFrom(b, right, comparison.endB)}”`;
    const at = (a.tokens[left.begin]?.start ?? 0) - claim.offset;
    const before = claim.text.slice(0, at);
    return `whether ${before}“${word}” or “${opposite}”${claim.text.slice(at + word.length)}`;
  }
  if (claim) return `whether ${claim.text}`;
  if (!left || !right) return 'whether this is so';
  return `“${phraseFrom(a, left, comparison.endA)}” against “${phraseFrom(b, right, comparison.endB)}”`;
}

interface ClaimText {
  readonly text: string;
  /** Where it begins in the statement. */
  readonly offset: number;
}

const COMMON_ENDING = /(?:ing|tion|ment|ness|ity|ers|ism|ance|ence|ive|able|al|ic|ed)s?$/u;

/** The common core in the words of one statement, ready to follow "whether"; null where it would not read well there. */
function claimOf(
  { tokens, items, text }: Statement,
  end: number,
  commonWords: ReadonlySet<string>,
  both: readonly Statement[],
): ClaimText | null {
  const [first, last] = [tokens[0], tokens[(items[end - 1]?.end ?? 0) - 1]];
  if (!first || !last || (items[end - 1]?.end ?? 0) > LONGEST_CLAIM) return null;
  const inCore = tokens.slice(0, items[end - 1]?.end);
  if (inCore.some((token) => FIRST_PERSONS.has(token.lower) && token.lower !== 'we')) return null;
  const isCommon =
    FUNCTION_WORDS.has(first.lower) ||
    SOFT_WORDS.has(first.lower) ||
    COMMON_OPENERS.has(first.lower) ||
    commonWords.has(first.lower) ||
    isOpposable(keyOf(first.lower)) ||
    TIME_WORDS.has(keyOf(first.lower)) ||
    (COMMON_ENDING.test(first.lower) && !/^\p{Lu}/u.test(tokens[1]?.text ?? '')) ||
    both.some((statement) => statement.tokens.some((token) => token.text === first.lower));
  const isWord = /^\p{Lu}\p{Ll}*$/u.test(first.text);
  const core = text.slice(first.start, last.end);
  if (!isWord || !isCommon) return { text: core, offset: first.start };
  return { text: core.charAt(0).toLowerCase() + core.slice(1), offset: first.start };
}

function wording({ tokens, text }: Statement, item: Item): string {
  return text.slice(tokens[item.begin]?.start ?? 0, tokens[item.end - 1]?.end ?? 0);
}

const LEADS = new Set('not never no do does did is are was were will should must can has have'.split(' '));

/** From the difference on, with the "not" or "does not" in front of it. */
function phraseFrom({ tokens, items, text }: Statement, item: Item, end: number): string {
  let begin = item.begin;
  while (item.negated && begin > 0 && item.begin - begin < 3 && LEADS.has(tokens[begin - 1]?.lower ?? '')) {
    begin -= 1;
  }
  if (item.negated && begin > 0 && begin === item.begin) begin -= 1;
  const stop = Math.min(items[end - 1]?.end ?? item.end, item.end + 6);
  return text.slice(tokens[begin]?.start ?? 0, tokens[stop - 1]?.end ?? 0);
}
