import { UNSPACED } from './documents/fold-text.ts';
import { memoized } from './lists.ts';

const ENDINGS = /(?:isations?|izations?|ations?|ments?|ings?|ed|es|s|ly)$/;
const MIN_STEM = 4;
/** Characters segmented at a time: segmenting one long string is quadratic in V8. */
const WINDOW = 2048;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

interface Word {
  readonly text: string;
  readonly stem: string;
}

export function stemmedWords(text: string): Word[] {
  return wordTexts(text).map((word) => ({ text: word, stem: stem(word.toLowerCase()) }));
}

function wordTexts(text: string): readonly string[] {
  const plain = text.normalize('NFKC');
  return UNSPACED.test(plain) ? segmentedWords(plain) : (plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}

export function wordSet(text: string): Set<string> {
  return new Set(stemmedWords(text).map((word) => word.stem));
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

function stem(word: string): string {
  const ending = ENDINGS.exec(word);
  return ending !== null && ending.index >= MIN_STEM ? word.slice(0, ending.index) : word;
}

export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their there here he she him her his hers we our us you your i me my mine
  and or but nor so if then than as of to in on at by for with from about into over under between during after before
  is are was were be been being am do does did done has have had having can could will would shall should may might must
  not no yes any some all each both more most much many very just also only too
  what who whom whose which when where why how whether
  say says said saying tell tells told think thinks thought mention mentions mentioned discuss discusses discussed discussing
  discussion describe described explain explained summarize summarise summarized summary give given according regarding
  people person group team meeting because matter matters important happen happens happened`.split(/\s+/),
);

export function contentWords(text: string): Word[] {
  return stemmedWords(text).filter((word) => !STOP_WORDS.has(word.text.toLowerCase()));
}

export function contentStems(text: string): Set<string> {
  return new Set(contentWords(text).map(({ stem }) => stem));
}

export function stemFinder(wanted: readonly string[]): (text: string) => ReadonlySet<string> {
  const stems = new Set(wanted);
  /** The stem of a word if it is wanted, else ''. */
  const wantedStem = memoized((word: string): string => {
    const lower = word.toLowerCase();
    const found = STOP_WORDS.has(lower) ? '' : stem(lower);
    return stems.has(found) ? found : '';
  });
  return (text) => {
    const held = new Set(wordTexts(text).map(wantedStem));
    held.delete('');
    return held;
  };
}

/** Share of a query's words in each text, weighted by inverse document frequency. All 1 if every text holds every word. */
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
  if (total === 0) return new Float64Array(n).fill(query.size > 0 && n > 0 ? 1 : 0);
  return Float64Array.from(texts, (text) => {
    let sum = 0;
    for (const [word, weight] of weights) if (text.has(word)) sum += weight;
    return sum / total;
  });
}

/**
 * Inverse document frequency log((n + unseen) / (df + 1)) over n texts.
 * @param texts the items of each text, such as words; repetitions count once
 */
export function inverseFrequency<Item>(texts: readonly Iterable<Item>[], unseen = 1): (item: Item) => number {
  const frequency = new Map<Item, number>();
  for (const text of texts) for (const item of new Set(text)) frequency.set(item, (frequency.get(item) ?? 0) + 1);
  return (item) => Math.log((texts.length + unseen) / ((frequency.get(item) ?? 0) + 1));
}

const ASKS =
  /^(?:what['’]?s?|who['’]?s?|whom|whose|which|when|where|why|how['’]?s?|is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had|compare|summari[sz]e|list|name|describe|explain|find|tell|show|give)\b/i;

/** A question after its subject: "Doubled entries since the update - whats causing it". */
const ASKS_LATER = /(?:\s[-–—]|[.:;])\s+(?:what|who|why|how)(?:['’]?s)?\b/;

export function asks(text: string): boolean {
  return /[?？؟]\s*$/u.test(text) || ASKS.test(text.trim()) || ASKS_LATER.test(text);
}
