import { cleanClaim } from './clean-claim.ts';
import { type Quantity, readQuantity, skipBound } from './quantity.ts';
import { type Token, tokensOf } from './tokens.ts';
import { FUNCTION_WORDS, keyOf, LABELS, looksEnglish, PREPOSITIONS, RELATIVES, SOFT_WORDS } from './vocabulary.ts';

/** A content word or a number of a statement. */
export interface Item {
  /** Stem, one for close synonyms; "#" for a number. */
  readonly key: string;
  readonly quantity: Quantity | null;
  readonly negated: boolean;
  /** May be missing in the other statement. */
  readonly soft: boolean;
  /** A comma, "because", "and" or the like stands before it: the claim can end here. */
  readonly opensClause: boolean;
  /** What stands in front narrows the claim down: a preposition, "if". */
  readonly narrows: boolean;
  /** A clause that gives a reason or a contrast begins here, which leaves the claim before it as it is. */
  readonly explains: boolean;
  /** The preposition that ties it to what stands before, "" where there is none. */
  readonly preposition: string;
  /** Stands inside a clause with "who", "if", "when"…: of some, not of all. */
  readonly relative: boolean;
  /** Indices of its tokens. */
  readonly begin: number;
  readonly end: number;
}

export interface Statement {
  /** The claim, cleaned: offsets of tokens point into it. */
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly items: readonly Item[];
  readonly denied: boolean;
}

/** In UTF-16 code units. Longer than this it is more than one claim. */
const LONGEST_STATEMENT = 1000;
const CLAUSE_OPENERS = new Set(
  'because and but so due while whereas although though thus thereby partly mainly largely since'.split(' '),
);
const EXPLAINS = new Set('because whereas although though but'.split(' '));
const NOT = new Set('not never no cannot hardly barely neither without'.split(' '));
const NEGATIVE_VERB = /^(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|unable)$/u;
const CLAUSE_MARK = /^[,;:.!()–—]$/u;
const TAKES_SIDES = /^(?:vot|argu|campaign|sp[eo]ak|spok|stand|stood)/u;
/** After "not" these leave the claim standing, or deny only part of it. */
const NOT_A_NEGATION = new Set('only just least doubt matter less fewer more merely simply'.split(' '));
const PARTLY_NEGATED = new Set(
  'all every always necessarily entirely fully yet enough everyone everything much many'.split(' '),
);

/** Reads an English statement into the items that two statements are compared by; null where it claims nothing to compare. */
export function readStatement(sentence: string): Statement | null {
  if (sentence.length > LONGEST_STATEMENT) return null;
  const claim = cleanClaim(sentence);
  if (!claim) return null;
  const tokens = tokensOf(claim.text);
  if (!looksEnglish(tokens.map((token) => token.lower))) return null;
  const items: Item[] = [];
  let negated = false;
  let opensClause = false;
  let relative = false;
  let previousEnd = 0;
  for (let at = 0; at < tokens.length; ) {
    at = skipBound(tokens, at);
    const { lower, kind } = tokens[at] as Token;
    const quantity = labelled(tokens, at) ? null : readQuantity(tokens, at);
    const negation = quantity ? 'none' : negationAt(tokens, at);
    if (negation === 'partial') return null;
    const isSide = /^(?:for|against)$/u.test(lower) && TAKES_SIDES.test(tokens[at - 1]?.lower ?? '');
    const isWord = kind === 'word' && (isSide || !FUNCTION_WORDS.has(lower)) && !lower.endsWith("n't");
    if (negation === 'full') {
      negated = !negated;
      const isPair = lower === 'no' || NEGATIVE_VERB.test(lower);
      // "no longer", "failed to": both words are the negation.
      if (isPair && /^(?:longer|to)$/u.test(tokens[at + 1]?.lower ?? '')) {
        at += 1;
        previousEnd = at + 1;
      }
    } else if (quantity || isWord || kind === 'number') {
      const end = quantity?.end ?? at + 1;
      const begin = Math.min(at, quantity?.begin ?? at);
      const between = tokens.slice(previousEnd, begin).map((token) => token.lower);
      const soft = !quantity && (SOFT_WORDS.has(lower) || (lower.endsWith('ly') && lower.length > 4));
      items.push({
        key: quantity ? '#' : kind === 'number' ? `#${lower}` : keyOf(lower),
        quantity,
        negated: negated && !soft,
        soft,
        opensClause: opensClause || between.some((word) => CLAUSE_OPENERS.has(word)),
        narrows: between.some(
          (word) => PREPOSITIONS.has(word) || RELATIVES.has(word) || (word === 'since' && quantity),
        ),
        explains: between.some((word) => EXPLAINS.has(word) || (word === 'since' && !quantity)),
        preposition: prepositionOf(between),
        relative,
        begin,
        end,
      });
      if (!soft) [negated, opensClause] = [false, false];
      previousEnd = end;
      at = end;
      continue;
    }
    // What is denied lies behind a comma or an "and": too tangled to tell.
    if (negated && (CLAUSE_MARK.test(lower) || CLAUSE_OPENERS.has(lower))) return null;
    if (CLAUSE_MARK.test(lower)) [opensClause, relative] = [true, false];
    if (RELATIVES.has(lower) || lower === 'that' || lower === 'except') relative = true;
    at += 1;
  }
  return { text: claim.text, tokens, items, denied: claim.denied };
}

/** "Section 5", "World War 2", "March 5": the number names, it does not count. */
function labelled(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind !== 'number' || before?.kind !== 'word') return false;
  if (LABELS.has(before.lower)) return !/^(?:1[5-9]|20)\d\d$/u.test(token.text) || before.lower === 'act';
  const isName = /^\p{Lu}/u.test(before.text) && !FUNCTION_WORDS.has(before.lower);
  return (
    isName && (after === undefined || after.kind !== 'word' || FUNCTION_WORDS.has(after.lower)) && after?.lower !== '%'
  );
}

/** One name for prepositions that say the same of a place. */
function prepositionOf(between: readonly string[]): string {
  const found = between.findLast((word) => PREPOSITIONS.has(word)) ?? '';
  if (/^(?:in|on|at|within|inside|of)$/u.test(found)) return 'in';
  return found === 'without' ? 'with' : found === 'into' ? 'to' : found;
}

function negationAt(tokens: readonly Token[], at: number): 'none' | 'full' | 'partial' {
  const lower = tokens[at]?.lower ?? '';
  const next = tokens[at + 1]?.lower ?? '';
  const isNot = NOT.has(lower) || lower.endsWith("n't");
  if (isNot && NOT_A_NEGATION.has(next)) return 'none';
  if (isNot && PARTLY_NEGATED.has(next)) return 'partial';
  if (isNot) return 'full';
  return NEGATIVE_VERB.test(lower) && next === 'to' ? 'full' : 'none';
}
