import { firstAtLeast, memoized } from '../../text/index.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const ORDINAL_UNITS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth';
const ORDINAL_TENS = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth';

const values = (list: string, from: number, step: number) =>
  list.split(' ').map((word, index) => [word, from + step * index] as const);

export const CARDINALS: ReadonlyMap<string, number> = new Map([...values(UNITS, 0, 1), ...values(TENS, 20, 10)]);

export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...values(ORDINAL_UNITS, 1, 1),
  ...values(ORDINAL_TENS, 20, 10),
  ['hundredth', 100],
]);

/** Words and abbreviations that multiply the number before them, in languages with Latin letters. */
const SCALES = wordTable([
  [12, 'dozen'],
  [1e2, 'hundred'],
  [1e3, 'thousand k tsd tausend mille mil mila duizend dausend'],
  [
    1e6,
    'million millions mn mio m millionen milliounen millón millones milioni milione milhões milhão miljoen miljoner milionów',
  ],
  [1e9, 'billion billions bn b mrd milliarde milliarden milliard milliards miliardi miliardo miljard miljarder'],
  [1e12, 'trillion trillions tn billionen'],
  [1e4, '万 萬'],
  [1e8, '億 亿'],
]);

/** In percent. */
const SHARES = wordTable([
  [50, 'half halves'],
  [100 / 3, 'third thirds'],
  [25, 'quarter quarters fourth fourths'],
  [20, 'fifth fifths'],
  [10, 'tenth tenths'],
]);

const CURRENCIES = wordTable([
  ['$', '$ us$ usd dollar dollars'],
  ['€', '€ eur euro euros'],
  ['£', '£ gbp pound pounds'],
  ['¥', '¥ jpy yen cny yuan rmb'],
  ['₹', '₹ inr rupee rupees'],
  ['chf', 'chf franken franc francs'],
]);

function wordTable<Value>(rows: readonly (readonly [value: Value, words: string])[]): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([value, list]) => list.split(' ').map((word) => [word, value] as const)));
}

interface NumberToken {
  readonly text: string;
  readonly lower: string;
  /** Values of a number in digits, several where conventions differ: "1.500" is 1500 or 1.5. */
  readonly readings: readonly number[];
  /** Its groups of digits if they may be separate numbers: dates, times, fractions, "12 300". */
  readonly parts: readonly number[];
  /** Letters attached to it: "m" of "5m", "th" of "18th". */
  readonly suffix: string;
}

/** Digits after letters are part of a name, not a count: "COVID-19", "p53". "Mid-2023" does count. */
const NAME = String.raw`(?!(?:Mid|Post|Pre|Non|Sub|Early|Late)-)(?=\p{Ll}*\p{Lu})[\p{Lu}\p{Ll}\p{M}]+-\d[\p{L}\p{N}]*|[\p{Lu}\p{Ll}][\p{Lu}\p{Ll}\p{M}]*\d[\p{L}\p{N}]*`;
const MONEY = String.raw`(?:US\$|USD|EUR|GBP|CHF|JPY)(?=\d)`;
const DIGITS = String.raw`\d{1,3}(?:\s\d{3})+(?!\d)(?:[.,]\d+)?|\.\d+|\d+(?:[.,'/⁄:]\d+)*`;
const TOKEN = new RegExp(String.raw`${MONEY}|${NAME}|(${DIGITS})([\p{Lu}\p{Ll}]*)|[万萬億亿]|[\p{L}\p{M}]+|\S`, 'gu');
const FRACTION_SIGN = /(?<=\d)(?=[¼½¾⅐-⅞])/gu;
const RAISED = /[⁰¹²³⁴-⁹]/gu;

function numberTokens(text: string): NumberToken[] {
  const plain = westernDigits(text.replace(FRACTION_SIGN, ' ').replace(RAISED, '').normalize('NFKC'))
    .replace(/[‐-―−]/gu, '-')
    .replace(/[’٬]/gu, "'")
    .replace(/٫/gu, '.')
    .replace(/٪/gu, '%');
  return Array.from(plain.matchAll(TOKEN), (match) => {
    const [text, digits, suffix = ''] = match;
    const read = digits === undefined ? { readings: [], parts: [] } : readDigits(digits);
    return { text, lower: text.toLowerCase(), suffix: suffix.toLowerCase(), ...read };
  });
}

function westernDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const beginsBlock = /\p{Nd}/u.test(String.fromCodePoint(code & ~15));
    return String((code & 15) - (beginsBlock ? 0 : 6));
  });
}

function readDigits(digits: string): Pick<NumberToken, 'readings' | 'parts'> {
  const groups = digits.split(/[^\d]/u).filter((group) => group !== '');
  const separators: string[] = digits.match(/[^\d]/gu) ?? [];
  const parts = groups.map(Number);
  if (separators.length === 0 || digits.startsWith('.')) return { readings: [Number(digits)], parts: [] };
  if (/^\d+[/⁄]\d+$/u.test(digits)) return { readings: [parts[0] / parts[1]], parts };
  if (/[/⁄:]/u.test(digits)) return { readings: [], parts };
  if (/\s/u.test(separators[0])) return { readings: [Number(digits.replace(/\s/gu, '').replace(',', '.'))], parts };
  const [last, before] = [separators.at(-1), new Set(separators.slice(0, -1))];
  const readings: number[] = [];
  if (new Set(separators).size === 1 && isGrouped(groups)) readings.push(Number(groups.join('')));
  if (separators.length === 1 && last !== "'") readings.push(Number(groups.join('.')));
  if (before.size === 1 && !before.has(last ?? '') && isGrouped(groups.slice(0, -1))) {
    readings.push(Number(`${groups.slice(0, -1).join('')}.${groups.at(-1)}`));
  }
  return { readings, parts: readings.length > 0 ? [] : parts };
}

function isGrouped(groups: readonly string[]): boolean {
  const [first, ...rest] = groups;
  return (
    first.length <= 3 &&
    rest.at(-1)?.length === 3 &&
    rest.slice(0, -1).every(({ length }) => length === 3 || length === 2)
  );
}

interface Read {
  readonly value: number;
  readonly end: number;
}

const lowerAt = (tokens: readonly NumberToken[], at: number) => tokens[at]?.lower ?? '';

/** The factor of a word such as "million"; abbreviations count only directly after digits. */
function scaleAt(tokens: readonly NumberToken[], at: number): number | undefined {
  const lower = lowerAt(tokens, at);
  return lower.length > 1 || /\p{Script=Han}/u.test(lower) ? SCALES.get(lower) : undefined;
}

/** "Half", "a third of", "two-thirds", "three quarters": a share, in percent. "Two quarters in a row" are periods. */
function readShare(tokens: readonly NumberToken[], at: number): Read | null {
  const first = lowerAt(tokens, at);
  if (first === 'half') return { value: 50, end: at + 1 };
  const place = lowerAt(tokens, at + 1) === '-' ? at + 2 : at + 1;
  const times = first === 'a' ? 1 : (CARDINALS.get(first) ?? 0);
  const part = SHARES.get(lowerAt(tokens, place)) ?? 0;
  const isShare = lowerAt(tokens, place + 1) === 'of' || (first !== 'a' && (part !== 25 || times === 3));
  return times * part > 0 && isShare ? { value: times * part, end: place + 1 } : null;
}

/** "Twenty-five", "two hundred and fifty thousand", "two and a half million", "a million", "third". */
function readNumberWords(tokens: readonly NumberToken[], at: number): Read | null {
  const isArticle = /^an?$/u.test(lowerAt(tokens, at)) && scaleAt(tokens, at + 1) !== undefined;
  let [total, current, end] = isArticle ? [0, 1, at + 1] : [0, 0, at];
  for (;;) {
    const joiner = lowerAt(tokens, end);
    const isJoined = end > at && (joiner === '-' || (joiner === 'and' && scaleAt(tokens, end - 1) !== undefined));
    const word = lowerAt(tokens, isJoined ? end + 1 : end);
    const value = CARDINALS.get(word) ?? ORDINALS.get(word);
    const scale = scaleAt(tokens, end);
    if (value !== undefined && (end === at || (value > 0 && value < roomAfter(current)))) {
      current += value;
      end += isJoined ? 2 : 1;
    } else if (scale !== undefined && current > 0) {
      if (scale <= 100) current *= scale;
      else [total, current] = [total + current * scale, 0];
      end += 1;
    } else if ([0, 1, 2].map((step) => lowerAt(tokens, end + step)).join(' ') === 'and a half' && end > at) {
      current += 0.5;
      end += 3;
    } else break;
  }
  return end === at ? null : { value: total + current, end };
}

/** What may be added to a number in words: two digits to hundreds, one to tens. */
function roomAfter(value: number): number {
  if (value % 100 === 0) return 100;
  return value % 10 === 0 && value % 100 >= 20 ? 10 : 0;
}

interface FoundNumber {
  readonly text: string;
  /** Possible values: "1.500" is 1500 or 1.5, "5m" 5 or 5000000. Without signs. */
  readonly readings: readonly number[];
  /** "%", the sign of a currency, or null. */
  readonly unit: string | null;
  /** Accepted alternatives if no reading of the whole is found: parts of a date or of "12 300". */
  readonly parts: readonly number[];
  /** "One", "first" and "second": they may support a number but need no support. */
  readonly weak: boolean;
}

const PERCENT = /^(?:%|percent|pct|pc|percentage|prozent|pourcent|procent|procento|prosent|prozentpunkten?)$/u;
const PER = /^(?:per|pour|por)$/u;
const CENT = /^(?:cent|cento|ciento)$/u;
const WEAK = /^(?:one|first|second)$/u;

export function numbersIn(text: string): FoundNumber[] {
  const tokens = numberTokens(text);
  const found: FoundNumber[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readNumber(tokens, at);
    const end = read?.end ?? at + 1;
    if (read !== null) {
      const written = tokens.slice(at, end).map((token) => token.text);
      found.push({ parts: [], weak: false, ...read.number, text: written.join(' ') });
    }
    at = end;
  }
  return found;
}

/** Numbers of a sentence that are missing from the quotes, as written in the sentence. */
export function unsupportedNumbers(sentence: string, quotes: readonly string[]): string[] {
  const known = quotes.flatMap(numbersIn);
  const knownIn = (unit: string | null) => known.filter((other) => fits(other.unit, unit));
  const whole = memoized((unit: string | null) => finder(knownIn(unit).flatMap(({ readings }) => readings)));
  const part = memoized((unit: string | null) => finder(knownIn(unit).flatMap(({ parts }) => parts)));
  const any = finder(known.flatMap(({ readings, parts }) => [...readings, ...parts]));
  return numbersIn(sentence)
    .filter(({ weak, readings, unit, parts }) => {
      const isKnown = (value: number) => whole(unit)(value) || (parts.length === 0 && part(unit)(value));
      if (weak || readings.some(isKnown)) return false;
      return parts.length === 0 || !parts.every(any);
    })
    .map(({ text }) => text);
}

/** Whether a number with one unit may support one with another. A currency may be omitted, a percent sign may not. */
function fits(quoted: string | null, stated: string | null): boolean {
  return quoted === stated || ((quoted === null || stated === null) && quoted !== '%' && stated !== '%');
}

/** Whether a value is one of some, by the nearest of them in order. */
function finder(values: readonly number[]): (value: number) => boolean {
  const sorted = Float64Array.from(values).sort();
  return (value) => {
    const place = firstAtLeast(sorted, value);
    return same(sorted[place - 1], value) || same(sorted[place], value);
  };
}

function same(a: number, b: number): boolean {
  // Against an infinite number nothing else is near.
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.min(Math.abs(a), Math.abs(b)));
}

function readNumber(tokens: readonly NumberToken[], at: number) {
  const share = readShare(tokens, at);
  if (share !== null) return { number: { readings: [share.value], unit: '%' }, end: share.end };
  const words = readNumberWords(tokens, at);
  if (words !== null) {
    const [unit, end] = unitBehind(tokens, at, words.end);
    const weak = WEAK.test(tokens[at].lower) && words.end === at + 1 && unit === null;
    return { number: { readings: [words.value], unit, weak }, end };
  }
  const { readings, parts, suffix } = tokens[at];
  if (readings.length === 0)
    return parts.length === 0 ? null : { number: { readings, unit: null, parts }, end: at + 1 };
  // "$5m": attached letters can be a scale or a unit of measure.
  const attached = SCALES.get(suffix);
  let scaled = attached === undefined ? readings : [...readings, ...readings.map((value) => value * attached)];
  let end = at + 1;
  for (let scale = scaleAt(tokens, end); scale !== undefined; scale = scaleAt(tokens, ++end)) {
    const factor = scale;
    scaled = scaled.map((value) => value * factor);
  }
  const [unit, last] = unitBehind(tokens, at, end);
  return { number: { readings: scaled, unit, parts: end === at + 1 ? parts : [] }, end: last };
}

function unitBehind(tokens: readonly NumberToken[], begin: number, end: number): [string | null, number] {
  const next = lowerAt(tokens, end) === '-' ? end + 1 : end;
  if (PERCENT.test(lowerAt(tokens, next))) return ['%', next + 1];
  if (PER.test(lowerAt(tokens, next)) && CENT.test(lowerAt(tokens, next + 1))) return ['%', next + 2];
  const before = CURRENCIES.get(lowerAt(tokens, begin - 1));
  if (before !== undefined) return [before, end];
  const behind = CURRENCIES.get(lowerAt(tokens, next));
  return behind === undefined ? [null, end] : [behind, next + 1];
}
