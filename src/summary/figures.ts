import { FUNCTION_WORDS, keyOf } from './contradiction/vocabulary.ts';
import { CURRENCIES } from './verify/number-words.ts';
import { type FoundNumber, numbersIn, supports } from './verify/numbers.ts';

/** A number with what it is of. */
interface Figure extends FoundNumber {
  /** "%", a currency, "year", "time" (of day, date), or the stem of what is counted; null where that is not known. */
  readonly kind: string | null;
}

const STORAGE = /^(?:[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?)$/u;
const YEAR = [1500, 2099];
const CURRENCY_SIGNS = new Set(CURRENCIES.values());

/** The numbers of a text that say how much, in their order. */
export function figuresIn(text: string): Figure[] {
  return numbersIn(text)
    .filter(({ weak, units }) => !weak && !units.includes('magnitude'))
    .map((number) => ({ ...number, kind: kindOf(number) }));
}

/** The figures of a text that stand nowhere in another. */
export function figuresBeside(figures: readonly Figure[], others: readonly Figure[]): Figure[] {
  return figures.filter((figure) => !others.some((other) => supports(other, figure)));
}

function kindOf({ readings, parts, units, of }: FoundNumber): string | null {
  const unit = units.find((each) => each === '%' || (each !== null && CURRENCY_SIGNS.has(each)));
  if (unit !== undefined && unit !== null) return unit;
  if (parts.length > 0) return 'time';
  const [value] = readings;
  const isCounted = /^\p{L}{2,}$/u.test(of) && !FUNCTION_WORDS.has(of);
  if (isCounted) return STORAGE.test(of) ? 'byte' : keyOf(of);
  return Number.isInteger(value) && value >= YEAR[0] && value <= YEAR[1] ? 'year' : null;
}
