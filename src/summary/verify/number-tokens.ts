/** A word, a sign, or a number in digits. */
export interface NumberToken {
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
export function numberTokens(text: string): NumberToken[] {
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
