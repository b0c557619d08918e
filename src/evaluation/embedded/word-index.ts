import type { Passage } from './passage.ts';
import { type WeighedWord, weighedWords } from './weighed-words.ts';

/** The content words of texts, each text read once. */
export type Words = (text: string) => readonly WeighedWord[];

export function wordMemory(): Words {
  const known = new Map<string, WeighedWord[]>();
  return (text) => {
    const read = known.get(text) ?? weighedWords(text);
    known.set(text, read);
    return read;
  };
}

/** For every stem the places of the passages that hold it, ascending. */
export type WordIndex = ReadonlyMap<string, readonly number[]>;

/** Lists where words stand, so that a reference is held against those passages alone that share some. */
export function wordIndex(passages: readonly Passage[], words: Words): WordIndex {
  const index = new Map<string, number[]>();
  passages.forEach(({ sentences }, place) => {
    const stems = new Set(sentences.flatMap((sentence) => words(sentence).map(({ stem }) => stem)));
    for (const stem of stems) {
      const places = index.get(stem);
      if (places === undefined) index.set(stem, [place]);
      else places.push(place);
    }
  });
  return index;
}

/**
 * Weighted share of a reference's content words that stand in each passage.
 *
 * @param count number of passages
 * @returns one value in [0, 1] per passage; 0 where the reference has no content words
 */
export function wordRecalls(
  reference: readonly WeighedWord[],
  index: WordIndex,
  count: number,
  rarityOf: (stem: string) => number,
): Float64Array {
  const found = new Float64Array(count);
  let total = 0;
  for (const { stem, weight } of reference) {
    const own = weight * rarityOf(stem);
    total += own;
    for (const place of index.get(stem) ?? []) found[place] += own;
  }
  return total > 0 ? found.map((sum) => sum / total) : found;
}
