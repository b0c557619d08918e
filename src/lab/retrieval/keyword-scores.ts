import { contentWords } from '../../selection/kernel/content-words.ts';
import { wordSet, wordsOf } from '../../selection/kernel/word-overlap.ts';
import { oncePer } from '../once-per.ts';

const wordSetsOf = oncePer((texts: readonly string[]) => texts.map(wordSet));

/**
 * Share of the distinct content words of a query that each text holds (`KWs` of Laban et al. 2024, section 5), without case
 * and common endings; of all its words where it has stop words only.
 *
 * @returns one value in [0, 1] per text
 */
export function keywordScores(query: string, texts: readonly string[]): Float64Array {
  const words = wordsOf(query);
  const content = contentWords(query);
  const wanted = new Set((content.length > 0 ? content : words).map(({ stem }) => stem));
  return Float64Array.from(wordSetsOf(texts), (held) =>
    wanted.size === 0 ? 0 : [...wanted].filter((word) => held.has(word)).length / wanted.size,
  );
}
