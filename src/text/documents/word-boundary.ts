import { type FoldedText, UNSPACED } from './fold-text.ts';

const SPACE = /(?!\ufeff)[\s\u0085]/u;
const WORDY = /[\p{L}\p{M}\p{N}]/u;
const MARK = /^\p{M}/u;
const DIGIT = /\p{Nd}/u;
/** Dashes that stand between words rather than within one. */
const BETWEEN_WORDS = /^\s|[\u2012-\u2015]|--/u;
/** Between digits these are part of a number, a date or a time; between words of a compound the hyphens are. */
const IN_NUMBER = /[.,:/]/;
const HYPHEN = /^[-\u2010-\u2013\u2212\ufe63\uff0d]$/u;
const MINUS = /^[-\u2212\ufe63\uff0d]$/u;

/**
 * Whether a span may begin or end before a unit of a folded text: not within a character, a word, a compound
 * ("non-smokers"), a contraction ("can't") or a number ("3.5", "-5"). In scripts without spaces any character may.
 */
export function isWordBoundary(text: string, { folded, starts, ends }: FoldedText, unit: number): boolean {
  if (unit <= 0 || unit >= folded.length) return true;
  const before = characterBefore(folded, unit);
  const after = characterFrom(folded, unit);
  if (ends[unit - 1] > starts[unit] || MARK.test(after)) return false;
  if (before === ' ' || after === ' ') return true;
  if (WORDY.test(before) && WORDY.test(after)) {
    if (UNSPACED.test(before) || UNSPACED.test(after)) return true;
    return BETWEEN_WORDS.test(text.slice(ends[unit - 1], starts[unit]));
  }
  return !isGlued(unit - 1) && !isGlued(unit);

  /** Whether the sign at an index holds what stands around it together. */
  function isGlued(at: number): boolean {
    const sign = folded.charAt(at);
    const next = characterFrom(folded, at + 1);
    if (at + 1 >= folded.length || !WORDY.test(next) || !touches(at + 1)) return false;
    const raw = text.slice(starts[at], ends[at]);
    const isFirst = at === 0 || !touches(at);
    const previous = isFirst ? '' : characterBefore(folded, at);
    if (!WORDY.test(previous)) return at < unit && DIGIT.test(next) && MINUS.test(raw) && previous !== ')';
    if (IN_NUMBER.test(sign)) return DIGIT.test(previous) && DIGIT.test(next);
    // "l'économie" may begin after its article, "can't" may not lose its end.
    if (sign === "'") return at === unit || !/^\p{L}{3}/u.test(folded.slice(at + 1, at + 7));
    return sign === '_' || (sign === '-' && HYPHEN.test(raw));
  }

  /** Whether no white space stands before a unit. */
  function touches(at: number): boolean {
    return ends[at - 1] >= starts[at] || !SPACE.test(text.slice(ends[at - 1], starts[at]));
  }
}

function characterFrom(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, index: number): string {
  const isPair = index > 1 && /[\udc00-\udfff]/.test(text.charAt(index - 1));
  return text.slice(isPair ? index - 2 : index - 1, index);
}
