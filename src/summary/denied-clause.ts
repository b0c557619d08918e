import { tokensOf } from './contradiction/tokens.ts';
import { COMMON_OPENERS, FUNCTION_WORDS, keyOf, looksEnglish, RELATIVES } from './contradiction/vocabulary.ts';

const BOUNDARY = /^[,;:.!?()–—]$/u;
const REASONS = new Set(['because', 'since']);
/** They open a reason where a subject follows ("as it costs less"), not a comparison ("as safe as") or a role ("as work"). */
const REASONS_BEFORE_SUBJECTS = new Set(['as', 'so']);
/** Another text may mean another thing by them; "we" ought to do the same thing everywhere. */
const POINTING = new Set(
  'i you he she it they we this that these those there here my your his her its our their'.split(' '),
);
const OUGHT = new Set('should must ought'.split(' '));
const NEGATIONS = new Set(['not', 'never']);
const SUPPORTING = new Set(['do', 'does', 'did']);
/** A clause with more words is not repeated in full. */
const LONGEST = 18;
/** Words that are not the negation: fewer say too little to be about the same thing. */
const FEWEST = 3;

/** What a statement claims up to its reasons, and whether it denies that. */
interface Clause {
  readonly text: string;
  readonly keys: string;
  readonly denies: boolean;
}

/**
 * What one of two English statements claims and the other denies in the same words ("whether we should ban fracking"), whatever
 * reasons they give; null where they do not.
 *
 * @param commonWords Lower-case words known not to be names, so that the claim can be quoted mid-sentence
 */
export function deniedClause(a: string, b: string, commonWords: ReadonlySet<string>): string | null {
  const [left, right] = [a, b].map(readClause);
  if (left === null || right === null || left.denies === right.denies || left.keys !== right.keys) return null;
  const { text } = left.denies ? right : left;
  const [first] = text.split(' ', 1);
  const lower = first.toLowerCase();
  const isCommon =
    /^\p{Lu}\p{Ll}*$/u.test(first) && [FUNCTION_WORDS, COMMON_OPENERS, commonWords].some((list) => list.has(lower));
  return `whether ${isCommon ? lower + text.slice(first.length) : text}`;
}

function readClause(statement: string): Clause | null {
  const text = statement.replace(/\bcannot\b|\bcan['’]t\b/giu, 'can not').replace(/n['’]t\b/gu, ' not');
  const tokens = tokensOf(text);
  const end = tokens.findIndex(({ lower }, at) => {
    const next = tokens[at + 1];
    if (BOUNDARY.test(lower)) return true;
    if (REASONS.has(lower)) return next?.kind !== 'number';
    return REASONS_BEFORE_SUBJECTS.has(lower) && POINTING.has(next?.lower ?? '');
  });
  const words = end < 0 ? tokens : tokens.slice(0, end);
  const lowers = words.map(({ lower }) => lower);
  const isVague = POINTING.has(lowers[0]) && !(lowers[0] === 'we' && OUGHT.has(lowers[1]));
  if (isVague || text.includes('?') || lowers.some((word) => RELATIVES.has(word) || word === 'that')) return null;
  const negations = lowers.filter((word) => NEGATIONS.has(word)).length;
  if (negations > 1 || words.length > LONGEST || !looksEnglish(lowers)) return null;
  const claimed = lowers.filter((word, at) => {
    const isSupporting = SUPPORTING.has(word) && NEGATIONS.has(lowers[at + 1]);
    return !NEGATIONS.has(word) && !isSupporting;
  });
  if (claimed.length < FEWEST) return null;
  return {
    text: text.slice(words[0].start, words[words.length - 1].end),
    keys: claimed.map(keyOf).join(' '),
    denies: negations === 1,
  };
}
