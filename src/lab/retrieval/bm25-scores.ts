import { wordsOf } from '../../selection/kernel/word-overlap.ts';
import { oncePer } from '../once-per.ts';

const K1 = 1.2;
const B = 0.75;

/**
 * BM25 of texts (Robertson & Zaragoza 2009, equation 3.15, with k1 = 1.2 and b = 0.75), over words without case and common
 * endings: the sum over the words t of the query, as often as it says them, of idf(t) tf / (k1 (1 - b + b l / mean l) + tf),
 * where tf counts t in the text, l counts its words, and idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N texts that
 * hold t.
 *
 * @returns one value of at least 0 per text
 */
export function bm25Scores(query: string, texts: readonly string[]): Float64Array {
  const counts = countsOf(texts);
  const lengths = counts.map((words) => [...words.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const scores = new Float64Array(texts.length);
  for (const [word, times] of wordCounts(query)) {
    const holding = counts.reduce((count, words) => count + Number(words.has(word)), 0);
    const idf = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
    counts.forEach((words, i) => {
      const frequency = words.get(word) ?? 0;
      if (frequency === 0) return;
      scores[i] += (times * idf * frequency) / (K1 * (1 - B + (B * lengths[i]) / meanLength) + frequency);
    });
  }
  return scores;
}

const countsOf = oncePer((texts: readonly string[]) => texts.map(wordCounts));

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { stem } of wordsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
