import { type FoundQuote, wordsOf } from '../../text/index.ts';

export interface QuotedStatement {
  readonly text: string;
  readonly spans: readonly FoundQuote[];
}

/** Min share of common words for two statements of the same place to be merged. */
const SAME = 0.75;
/** Words that a paraphrase keeps: figures with their signs, and negations. */
const TELLING =
  /\p{N}|^(?:not?|never|neither|nor|none|nobody|nothing|without|cannot|nicht|keine?[mnrs]?|pas|jamais)$|n't$/u;
/** Punctuation around a word, without currency, percent and minus signs. */
const AROUND = /^["'“”„‘’«»()[\]{}¿¡]+|["'“”„‘’«»()[\]{},;:.!?…]+$/gu;

/**
 * Merges statements of several readings that have the same words, or nearly the same words and place. Keeps the first with the quotes of
 * both. Different statements of one sentence stay separate.
 *
 * @returns in reading order, independent of the input order if all statements differ
 */
export function mergeStatements(statements: readonly QuotedStatement[]): QuotedStatement[] {
  const merged: QuotedStatement[] = [];
  const wordsOf = wordsOnce();
  const places = new Map<string, number[]>();
  const spellings = new Map<string, number>();
  for (const statement of statements) {
    const spelling = spelt(statement.text).join(' ');
    // Only statements with a place in common are compared.
    const near = new Set(statement.spans.flatMap(placesOf).flatMap((place) => places.get(place) ?? []));
    const at = spellings.get(spelling) ?? [...near].find((index) => isSame(merged[index], statement, wordsOf));
    const index = at ?? merged.length;
    merged[index] = {
      text: merged[index]?.text ?? statement.text,
      spans: inOrder([...(merged[index]?.spans ?? []), ...statement.spans]),
    };
    if (!spellings.has(spelling)) spellings.set(spelling, index);
    for (const place of new Set(statement.spans.flatMap(placesOf))) {
      places.set(place, [...(places.get(place) ?? []), index]);
    }
  }
  return merged.sort((a, b) => comparePlaces(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : 1));
}

/** UTF-16 units per place. */
const PLACE = 256;

function placesOf({ start, end }: FoundQuote): string[] {
  const from = Math.floor(start / PLACE);
  return Array.from({ length: Math.floor((end - 1) / PLACE) - from + 1 }, (_, step) => String(from + step));
}

interface Words {
  readonly all: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function wordsOnce(): (text: string) => Words {
  const known = new Map<string, Words>();
  return (text) => {
    const words = known.get(text) ?? { all: new Set(spelt(text)), names: new Set(namesIn(text)) };
    known.set(text, words);
    return words;
  };
}

function isSame(a: QuotedStatement, b: QuotedStatement, wordsOf: (text: string) => Words): boolean {
  const overlaps = a.spans.some((one) => b.spans.some((other) => one.start < other.end && other.start < one.end));
  return overlaps && likeness(wordsOf(a.text), wordsOf(b.text)) >= SAME;
}

function spelt(text: string): string[] {
  return wordsOf(text).map(plain);
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('’', "'").replace(AROUND, '');
}

/** Jaccard similarity of the words; 0 if figures, names or negations differ. */
function likeness(a: Words, b: Words): number {
  const [few, many] = a.all.size < b.all.size ? [a.all, b.all] : [b.all, a.all];
  if (few.size < SAME * many.size) return 0;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  const apart = few.size + many.size - 2 * shared;
  if (shared < SAME * (shared + apart)) return 0;
  const tells = (word: string): boolean => TELLING.test(word) || a.names.has(word) || b.names.has(word);
  const isToldApart =
    [...few].some((word) => !many.has(word) && tells(word)) || [...many].some((word) => !few.has(word) && tells(word));
  return isToldApart ? 0 : shared / (shared + apart);
}

function namesIn(text: string): string[] {
  return wordsOf(text)
    .slice(1)
    .filter((word) => /^[^\p{L}]*\p{Lu}/u.test(word))
    .map(plain);
}

/** Drops spans inside others and sorts by start, the longer first, then verbatim ones. */
function inOrder(spans: readonly FoundQuote[]): FoundQuote[] {
  const kept: FoundQuote[] = [];
  const isRepaired = ({ status }: FoundQuote) => Number(status === 'repaired');
  for (const span of [...spans].sort((a, b) => comparePlaces(a, b) || isRepaired(a) - isRepaired(b))) {
    if (!kept.some(({ start, end }) => start <= span.start && span.end <= end)) kept.push(span);
  }
  return kept;
}

function comparePlaces(a: FoundQuote, b: FoundQuote): number {
  return a.start - b.start || b.end - a.end;
}
