import { type Token, tokensOf } from './tokens.ts';
import { DETERMINERS, FUNCTION_WORDS, keyOf, looksEnglish, SOFT_WORDS } from './vocabulary.ts';

/** A stretch of a text up to the next clause, and what it denies. */
export interface Clause {
  /** Stems of its content words, in order. */
  readonly keys: readonly string[];
  /** The keys right behind a negation: "harm" of "does not harm". */
  readonly denied: ReadonlySet<string>;
  /** A negation or another word of denial stands in it. */
  readonly denies: boolean;
  /** A negation stands in it. */
  readonly negated: boolean;
  /** Both, or two of them: too tangled to tell. */
  readonly tangled: boolean;
}

const BOUNDARY = /^[,;:.!()–—]$/u;
const OPENERS = new Set('but because while whereas although though and yet'.split(' '));
const NOT = new Set('not never no cannot without neither nor nobody nothing none'.split(' '));
const REFUSES = /^(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|unable)$/u;
/** "Not only", "no doubt", "no more than" leave the claim standing. */
const NOT_A_NEGATION = new Set('only just least doubt matter less fewer more merely simply'.split(' '));
/** "Not all" denies a part. */
const PARTLY = new Set(
  'all every always necessarily entirely fully yet enough everyone everything much many'.split(' '),
);
const UP = /\b(?:go(?:es|ing|ne)?|went)\s+up\b/giu;
const DOWN = /\b(?:go(?:es|ing|ne)?|went)\s+down\b/giu;
const SKIPPED = new Set('longer'.split(' '));
const LACKS = /^lack(?:s|ed)?$/u;
/** Other words by which a claim is denied, weakened, or said to be somebody else's. */
const DENIAL =
  /^(?:den(?:y|ies|ied|ying|ial)|disput\w*|reject\w*|refut\w*|doubt\w*|contest(?:s|ed)?|false\w*|untrue|myths?|wrong\w*|lacking|absen\w+|hardly|barely|scarcely|rarely|seldom|little|few|impossible|unlikely|contra\w*|disagree\w*|instead|rather|unless|except|question(?:s|ed)|against|disprov\w*|debunk\w*|whether|if)$/u;

/** The clauses of an English text; null where it is in another language. */
export function clausesOf(text: string): Clause[] | null {
  const tokens = tokensOf(text.replace(UP, 'rose').replace(DOWN, 'fell'));
  if (!looksEnglish(tokens.map((token) => token.lower))) return null;
  const clauses: Clause[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const lower = tokens[at]?.lower;
    if (lower !== undefined && !BOUNDARY.test(lower) && !OPENERS.has(lower)) continue;
    if (at > from) clauses.push(clauseOf(tokens.slice(from, at)));
    from = at + 1;
  }
  return clauses;
}

function clauseOf(tokens: readonly Token[]): Clause {
  const keys: string[] = [];
  const denied = new Set<string>();
  let count = 0;
  let isDenying = false;
  tokens.forEach((token, at) => {
    const { lower, kind } = token;
    const kindOf = negation(tokens, at);
    if (kindOf !== 'none') {
      count += 1;
      isDenying = kindOf === 'full';
      return;
    }
    const isContent = kind === 'word' && !FUNCTION_WORDS.has(lower) && !lower.endsWith("n't") && !SKIPPED.has(lower);
    if (!isContent || SOFT_WORDS.has(lower) || (lower.endsWith('ly') && lower.length > 4)) return;
    const key = keyOf(lower);
    keys.push(key);
    if (isDenying) denied.add(key);
    isDenying = false;
  });
  const others = tokens.filter(
    ({ lower }, at) => DENIAL.test(lower) || (LACKS.test(lower) && negation(tokens, at) === 'none'),
  ).length;
  return { keys, denied, denies: count + others > 0, negated: count > 0, tangled: count > 1 || others > 0 };
}

function negation(tokens: readonly Token[], at: number): 'none' | 'full' | 'partial' {
  const { lower } = tokens[at];
  const [before, next] = [tokens[at - 1]?.lower ?? '', tokens[at + 1]?.lower ?? ''];
  // "Declined to sign", not "declined to $19 million" or "to the lowest level".
  const follows = tokens[at + 2];
  const isVerb = follows?.kind === 'word' && !DETERMINERS.has(follows.lower);
  if (REFUSES.test(lower) && next === 'to') return isVerb ? 'full' : 'none';
  // "They lack teachers", not "the lack of teachers".
  if (LACKS.test(lower)) return next === 'of' ? 'none' : 'full';
  if (!NOT.has(lower) && !lower.endsWith("n't")) return 'none';
  // "Whether or not", "many, if not most".
  if (NOT_A_NEGATION.has(next) || before === 'or' || before === 'if') return 'none';
  return PARTLY.has(next) ? 'partial' : 'full';
}
