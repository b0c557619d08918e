import { firstAtLeast } from '../lists.ts';
import { characterAt, type Span, trimSpan } from './document.ts';
import { type FoldedText, foldText, UNSPACED } from './fold-text.ts';

const SPACE = /(?!\ufeff)[\s\u0085]/u;
const WORDY = /[\p{L}\p{M}\p{N}]/u;
const MARK = /^\p{M}/u;
const DIGIT = /\p{Nd}/u;
const BETWEEN_WORDS = /^\s|[\u2012-\u2015]|--/u;
/** Part of a number, a date or a time between digits. */
const IN_NUMBER = /[.,:/]/;
const HYPHEN = /^[-\u2010-\u2013\u2212\ufe63\uff0d]$/u;
const MINUS = /^[-\u2212\ufe63\uff0d]$/u;

/** Whether a span may begin or end before a unit: not within a word, compound ("non-smokers"), contraction ("can't") or number ("-3.5"). */
function isWordBoundary(text: string, { folded, starts, ends }: FoldedText, unit: number): boolean {
  if (unit <= 0 || unit >= folded.length) return true;
  const before = characterBefore(folded, unit);
  const after = characterAt(folded, unit);
  if (ends[unit - 1] > starts[unit] || MARK.test(after)) return false;
  if (before === ' ' || after === ' ') return true;
  if (WORDY.test(before) && WORDY.test(after)) {
    if (UNSPACED.test(before) || UNSPACED.test(after)) return true;
    return BETWEEN_WORDS.test(text.slice(ends[unit - 1], starts[unit]));
  }
  return !isGlued(unit - 1) && !isGlued(unit);

  function isGlued(at: number): boolean {
    const sign = folded.charAt(at);
    const next = characterAt(folded, at + 1);
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

  function touches(at: number): boolean {
    return ends[at - 1] >= starts[at] || !SPACE.test(text.slice(ends[at - 1], starts[at]));
  }
}

function characterBefore(text: string, index: number): string {
  const isPair = index > 1 && /[\udc00-\udfff]/.test(text.charAt(index - 1));
  return text.slice(isPair ? index - 2 : index - 1, index);
}

export interface FoundSpan extends Span {
  /** `repaired` if it differs in white space, case or typography. */
  readonly status: 'exact' | 'repaired';
}

interface AlignedQuote {
  /** One span, or one per part of a quote with an ellipsis, in order. */
  readonly spans: readonly FoundSpan[];
}

export interface QuoteAligner {
  /** Finds a quote in [from, to): the first verbatim occurrence, else the first that differs in typography only; null if there is none. */
  align(quote: string, from?: number, to?: number): AlignedQuote | null;
}

interface Stretch {
  readonly text: string;
  readonly folded: FoldedText;
  readonly first: number;
}

const ELLIPSIS = /\[ ?(?:…|\.{3}) ?\]|\( ?(?:…|\.{3}) ?\)|…+|\.(?: ?\.){2,}/u;
const MAX_PARTS = 8;
/** Occurrences within words, and units compared in them, before a search is given up; only adversarial texts have more. */
const MAX_TRIED = 1000;
const MAX_COMPARED = 2_000_000;
const OPENING = /^(?:'|\.{3}|\[\.\.\.\]|\(\.\.\.\))+/u;
const CLOSING = /(?:'|\.{3}|\[\.\.\.\]|\(\.\.\.\))+$/u;
const FINAL = /[\p{Sentence_Terminal},;:،、-]$/u;
const WORD = /[\p{L}\p{N}][^\s\u2013-\u2015]*/gu;
const EACH_UNSPACED = new RegExp(`(?=[\\p{L}\\p{N}])${UNSPACED.source}`, 'gu');
const DASH = /[\p{Pd}\u2212]|\u00ad(?=\s)/u;
const HYPHEN_AT_LINE_END = /^[-\u00ad\u2010\u2011][^\S\n\r\v\f\u2028\u2029]*[\n\r\v\f\u0085\u2028\u2029]/u;

/** Places of a text in another, until the search is given up. */
function* occurrences(text: string, wanted: string): Generator<number> {
  let left = Math.min(MAX_TRIED, MAX_COMPARED / wanted.length);
  for (let at = text.indexOf(wanted); at >= 0 && left > 0; at = text.indexOf(wanted, at + 1), left--) yield at;
}

/** Prepares a text for finding quotes: time and memory linear in its length; each quote then takes one search or a few. */
export function quoteAligner(text: string): QuoteAligner {
  const source = foldText(text);
  return {
    align(quote, from = 0, to = text.length) {
      const bounds = trimSpan(quote, 0, quote.length);
      if (bounds === undefined || from >= to) return null;
      const trimmed = quote.slice(bounds.start, bounds.end);
      const whole = exactly(trimmed, from, to, isQuotable) ?? repaired(trimmed, from, to, isQuotable);
      if (whole !== null) return { spans: [whole] };
      const parts = trimmed.split(ELLIPSIS).flatMap((part) => part.trim() || []);
      if (parts.length < 2 || parts.length > MAX_PARTS || !parts.every(isLongPart)) return null;
      return inOrder(parts, from, to);
    },
  };

  function inOrder(parts: readonly string[], from: number, to: number): AlignedQuote | null {
    const spans: FoundSpan[] = [];
    let at = from;
    for (const part of parts) {
      const [exact, close] = [exactly(part, at, to, () => true), repaired(part, at, to, () => true)];
      const found = exact === null || (close !== null && close.start < exact.start) ? close : exact;
      if (found === null) return null;
      spans.push(found);
      at = found.end;
    }
    return { spans };
  }

  function exactly(quote: string, from: number, to: number, isFit: (quote: string) => boolean): FoundSpan | null {
    const part = text.slice(from, to);
    if (!part.includes(quote) || !isFit(quote)) return null;
    for (const at of occurrences(part, quote)) {
      const [start, end] = [from + at, from + at + quote.length];
      if (isBoundaryAt(start) && isBoundaryAt(end)) return { start, end, status: 'exact' };
    }
    return null;
  }

  function repaired(quote: string, from: number, to: number, isFit: (quote: string) => boolean): FoundSpan | null {
    const sought = foldText(quote);
    const first = firstAtLeast(source.starts, from);
    const part = source.folded.slice(first, firstAtLeast(source.ends, to + 1));
    for (const { start, end: stop } of readings(sought.folded)) {
      const core = sought.folded.slice(start, stop);
      if (!isFit(quote.slice(sought.starts[start], sought.ends[stop - 1]))) continue;
      for (const at of occurrences(part, core)) {
        const [unit, last] = [first + at, first + at + core.length];
        const isWhole = isWordBoundary(text, source, unit) && isWordBoundary(text, source, last);
        const [here, there] = [
          { text, folded: source, first: unit },
          { text: quote, folded: sought, first: start },
        ];
        if (isWhole && haveSameHyphens(here, there, core.length)) {
          const [begin, end] = [source.starts[unit], source.ends[last - 1]];
          return { start: begin, end, status: text.slice(begin, end) === quote ? 'exact' : 'repaired' };
        }
      }
    }
    return null;
  }

  function isBoundaryAt(offset: number): boolean {
    const unit = firstAtLeast(source.starts, offset);
    return (unit === 0 || source.ends[unit - 1] <= offset) && isWordBoundary(text, source, unit);
  }

  function isQuotable(quote: string): boolean {
    const size = weight(quote);
    if (size === 0 || size >= 4) return size > 0;
    return source.folded.length < quote.length + 10 && coreOf(source.folded) === coreOf(foldText(quote).folded);
  }
}

/** Whether two stretches have dashes between letters, which folding removes, at the same places, except where a line ends. */
function haveSameHyphens(a: Stretch, b: Stretch, length: number): boolean {
  for (let i = 1; i < length; i++) {
    const [left, right] = [gapAt(a, i), gapAt(b, i)];
    const isHyphenated = DASH.test(left);
    if (isHyphenated !== DASH.test(right) && !HYPHEN_AT_LINE_END.test(isHyphenated ? left : right)) return false;
  }
  return true;
}

function gapAt({ text, folded: { starts, ends }, first }: Stretch, index: number): string {
  return text.slice(ends[first + index - 1], starts[first + index]);
}

/** A folded quote, also without surrounding marks and without final punctuation. */
function readings(folded: string): Span[] {
  const whole = { start: 0, end: folded.length };
  const bare = withoutMarks(folded, whole);
  const final = FINAL.exec(folded.slice(bare.start, bare.end));
  const unfinished = final === null ? bare : withoutMarks(folded, { ...bare, end: bare.start + final.index });
  const all = [whole, bare, unfinished];
  return all.filter(
    ({ start, end }, n) => start < end && !all.slice(0, n).some((a) => a.start === start && a.end === end),
  );
}

function withoutMarks(folded: string, { start, end }: Span): Span {
  const from = start + (OPENING.exec(folded.slice(start, end))?.[0].length ?? 0);
  const last = folded.slice(Math.max(from, end - 64), end);
  return { start: from, end: end - (CLOSING.exec(last)?.[0].length ?? 0) };
}

function coreOf(folded: string): string {
  const last = readings(folded).at(-1);
  return last === undefined ? '' : folded.slice(last.start, last.end);
}

function weight(quote: string): number {
  const unspaced = quote.match(EACH_UNSPACED)?.length ?? 0;
  return unspaced + 2 * (quote.replace(EACH_UNSPACED, ' ').match(WORD)?.length ?? 0);
}

function isLongPart(part: string): boolean {
  return part.length >= 12 || weight(part) >= 6;
}
