/** Endings taken off a word of the Latin script, so that "walked" meets "walks"; longest first. */
const ENDINGS = /(?:isations?|izations?|ations?|ments?|ings?|ed|es|s|ly)$/;
const MIN_STEM = 4;
/** Scripts that write words without spaces, for which the platform's dictionaries find the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Word segmentation of one long string is quadratic in V8, so texts are read in windows. */
const WINDOW = 2048;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A word of a text. */
export interface Word {
  readonly text: string;
  /** In lower case and without common endings. */
  readonly stem: string;
}

/** The words of a text in any language, in order. */
export function wordsOf(text: string): Word[] {
  return wordTexts(text).map((word) => ({ text: word, stem: stem(word.toLowerCase()) }));
}

/** The words of a text in any language, in order and as they stand there. */
export function wordTexts(text: string): readonly string[] {
  const plain = text.normalize('NFKC');
  return UNSPACED.test(plain) ? segmentedWords(plain) : (plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}

/** Whether a text holds words without spaces between them, which are told apart by what stands around them. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text.normalize('NFKC'));
}

/** The distinct words of a text in any language, folded to lower case and without common endings. */
export function wordSet(text: string): Set<string> {
  return new Set(wordsOf(text).map((word) => word.stem));
}

function segmentedWords(text: string): string[] {
  const words: string[] = [];
  for (let from = 0; from < text.length; from += WINDOW) {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(from, from + WINDOW))) {
      if (isWordLike) words.push(segment);
    }
  }
  return words;
}

/** A word in lower case without common endings. */
export function stem(word: string): string {
  const ending = ENDINGS.exec(word);
  return ending !== null && ending.index >= MIN_STEM ? word.slice(0, ending.index) : word;
}

/**
 * Share of a query's words that each text holds, weighted by inverse document frequency over the texts: common words of
 * the language weigh next to nothing, and words that no text holds weigh as much as the rarest.
 *
 * @returns one value in [0, 1] per text; all 1 where every text holds every word
 */
export function wordOverlap(query: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): Float64Array {
  const n = texts.length;
  const weights = new Map<string, number>();
  let total = 0;
  for (const word of query) {
    const frequency = texts.reduce((count, text) => count + (text.has(word) ? 1 : 0), 0);
    const weight = Math.log((n + 1) / (frequency + 1));
    weights.set(word, weight);
    total += weight;
  }
  // Words that every text holds weigh nothing, yet every text speaks of them.
  if (total === 0) return new Float64Array(n).fill(query.size > 0 && n > 0 ? 1 : 0);
  return Float64Array.from(texts, (text) => {
    let sum = 0;
    for (const [word, weight] of weights) if (text.has(word)) sum += weight;
    return sum / total;
  });
}
