import type { DescribedDocument } from './input.ts';
import { plainText } from './sentence-text.ts';

/** A longer title would dominate its sentence. In UTF-16 units. */
const MAX_TITLE_LENGTH = 60;
/** Share of the other titles with the same beginning or end as one of a series, and the minimum number of titles. */
const SERIES = { share: 1 / 3, titles: 3 };

type Titled = Pick<DescribedDocument, 'id' | 'title'>;

/** "In “Minutes, 3 May”:"; null if the title is missing, too long or cut off. */
export function titlePrefix({ title }: Titled): string | null {
  const name = plainText(title ?? '').replace(/[“”„"]/gu, "'");
  if (name === '' || name.length > MAX_TITLE_LENGTH || /(?:…|\.\.\.)$/u.test(name)) return null;
  return `In “${name}”:`;
}

/**
 * Ids of documents that only their titles distinguish, as in a series ("Release 4.0", "Release 4.1"; "Ticket 17",
 * "Ticket 18"): statements of one do not hold for the next, so a sentence must name its document.
 */
export function seriesOf(documents: readonly Titled[]): ReadonlySet<string> {
  const ends = documents.flatMap((document) => {
    const words = wordsOf(document.title ?? '');
    const [first, last] = [words[0], words.at(-1)];
    return first === undefined || last === undefined ? [] : [{ id: document.id, first, last }];
  });
  if (ends.length < SERIES.titles) return new Set();
  const least = SERIES.share * (ends.length - 1);
  const firsts = countsOf(ends.map(({ first }) => first));
  const lasts = countsOf(ends.map(({ last }) => last));
  const others = (counts: ReadonlyMap<string, number>, word: string) => (counts.get(word) ?? 0) - 1;
  const alike = ends.filter(({ first, last }) => Math.max(others(firsts, first), others(lasts, last)) >= least);
  // If at least half of the titles form a series, name all of the documents.
  return new Set((2 * alike.length >= ends.length ? ends : alike).map(({ id }) => id));
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function wordsOf(title: string): string[] {
  return (
    plainText(title)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}
