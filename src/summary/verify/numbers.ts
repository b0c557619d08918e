import { CARDINALS, CURRENCIES, MAGNITUDES, ORDINALS, SCALES, SHARES } from './number-words.ts';

/** A word, a sign, or a number in digits. */
interface NumberToken {
  readonly text: string;
  readonly lower: string;
  /** Values of a number in digits, several where conventions differ: "1.500" is 1500 or 1.5. */
  readonly readings: readonly number[];
  /** Its groups of digits, where they may be several numbers: dates, times, fractions, "12 300". */
  readonly parts: readonly number[];
  /** Letters that cling to it: "m" of "5m", "th" of "18th". */
  readonly suffix: string;
}

/** Letters with digits behind them name something and do not count it: "COVID-19", "p53". "Mid-2023" does count. */
const NAME = String.raw`(?!(?:Mid|Post|Pre|Non|Sub|Early|Late)-)(?=\p{Ll}*\p{Lu})[\p{Lu}\p{Ll}\p{M}]+-\d[\p{L}\p{N}]*|[\p{Lu}\p{Ll}][\p{Lu}\p{Ll}\p{M}]*\d[\p{L}\p{N}]*`;
const MONEY = String.raw`(?:US\$|USD|EUR|GBP|CHF|JPY)(?=\d)`;
/** Groups of three with white space between them, or digits with single separators. */
const DIGITS = String.raw`\d{1,3}(?:\s\d{3})+(?!\d)(?:[.,]\d+)?|\.\d+|\d+(?:[.,'/⁄:]\d+)*`;
const TOKEN = new RegExp(
  String.raw`${MONEY}|${NAME}|(?<digits>${DIGITS})(?<suffix>[\p{Lu}\p{Ll}]*)|[万萬億亿]|[\p{L}\p{M}]+|\S`,
  'gu',
);
const FRACTION_SIGN = /(?<=\d)(?=[¼½¾⅐-⅞])/gu;
/** Marks of notes and squares: no numbers. */
const RAISED = /[⁰¹²³⁴-⁹]/gu;

/** Splits a text into what numbers are read from. */
function numberTokens(text: string): NumberToken[] {
  const plain = westernDigits(text.replace(FRACTION_SIGN, ' ').replace(RAISED, '').normalize('NFKC'))
    .replace(/[‐-―−]/gu, '-')
    .replace(/[’٬]/gu, "'")
    .replace(/٫/gu, '.')
    .replace(/٪/gu, '%');
  return Array.from(plain.matchAll(TOKEN), (match) => {
    const { digits = '', suffix = '' } = match.groups ?? {};
    const read = digits === '' ? { readings: [], parts: [] } : readDigits(digits);
    return { text: match[0], lower: match[0].toLowerCase(), suffix: suffix.toLowerCase(), ...read };
  });
}

/** Decimal digits of any script as 0-9. Their blocks begin at a multiple of 16, or 6 after one. */
function westernDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const beginsBlock = /\p{Nd}/u.test(String.fromCodePoint(code & ~15));
    return String((code & 15) - (beginsBlock ? 0 : 6));
  });
}

function readDigits(digits: string): { readings: number[]; parts: number[] } {
  const groups = digits.split(/[^\d]/u).filter((group) => group !== '');
  const separators: string[] = digits.match(/[^\d]/gu) ?? [];
  const parts = groups.map(Number);
  const last = separators.at(-1) ?? '';
  if (separators.length === 0) return { readings: parts, parts: [] };
  if (digits.startsWith('.')) return { readings: [Number(digits)], parts: [] };
  if (/^[/⁄]$/u.test(last) && separators.length === 1) return { readings: [parts[0] / parts[1]], parts };
  if (separators.some((separator) => /[/⁄:]/u.test(separator))) return { readings: [], parts };
  if (/\s/u.test(separators[0])) {
    const whole = groups.slice(0, separators.filter((separator) => /\s/u.test(separator)).length + 1);
    const decimals = groups.slice(whole.length).join('');
    return { readings: [Number(`${whole.join('')}.${decimals}0`)], parts };
  }
  const isSame = separators.every((separator) => separator === separators[0]);
  const readings: number[] = [];
  if (isSame && isGrouped(groups)) readings.push(Number(groups.join('')));
  if (separators.length === 1 && last !== "'") readings.push(Number(groups.join('.')));
  const before = separators.slice(0, -1);
  if (!isSame && before.every((separator) => separator === before[0]) && isGrouped(groups.slice(0, -1))) {
    readings.push(Number(`${groups.slice(0, -1).join('')}.${groups.at(-1)}`));
  }
  return readings.length > 0 ? { readings, parts: [] } : { readings, parts };
}

/** Thousands, or lakhs and crores (12,34,567). */
function isGrouped(groups: readonly string[]): boolean {
  const [first, ...rest] = groups;
  return (
    first.length <= 3 &&
    rest.at(-1)?.length === 3 &&
    rest.slice(0, -1).every(({ length }) => length === 3 || length === 2)
  );
}

/** A number in English words: its value and the index after its last token. */
interface WordNumber {
  readonly value: number;
  readonly end: number;
}

const lowerAt = (tokens: readonly NumberToken[], at: number) => tokens[at]?.lower ?? '';

/** The factor of a word such as "million"; short forms count only where they cling to digits. */
function scaleAt(tokens: readonly NumberToken[], at: number): number | undefined {
  const lower = lowerAt(tokens, at);
  return lower.length > 1 || /\p{Script=Han}/u.test(lower) ? SCALES.get(lower) : undefined;
}

/** "Half a million", "half a dozen". */
function readHalfScale(tokens: readonly NumberToken[], at: number): WordNumber | null {
  if (lowerAt(tokens, at) !== 'half') return null;
  const place = /^an?$/u.test(lowerAt(tokens, at + 1)) ? at + 2 : at + 1;
  const scale = scaleAt(tokens, place);
  return scale === undefined ? null : { value: scale / 2, end: place + 1 };
}

/** "Half", "a third of", "two-thirds", "three quarters": a share, in percent. */
function readShare(tokens: readonly NumberToken[], at: number): WordNumber | null {
  const first = lowerAt(tokens, at);
  if (first === 'half') return { value: 50, end: at + 1 };
  const times = first === 'a' ? 1 : CARDINALS.get(first);
  if (times === undefined || times === 0) return null;
  const place = lowerAt(tokens, at + 1) === '-' ? at + 2 : at + 1;
  const part = SHARES.get(lowerAt(tokens, place));
  if (part === undefined) return null;
  const isOfSomething = lowerAt(tokens, place + 1) === 'of';
  if (first === 'a' && !isOfSomething) return null;
  // "Two quarters in a row" are stretches of time.
  const isQuarter = /^quarters?$/u.test(lowerAt(tokens, place));
  if (isQuarter && times !== 3 && !isOfSomething) return null;
  return { value: times * part, end: place + 1 };
}

/** "Twenty-five", "two hundred and fifty thousand", "two and a half million", "a million", "third". */
function readNumberWords(tokens: readonly NumberToken[], at: number): WordNumber | null {
  const first = lowerAt(tokens, at);
  if (first === 'first' || first === 'second') return { value: first === 'first' ? 1 : 2, end: at + 1 };
  const isArticle = /^an?$/u.test(first) && scaleAt(tokens, at + 1) !== undefined;
  if (!isArticle && !CARDINALS.has(first) && !ORDINALS.has(first)) return null;
  let [total, current, end] = [0, isArticle ? 1 : 0, isArticle ? at + 1 : at];
  // What may follow: after tens a unit, after a scale anything.
  let below = isArticle ? 0 : 100;
  for (;;) {
    const joined = joinedBy(tokens, end, below);
    const word = lowerAt(tokens, joined);
    const value = wordValue(word, below);
    const scale = scaleAt(tokens, end);
    if (value !== undefined && value < below && (end === at || value > 0)) {
      current += value;
      below = value >= 20 && value % 10 === 0 ? 10 : 0;
      end = joined + 1;
      if (!CARDINALS.has(word)) break;
    } else if (scale !== undefined && current > 0) {
      if (scale === 100 || scale === 12) current *= scale;
      else [total, current] = [total + current * scale, 0];
      below = scale === 12 ? 0 : 100;
      end += 1;
    } else if (/^and a half$/u.test([0, 1, 2].map((step) => lowerAt(tokens, end + step)).join(' '))) {
      current += 0.5;
      below = 0;
      end += 3;
    } else break;
  }
  return { value: total + current, end };
}

/** The index of the word that goes on: behind the hyphen of "twenty-five" or the "and" of "hundred and five". */
function joinedBy(tokens: readonly NumberToken[], end: number, below: number): number {
  const joiner = lowerAt(tokens, end);
  const isHyphen = joiner === '-' && below === 10;
  const isAnd = joiner === 'and' && scaleAt(tokens, end - 1) !== undefined;
  return isHyphen || isAnd ? end + 1 : end;
}

function wordValue(word: string, below: number): number | undefined {
  if (below === 10 && (word === 'first' || word === 'second')) return word === 'first' ? 1 : 2;
  return CARDINALS.get(word) ?? ORDINALS.get(word);
}

/** A number of a text as values that can be compared. */
export interface FoundNumber {
  readonly text: string;
  /** What it may be read as: "1.500" is 1500 or 1.5, "5m" 5 or 5000000. Signs are left out. */
  readonly readings: readonly number[];
  /** What it may be of: "%", "s" for a decade, "magnitude" ("millions"), a currency, or null. */
  readonly units: readonly (string | null)[];
  /** Numbers that will do where no reading of the whole is found: of a date, of "12 300". */
  readonly parts: readonly number[];
  /** "One", "first" and "second": they support a number and need no support. */
  readonly weak: boolean;
  /** The word behind it in lower case, mostly what it counts; "" where none follows. */
  readonly of: string;
}

interface Placed {
  readonly number: Omit<FoundNumber, 'of'>;
  readonly begin: number;
  readonly end: number;
}

const PERCENT = /^(?:%|percent|pct|pc|percentage|prozent|pourcent|procent|procento|prosent|prozentpunkten?)$/u;
const PER = /^(?:per|pour|por)$/u;
const CENT = /^(?:cent|cento|ciento)$/u;
const JOINER = /^(?:-|to|and|or|bis|und|oder|à|a|et|ou|y|e|en|,|vs)$/u;
const WEAK = /^(?:one|first|second)$/u;
const STRICT_UNITS: ReadonlySet<string | null> = new Set(['%', 's', 'magnitude']);
const RANGE_SCALES = [1e2, 1e3, 1e6, 1e9, 1e12];

/** Every number in a text: in digits of any script, and in English words. */
export function numbersIn(text: string): FoundNumber[] {
  const tokens = numberTokens(text);
  const found: Placed[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readNumber(tokens, at);
    if (read) found.push(read);
    at = read?.end ?? at + 1;
  }
  for (let i = found.length - 2; i >= 0; i--) found[i] = inRange(tokens, found[i], found[i + 1]);
  return found.map(({ number, end }) => ({
    ...number,
    of: tokens[tokens[end]?.lower === '-' ? end + 1 : end]?.lower ?? '',
  }));
}

/** Texts as numbers are looked up in them, read once for many sentences. */
export interface NumberSource {
  readonly known: readonly FoundNumber[];
  /** "Q3" bears out "the third quarter". */
  readonly inNames: readonly number[];
}

export function numberSource(quotes: readonly string[]): NumberSource {
  const inNames = quotes.flatMap((quote) =>
    Array.from(quote.matchAll(/[\p{Lu}\p{Ll}]-?(\d+)/gu), ([, digits]) => Number(digits)),
  );
  return { known: quotes.flatMap(numbersIn), inNames };
}

/** The numbers of a sentence that stand in none of the quotes, as the sentence has them. */
export function unsupportedNumbers(sentence: string, quotes: readonly string[]): string[] {
  return numbersOutside(sentence, [numberSource(quotes)]);
}

/** The numbers of a sentence that stand in none of the sources, as the sentence has them. */
export function numbersOutside(sentence: string, sources: readonly NumberSource[]): string[] {
  const known = sources.flatMap((source) => source.known);
  const inNames = sources.flatMap((source) => source.inNames);
  const values = [...inNames, ...known.flatMap(({ readings, parts }) => [...readings, ...parts])];
  const isKnown = (value: number) => values.some((other) => same(other, value));
  return numbersIn(sentence)
    .filter((number) => {
      if (number.weak || known.some((other) => supports(other, number))) return false;
      if (number.units.includes(null) && number.readings.some((value) => inNames.includes(value))) return false;
      return number.parts.length === 0 || !number.parts.every(isKnown);
    })
    .map(({ text }) => text);
}

/** Whether a number of a quote bears out a number of a sentence. */
export function supports(quoted: FoundNumber, stated: FoundNumber): boolean {
  if (stated.units.includes('magnitude') && !quoted.units.includes('magnitude')) {
    const [size] = stated.readings;
    return !quoted.units.includes('%') && quoted.readings.some((value) => value >= size && value < size * 1e3);
  }
  const isAlike = stated.units.some((unit) => quoted.units.some((other) => agree(other, unit)));
  const known = stated.parts.length === 0 ? [...quoted.readings, ...quoted.parts] : quoted.readings;
  return isAlike && stated.readings.some((value) => known.some((other) => same(value, other)));
}

/** A currency may be left out; a percentage or a decade may not. */
function agree(a: string | null, b: string | null): boolean {
  return a === b || ((a === null || b === null) && !STRICT_UNITS.has(a) && !STRICT_UNITS.has(b));
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function readNumber(tokens: readonly NumberToken[], at: number): Placed | null {
  const magnitude = MAGNITUDES.get(tokens[at].lower);
  if (magnitude !== undefined) return placed(tokens, at, at + 1, { readings: [magnitude], units: ['magnitude'] });
  const half = readHalfScale(tokens, at);
  const share = half ? null : readShare(tokens, at);
  if (share) return placed(tokens, at, share.end, { readings: [share.value], units: ['%'] });
  const words = half ?? readNumberWords(tokens, at);
  if (words) {
    const [unit, end] = unitBehind(tokens, at, words.end);
    const weak = WEAK.test(tokens[at].lower) && words.end === at + 1 && unit === null;
    return placed(tokens, at, end, { readings: [words.value], units: [unit], weak });
  }
  const { readings, parts, suffix } = tokens[at];
  if (readings.length === 0 && parts.length === 0) return null;
  if (parts.length > 0 && readings.length === 0) return placed(tokens, at, at + 1, { readings, units: [null], parts });
  // "$5m": letters that cling can be a scale or a unit of measure.
  const clinging = SCALES.get(suffix);
  let scaled = clinging === undefined ? readings : [...readings, ...readings.map((value) => value * clinging)];
  let end = at + 1;
  for (let scale = scaleAt(tokens, end); scale !== undefined; scale = scaleAt(tokens, end)) {
    const factor = scale;
    scaled = scaled.map((value) => value * factor);
    end += 1;
  }
  if (suffix === 's' && readings[0] >= 10) return placed(tokens, at, end, { readings: scaled, units: ['s'] });
  const [unit, last] = unitBehind(tokens, at, end);
  return placed(tokens, at, last, { readings: scaled, units: [unit], parts: end === at + 1 ? parts : [] });
}

/** The unit of a number from `begin` up to `end`, and where it ends with its unit. */
function unitBehind(tokens: readonly NumberToken[], begin: number, end: number): [string | null, number] {
  const lowerAt = (at: number) => tokens[at]?.lower ?? '';
  const next = lowerAt(end) === '-' ? end + 1 : end;
  if (PERCENT.test(lowerAt(next))) return ['%', next + 1];
  if (PER.test(lowerAt(next)) && CENT.test(lowerAt(next + 1))) return ['%', next + 2];
  const before = CURRENCIES.get(lowerAt(begin - 1));
  if (before !== undefined) return [before, end];
  const behind = CURRENCIES.get(lowerAt(next));
  return behind === undefined ? [null, end] : [behind, next + 1];
}

function placed(
  tokens: readonly NumberToken[],
  begin: number,
  end: number,
  { parts = [], weak = false, ...number }: Pick<FoundNumber, 'readings' | 'units'> & Partial<Omit<FoundNumber, 'of'>>,
): Placed {
  const text = tokens.slice(begin, end).map((token) => token.text);
  return { number: { text: text.join(' '), ...number, parts, weak }, begin, end };
}

/** "From 5 to 7 percent", "5-7 million": what follows the second number can belong to the first. */
function inRange(tokens: readonly NumberToken[], first: Placed, second: Placed): Placed {
  const between = tokens.slice(first.end, second.begin).filter(({ lower }) => !CURRENCIES.has(lower));
  const isJoined = between.length > 0 && between.length <= 2 && between.every(({ lower }) => JOINER.test(lower));
  const { number } = first;
  if (!isJoined || number.weak || number.units.some((unit) => STRICT_UNITS.has(unit))) return first;
  const [value] = second.number.readings;
  const scale = /\p{L}{2}/u.test(second.number.text) ? RANGE_SCALES.findLast((size) => value >= size) : undefined;
  const scaled = scale === undefined ? [] : number.readings.map((reading) => reading * scale);
  const units = second.number.units.filter((unit) => unit !== 's' && unit !== 'magnitude');
  return {
    ...first,
    number: { ...number, readings: [...number.readings, ...scaled], units: [...number.units, ...units] },
  };
}
