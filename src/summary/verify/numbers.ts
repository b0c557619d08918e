import { type NumberToken, numberTokens } from './number-tokens.ts';
import { CURRENCIES, MAGNITUDES, SCALES } from './number-words.ts';
import { readHalfScale, readNumberWords, readShare, scaleAt } from './read-number-words.ts';

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
