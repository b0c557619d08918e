import type { Token } from './tokens.ts';

/** What a number may be read as: an interval, as exact as it was written. */
export interface Quantity {
  readonly low: number;
  readonly high: number;
  /** "%", "$" and its kind, "year", or "count" (what is counted follows in the text). */
  readonly unit: string;
  /** Index after the last token it covers. */
  readonly end: number;
  /** Index of its first token, bounds ("more than") included. */
  readonly begin: number;
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const NUMBER_WORDS = new Map<string, number>([
  ...UNITS.split(' ').map((word, value) => [word, value] as const),
  ...TENS.split(' ').map((word, index) => [word, 20 + 10 * index] as const),
]);
const SCALES = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
  ['tn', 1e12],
]);
const FRACTIONS = new Map([
  ['half', 50],
  ['third', 100 / 3],
  ['thirds', 100 / 3],
  ['quarter', 25],
  ['quarters', 25],
]);
const CURRENCIES = new Map([
  ['$', '$'],
  ['€', '€'],
  ['£', '£'],
  ['¥', '¥'],
  ['dollar', '$'],
  ['dollars', '$'],
  ['euro', '€'],
  ['euros', '€'],
  ['pound', '£'],
  ['pounds', '£'],
  ['yen', '¥'],
]);
/** Wording before a number that makes it a bound, longest first. */
const BOUNDS = (
  [
    ['no fewer than', 'least'],
    ['no less than', 'least'],
    ['no more than', 'most'],
    ['more than', 'least'],
    ['at least', 'least'],
    ['greater than', 'least'],
    ['upwards of', 'least'],
    ['over', 'least'],
    ['above', 'least'],
    ['exceeding', 'least'],
    ['fewer than', 'most'],
    ['less than', 'most'],
    ['at most', 'most'],
    ['as many as', 'most'],
    ['as much as', 'most'],
    ['up to', 'most'],
    ['under', 'most'],
    ['below', 'most'],
    ['about', 'about'],
    ['around', 'about'],
    ['roughly', 'about'],
    ['approximately', 'about'],
    ['nearly', 'about'],
    ['almost', 'about'],
    ['an estimated', 'about'],
  ] as const
).map(([wording, bound]) => ({ words: wording.split(' '), bound }));
const BOUND_OPENERS: ReadonlySet<string | undefined> = new Set<string | undefined>(BOUNDS.map(({ words }) => words[0]));
/** How far off "about" may be. */
const ABOUT = 0.1;
const PERIODS = new Set(['year', 'years', 'month', 'months', 'week', 'weeks', 'day', 'days', 'decade', 'decades']);

/** Reads the quantity that begins at `start`; null where none does. Ranges ("20 to 25", "between 20 and 25") are one. */
export function readQuantity(tokens: readonly Token[], start: number): Quantity | null {
  const first = readPlain(tokens, start);
  if (!first) return null;
  const bounded = applyBound(tokens, start, first);
  const joiner = tokens[first.end]?.lower;
  const opener = tokens[start - 1]?.lower;
  const isRange =
    joiner === '-' ||
    joiner === '–' ||
    (joiner === 'to' && opener !== 'from') ||
    (joiner === 'and' && opener === 'between');
  const second = isRange ? readPlain(tokens, first.end + 1) : null;
  if (!second || second.unit === 'year') return bounded;
  const scale = first.scale === 1 && first.high < second.high / second.scale ? second.scale : 1;
  const begin = opener === 'between' ? start - 1 : start;
  return { low: first.low * scale, high: second.high, unit: second.unit, begin, end: second.end };
}

/** Where the number begins that the bound at `start` ("more than") belongs to; `start` where there is no such bound. */
export function skipBound(tokens: readonly Token[], start: number): number {
  if (!BOUND_OPENERS.has(tokens[start]?.lower)) return start;
  const found = BOUNDS.find(({ words }) => matches(tokens, start, words) && readPlain(tokens, start + words.length));
  return start + (found?.words.length ?? 0);
}

function matches(tokens: readonly Token[], start: number, words: readonly string[]): boolean {
  return start >= 0 && words.every((word, index) => tokens[start + index]?.lower === word);
}

/** Whether two quantities of the same unit cannot both be right. */
export function excludeEachOther(a: Quantity, b: Quantity): boolean {
  return a.unit === b.unit && (a.low >= b.high || b.low >= a.high);
}

function readPlain(tokens: readonly Token[], start: number): (Quantity & { scale: number }) | null {
  let at = start;
  let currency = CURRENCIES.get(tokens[at]?.lower ?? '');
  if (currency && tokens[at]?.kind === 'symbol') at += 1;
  else currency = undefined;
  const read = readDigits(tokens, at) ?? readFraction(tokens, at) ?? readWords(tokens, at);
  if (!read) return null;
  let { value, step, end } = read;
  let unit: string = read.unit ?? currency ?? 'count';
  let scale = 1;
  for (let factor = SCALES.get(tokens[end]?.lower ?? ''); factor; factor = SCALES.get(tokens[end]?.lower ?? '')) {
    scale *= factor;
    end += 1;
  }
  value *= scale;
  step *= scale;
  const next = tokens[end]?.lower ?? '';
  if (next === '%' || next === 'percent' || next === 'pc') [unit, end] = ['%', end + 1];
  else if (next === 'per' && tokens[end + 1]?.lower === 'cent') [unit, end] = ['%', end + 2];
  else if (next === 'percentage' && /^points?$/u.test(tokens[end + 1]?.lower ?? '')) [unit, end] = ['points', end + 2];
  else if (CURRENCIES.has(next) && unit === 'count') [unit, end] = [CURRENCIES.get(next) ?? unit, end + 1];
  const isYear = unit === 'count' && scale === 1 && /^(?:1[5-9]|20)\d\d$/u.test(tokens[at]?.text ?? '');
  if (isYear && !PERIODS.has(next)) unit = 'year';
  // Half a unit of the last written digit; plain counts from 100 on are rounded by those who repeat them.
  const slack = unit === 'year' ? 0.5 : Math.max(step / 2, scale === 1 && value >= 100 ? value * 0.02 : 0);
  return { low: value - slack, high: value + slack, unit, begin: start, end, scale };
}

function readDigits(tokens: readonly Token[], at: number) {
  const token = tokens[at];
  if (token?.kind !== 'number') return null;
  const value = Number(token.text.replaceAll(',', ''));
  const decimals = token.text.split('.')[1]?.length ?? 0;
  return { value, step: 10 ** -decimals, end: at + 1, unit: undefined };
}

/** "half of", "a third of", "two thirds of", "three quarters of": shares. */
function readFraction(tokens: readonly Token[], at: number) {
  const [first = '', second = ''] = [tokens[at]?.lower, tokens[at + 1]?.lower];
  if (first === 'half') return { value: 50, step: 5, end: at + 1, unit: '%' };
  const times = first === 'a' ? 1 : NUMBER_WORDS.get(first);
  const part = FRACTIONS.get(second);
  if (!times || !part || tokens[at + 2]?.lower !== 'of') return null;
  return { value: times * part, step: 5, end: at + 2, unit: '%' };
}

/** Number words below 100; "one" alone is hardly ever a count. */
function readWords(tokens: readonly Token[], at: number) {
  const word = tokens[at]?.lower ?? '';
  const [tens = '', unit] = word.split('-');
  const isCount = (next: string) => SCALES.has(next) || next === 'percent' || next === 'per';
  if (unit !== undefined) {
    const [high, low] = [NUMBER_WORDS.get(tens), NUMBER_WORDS.get(unit)];
    return high && low && high >= 20 && low < 10 ? { value: high + low, step: 1, end: at + 1, unit: undefined } : null;
  }
  const value = word === 'a' && SCALES.has(tokens[at + 1]?.lower ?? '') ? 1 : NUMBER_WORDS.get(word);
  if (value === undefined || (value === 1 && !isCount(tokens[at + 1]?.lower ?? ''))) return null;
  return { value, step: 1, end: at + 1, unit: undefined };
}

function applyBound(tokens: readonly Token[], start: number, quantity: Quantity): Quantity {
  for (const { words, bound } of BOUNDS) {
    const begin = start - words.length;
    if (!matches(tokens, begin, words)) continue;
    // "over five years" is a stretch of time, not more than five years.
    if (words[0] === 'over' && PERIODS.has(tokens[quantity.end]?.lower ?? '')) return quantity;
    if (bound === 'least') return { ...quantity, begin, high: Number.POSITIVE_INFINITY };
    if (bound === 'most') return { ...quantity, begin, low: Number.NEGATIVE_INFINITY };
    const middle = (quantity.low + quantity.high) / 2;
    const spread = Math.max(quantity.high - middle, ABOUT * Math.abs(middle));
    return { ...quantity, begin, low: middle - spread, high: middle + spread };
  }
  return quantity;
}
