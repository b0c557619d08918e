import { type Token, tokensOf } from '../contradiction/tokens.ts';
import { FUNCTION_WORDS, keyOf, looksEnglish, SOFT_WORDS } from '../contradiction/vocabulary.ts';
import { CARDINALS } from './number-words.ts';
import { HOW_MANY, QUALIFIERS, type Qualifier, TIMES } from './qualifier-table.ts';

interface Word {
  readonly lower: string;
  /** Stem of a word, value of a number; "" for a sign. */
  readonly key: string;
  readonly kind: 'content' | 'number' | 'other' | 'sign';
}

/** How far a qualifier may stand from the word it limits, and how many words around it tell what it is about. */
const AHEAD = 3;
const BEHIND = 5;
const BEFORE = 8;
const AROUND = 4;
const NEAR = 16;
/** Of longer texts, the words beyond are not read: each is compared with each. */
const LONGEST = 400;
/** "Most of which", "some of them". */
const REFERS = /^(?:which|whom|who|that|them|us|these|those|it)$/u;
const MONTH = /^(?:in|of|since|by|until|on|from|early|late|last|next|this|before|after)$/u;

/**
 * Whether an English sentence leaves off, adds or exchanges a word that limits a claim of its quotes: "may", "plans to", "at
 * least", "some", "hardly", "nearly", "except", "before". False where another place of the quotes has the claim without it.
 */
export function changesQualifier(sentence: string, quotes: readonly string[]): boolean {
  if (sentence.includes('?')) return false;
  const own = read(sentence);
  const quoted = quotes.map(read).filter((text) => text !== null);
  if (own === null || quoted.length === 0) return false;
  return QUALIFIERS.some(
    (qualifier) =>
      quoted.some((quote) => isLeftOff(qualifier, quote, own, quoted) || isExchanged(qualifier, quote, own, quoted)) ||
      isAdded(qualifier, own, quoted),
  );
}

function isLeftOff(
  qualifier: Qualifier,
  quote: readonly Word[],
  own: readonly Word[],
  quoted: readonly Word[][],
): boolean {
  const { kept, isAnywhere = false, isPurpose = false } = qualifier;
  if (kept === undefined) return false;
  return headsOf(qualifier, quote).some((head) => {
    const there = sameHeads(quote, head, own);
    if (there.length === 0 || there.some((at) => stands(kept, own, at, isAnywhere) || (isPurpose && purpose(own, at))))
      return false;
    return !quoted.some((other) => placesOf(other, quote[head].key).some((at) => !stands(kept, other, at, false)));
  });
}

function isAdded(qualifier: Qualifier, own: readonly Word[], quoted: readonly Word[][]): boolean {
  const { needed } = qualifier;
  if (needed === undefined) return false;
  return headsOf(qualifier, own).some((head) => {
    const there = quoted.map((quote) => sameHeads(own, head, quote));
    if (there.every((places) => places.length === 0)) return false;
    return !quoted.some((quote) => placesOf(quote, own[head].key).some((at) => stands(needed, quote, at, false)));
  });
}

function isExchanged(
  qualifier: Qualifier,
  quote: readonly Word[],
  own: readonly Word[],
  quoted: readonly Word[][],
): boolean {
  const { against } = qualifier;
  if (against === undefined) return false;
  const opposite = { opens: against, limits: qualifier.limits };
  return headsOf(qualifier, quote).some((head) => {
    const { key } = quote[head];
    const there = sameHeads(quote, head, own);
    const isOpposed = headsOf(opposite, own).some((at) => there.includes(at));
    if (!isOpposed || headsOf(qualifier, own).some((at) => own[at].key === key)) return false;
    return !quoted.some((other) => headsOf(opposite, other).some((at) => other[at].key === key));
  });
}

/** Where the words stand that a qualifier limits. */
function headsOf(
  { opens, notBehind, limits }: Pick<Qualifier, 'opens' | 'notBehind' | 'limits'>,
  text: readonly Word[],
): number[] {
  return text.flatMap((_, at) => {
    const before = textOf(text.slice(Math.max(0, at - BEFORE), at + 1));
    if (!opens.test(before) || notBehind?.test(before)) return [];
    const head = headBehind(text, at + 1, limits);
    return head === null || isSpan(text, at, head) ? [] : [head];
  });
}

function headBehind(text: readonly Word[], from: number, limits: Qualifier['limits']): number | null {
  if (limits === 'next')
    return text[from]?.kind === 'content' && /(?:ed|[^aeiou]t|ought|ell|ew|ied)$/u.test(text[from].lower) ? from : null;
  for (let at = from; at < Math.min(text.length, from + AHEAD); at++) {
    const { kind } = text[at];
    if (limits === 'number') {
      if (kind === 'number') return at;
      if (text[at].lower === 'a' && at === from) continue;
      if (!(kind === 'sign' && /^\p{Sc}$/u.test(text[at].lower))) return null;
    } else if (kind === 'content' || kind === 'number') return at;
    else if (kind === 'sign' || REFERS.test(text[at].lower)) return null;
  }
  return null;
}

/** "Over ten years", "by 2026": how long and when. */
function isSpan(text: readonly Word[], at: number, head: number): boolean {
  const { lower } = text[at];
  if (text[head].kind !== 'number') return false;
  const behind = text[head + 1]?.key ?? '';
  if (lower === 'over' && TIMES.has(behind)) return true;
  return /^(?:by|to|from)$/u.test(lower) && /^(?:19|20)\d\d$/u.test(text[head].key);
}

/** Where the same word stands among some of the same words. */
function sameHeads(text: readonly Word[], head: number, other: readonly Word[]): number[] {
  const about = new Set(around(text, head));
  return placesOf(other, text[head].key).filter((at) => around(other, at).some((key) => about.has(key)));
}

function purpose(text: readonly Word[], at: number): boolean {
  const before = text[at - 1]?.lower ?? '';
  return before === 'to' || (text[at].lower.endsWith('ing') && !/^(?:is|are|was|were|been|be|now)$/u.test(before));
}

function placesOf(text: readonly Word[], key: string): number[] {
  return text.flatMap((word, at) => (word.key === key ? [at] : []));
}

/** The words of content before and behind one. */
function around(text: readonly Word[], at: number): string[] {
  const keysOf = (list: readonly Word[]) =>
    list.filter(({ kind }) => kind === 'content' || kind === 'number').map(({ key }) => key);
  const before = keysOf(text.slice(Math.max(0, at - NEAR), at)).slice(-AROUND);
  const behind = keysOf(text.slice(at + 1, at + 1 + NEAR)).slice(0, AROUND);
  return [...before, ...behind].filter((key) => key !== text[at].key);
}

function stands(group: ReadonlySet<string> | RegExp, text: readonly Word[], at: number, isAnywhere: boolean): boolean {
  const near = isAnywhere ? text : text.slice(Math.max(0, at - BEHIND), at + 3);
  return group instanceof RegExp ? group.test(textOf(near)) : near.some(({ lower }) => group.has(lower));
}

function textOf(text: readonly Word[]): string {
  return text.map(({ lower }) => lower).join(' ');
}

function read(text: string): Word[] | null {
  const tokens = tokensOf(text).slice(0, LONGEST);
  if (!looksEnglish(tokens.map((token) => token.lower))) return null;
  return tokens.map((token, at) => wordOf(token, tokens[at - 1], tokens[at + 1]));
}

function wordOf({ text, lower, kind }: Token, before: Token | undefined, next: Token | undefined): Word {
  if (kind === 'number') return { lower, key: lower.replaceAll(',', ''), kind: 'number' };
  if (kind === 'symbol') return { lower, key: '', kind: !/^["'“”‘’-]$/u.test(lower) ? 'sign' : 'other' };
  const number = CARDINALS.get(lower);
  if (number !== undefined && lower !== 'one') return { lower, key: String(number), kind: 'number' };
  if (/^(?:third|quarter|fifth)$/u.test(lower) && before?.lower === 'a') return { lower, key: lower, kind: 'number' };
  // The month is no "may".
  if (text === 'May' && before !== undefined && (MONTH.test(before.lower) || next?.kind === 'number'))
    return { lower: 'month', key: 'may', kind: 'other' };
  const isContent =
    !FUNCTION_WORDS.has(lower) && !SOFT_WORDS.has(lower) && !HOW_MANY.has(lower) && !/\wly$/u.test(lower);
  return { lower, key: isContent ? keyOf(lower) : '', kind: isContent ? 'content' : 'other' };
}
