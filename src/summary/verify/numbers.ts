const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const ORDINAL_UNITS =
  'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth';
const ORDINAL_TENS = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth';

const values = (list: string, from: number, step: number) =>
  list.split(' ').map((word, index) => [word, from + step * index] as const);

export const CARDINALS: ReadonlyMap<string, number> = new Map([...values(UNITS, 0, 1), ...values(TENS, 20, 10)]);

/** Without "first" and "second", which open sentences and measure time. */
export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...values(ORDINAL_UNITS, 3, 1),
  ...values(ORDINAL_TENS, 20, 10),
  ['hundredth', 100],
]);

/** Words and abbreviations that multiply the number before them, in languages with Latin letters. */
const SCALES: ReadonlyMap<string, number> = new Map(
  (
    [
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
    ] as const
  ).flatMap(([factor, list]) => list.split(' ').map((word) => [word, factor] as const)),
);

const SHARES: ReadonlyMap<string, number> = new Map([
  ['half', 50],
  ['halves', 50],
  ['third', 100 / 3],
  ['thirds', 100 / 3],
  ['quarter', 25],
  ['quarters', 25],
  ['fourth', 25],
  ['fourths', 25],
  ['fifth', 20],
  ['fifths', 20],
  ['tenth', 10],
  ['tenths', 10],
]);

const CURRENCIES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['$', '$ us$ usd dollar dollars'],
      ['€', '€ eur euro euros'],
      ['£', '£ gbp pound pounds'],
      ['¥', '¥ jpy yen cny yuan rmb'],
      ['₹', '₹ inr rupee rupees'],
      ['chf', 'chf franken franc francs'],
    ] as const
  ).flatMap(([sign, list]) => list.split(' ').map((word) => [word, sign] as const)),
);

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
const TOKEN = new RegExp(
  String.raw`${MONEY}|${NAME}|(?<digits>${DIGITS})(?<suffix>[\p{Lu}\p{Ll}]*)|[万萬億亿]|[\p{L}\p{M}]+|\S`,
  'gu',
);
const FRACTION_SIGN = /(?<=\d)(?=[¼½¾⅐-⅞])/gu;
const RAISED = /[⁰¹²³⁴-⁹]/gu;

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

function isGrouped(groups: readonly string[]): boolean {
  const [first, ...rest] = groups;
  return (
    first.length <= 3 &&
    rest.at(-1)?.length === 3 &&
    rest.slice(0, -1).every(({ length }) => length === 3 || length === 2)
  );
}

interface WordNumber {
  readonly value: number;
  readonly end: number;
}

const lowerAt = (tokens: readonly NumberToken[], at: number) => tokens[at]?.lower ?? '';

/** The factor of a word such as "million"; abbreviations count only directly after digits. */
function scaleAt(tokens: readonly NumberToken[], at: number): number | undefined {
  const lower = lowerAt(tokens, at);
  return lower.length > 1 || /\p{Script=Han}/u.test(lower) ? SCALES.get(lower) : undefined;
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
  // "Two quarters in a row" are periods, not shares.
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

export interface FoundNumber {
  readonly text: string;
  /** Possible values: "1.500" is 1500 or 1.5, "5m" 5 or 5000000. Without signs. */
  readonly readings: readonly number[];
  /** "%", the sign of a currency, or null. */
  readonly unit: string | null;
  /** Accepted alternatives if no reading of the whole is found: parts of a date or of "12 300". */
  readonly parts: readonly number[];
  /** "One", "first" and "second": they may support a number but need no support. */
  readonly weak: boolean;
  /** The next word in lower case, usually the thing counted; "" if none follows. */
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
const WEAK = /^(?:one|first|second)$/u;

export function numbersIn(text: string): FoundNumber[] {
  const tokens = numberTokens(text);
  const found: Placed[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readNumber(tokens, at);
    if (read) found.push(read);
    at = read?.end ?? at + 1;
  }
  return found.map(({ number, end }) => ({
    ...number,
    of: tokens[tokens[end]?.lower === '-' ? end + 1 : end]?.lower ?? '',
  }));
}

/** Numbers of a sentence that are missing from the quotes, as written in the sentence. */
export function unsupportedNumbers(sentence: string, quotes: readonly string[]): string[] {
  return numbersOutside(sentence, quotes.flatMap(numbersIn));
}

export function numbersOutside(sentence: string, known: readonly FoundNumber[]): string[] {
  const values = known.flatMap(({ readings, parts }) => [...readings, ...parts]);
  const isKnown = (value: number) => values.some((other) => same(other, value));
  return numbersIn(sentence)
    .filter((number) => {
      if (number.weak || known.some((other) => supports(other, number))) return false;
      return number.parts.length === 0 || !number.parts.every(isKnown);
    })
    .map(({ text }) => text);
}

/** Whether a number of a quote supports one of a sentence. A currency may be omitted, a percent sign may not. */
export function supports(quoted: FoundNumber, stated: FoundNumber): boolean {
  const units = [quoted.unit, stated.unit];
  if (units[0] !== units[1] && (!units.includes(null) || units.includes('%'))) return false;
  const known = stated.parts.length === 0 ? [...quoted.readings, ...quoted.parts] : quoted.readings;
  return stated.readings.some((value) => known.some((other) => same(value, other)));
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function readNumber(tokens: readonly NumberToken[], at: number): Placed | null {
  const share = readShare(tokens, at);
  if (share) return placed(tokens, at, share.end, { readings: [share.value], unit: '%' });
  const words = readNumberWords(tokens, at);
  if (words) {
    const [unit, end] = unitBehind(tokens, at, words.end);
    const weak = WEAK.test(tokens[at].lower) && words.end === at + 1 && unit === null;
    return placed(tokens, at, end, { readings: [words.value], unit, weak });
  }
  const { readings, parts, suffix } = tokens[at];
  if (readings.length === 0 && parts.length === 0) return null;
  if (parts.length > 0 && readings.length === 0) return placed(tokens, at, at + 1, { readings, unit: null, parts });
  // "$5m": attached letters can be a scale or a unit of measure.
  const clinging = SCALES.get(suffix);
  let scaled = clinging === undefined ? readings : [...readings, ...readings.map((value) => value * clinging)];
  let end = at + 1;
  for (let scale = scaleAt(tokens, end); scale !== undefined; scale = scaleAt(tokens, end)) {
    const factor = scale;
    scaled = scaled.map((value) => value * factor);
    end += 1;
  }
  const [unit, last] = unitBehind(tokens, at, end);
  return placed(tokens, at, last, { readings: scaled, unit, parts: end === at + 1 ? parts : [] });
}

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
  { parts = [], weak = false, ...number }: Pick<FoundNumber, 'readings' | 'unit'> & Partial<Omit<FoundNumber, 'of'>>,
): Placed {
  const text = tokens.slice(begin, end).map((token) => token.text);
  return { number: { text: text.join(' '), ...number, parts, weak }, begin, end };
}
