import type { Encoder } from '../../models/index.ts';
import { groupBy, inverseFrequency, language, memoized, nextTurn, STOP_WORDS, stemmedWords } from '../../text/index.ts';
import { agreementOfFacts, byText, type Passage } from './passages.ts';

interface MatchTask {
  readonly reference: string;
  readonly passages: readonly Passage[];
}

/** Scores from which people found half, or all, of a reference told. */
export const LEVELS = { half: 0.35, full: 0.65 };
const COMPARED = 64;
/** Milliseconds after which others get their turn. */
const TURN = 20;

/**
 * Finds references in passages: the share of the reference's content words that a passage has, weighted by squared inverse
 * document frequencies over the texts of the request, mapped to human scores by a logistic curve, and lowered if numbers,
 * dates, names, roles or negation differ. Figures in docs/decisions/embedded-judge.md.
 *
 * Differences are checked only in passages that could be the best of their task or reach half; the scores of others are
 * upper bounds.
 * @returns scores from 0 to 1, one per passage of each task
 */
export async function match(tasks: readonly MatchTask[]): Promise<Float64Array[]> {
  const words = memoized(weighedWords);
  const rarityOf = rarity(textsOf(tasks).map((text) => words(text).map(({ stem }) => stem)));
  const finder = memoized((passages: readonly Passage[]) => wordFinder(passages, words));
  const scored: Float64Array[] = [];
  let since = performance.now();
  for (const { reference, passages } of tasks) {
    const shares = finder(passages)(words(reference), rarityOf);
    const compared = toCompare(passages, shares);
    const scores = new Float64Array(passages.length);
    for (const place of compared) scores[place] = logistic(shares[place]);
    let best = 0;
    for (const place of compared.toSorted((a, b) => scores[b] - scores[a])) {
      // Include ties, so that their order does not matter.
      if (scores[place] === 0 || (scores[place] < best && scores[place] < LEVELS.half)) break;
      scores[place] *= agreementOfFacts(reference, passages[place]);
      best = Math.max(best, scores[place]);
      if (performance.now() - since > TURN) {
        await nextTurn();
        since = performance.now();
      }
    }
    scored.push(scores);
  }
  return scored;
}

const [MIDDLE, WIDTH] = [0.26, 0.1];

/** 0 if nothing is found, else in (0, 1). */
function logistic(share: number): number {
  return share <= 0 ? 0 : 1 / (1 + Math.exp((MIDDLE - share) / WIDTH));
}

function textsOf(tasks: readonly MatchTask[]): string[] {
  const passages = [...new Set(tasks.map((task) => task.passages))].flat();
  return [...new Set([...tasks.map(({ reference }) => reference), ...passages.flatMap(({ sentences }) => sentences)])];
}

/** Number of virtual texts beside those of the request, so that words shared by only two texts keep their weight. */
const UNSEEN = 10;

/**
 * Squared inverse document frequencies, log((n + 10) / (df + 1))^2 over n texts; the square reduces the weight of topic
 * words.
 * @param texts the words or tokens of each
 */
export function rarity<T>(texts: readonly Iterable<T>[]): (item: T) => number {
  const inverse = inverseFrequency(texts, UNSEEN);
  return (item) => inverse(item) ** 2;
}

/** Places of the passages to compare; ties by text, so that order does not matter. */
function toCompare(passages: readonly Passage[], shares: Float64Array): number[] {
  const places = passages.map((_, place) => place);
  if (places.length <= COMPARED) return places;
  const texts = new Set<string>();
  return places
    .filter((place) => shares[place] > 0)
    .sort((a, b) => shares[b] - shares[a] || byText(passages[a].text, passages[b].text))
    .filter((place) => texts.add(passages[place].text).size <= COMPARED);
}

/** Weight of numbers and of names. */
const KEPT = 2;

export function weighedWords(text: string) {
  return stemmedWords(text).flatMap(({ text: word, stem }, place) => {
    if (STOP_WORDS.has(word.toLowerCase())) return [];
    const isKept = /\p{N}/u.test(word) || (place > 0 && /^\p{Lu}/u.test(word));
    return [{ stem, weight: isKept ? KEPT : 1 }];
  });
}

/**
 * Indexes passages by their stems, so that a reference is compared only with passages that share a word.
 * @returns the weighted share of a reference's content words in each passage, in [0, 1]; 0 for a reference without any
 */
function wordFinder(
  passages: readonly Passage[],
  words: typeof weighedWords,
): (reference: ReturnType<typeof weighedWords>, rarityOf: (stem: string) => number) => Float64Array {
  const held = passages.flatMap(({ sentences }, place) => {
    const stems = new Set(sentences.flatMap((sentence) => words(sentence).map(({ stem }) => stem)));
    return [...stems].map((stem) => ({ stem, place }));
  });
  const index = groupBy(held, ({ stem }) => stem);
  return (reference, rarityOf) => {
    const found = new Float64Array(passages.length);
    let total = 0;
    for (const { stem, weight } of reference) {
      const own = weight * rarityOf(stem);
      total += own;
      for (const { place } of index.get(stem) ?? []) found[place] += own;
    }
    return total > 0 ? found.map((sum) => sum / total) : found;
  };
}

/** Names of `Intl.Locale` for several scripts together or an unknown one. */
const SEVERAL = /^(?:Jpan|Kore|Han[st]|Zzzz)$/;

/** Whether an encoder was not trained for the language of a text, by its script and words. */
export function isForeignTo({ profile: { languages } }: Encoder, text: string): boolean {
  if (languages === null) return false;
  if (!isInScriptsOf(languages, text)) return true;
  const spoken = language(text);
  return spoken !== 'und' && !languages.includes(spoken);
}

function isInScriptsOf(languages: readonly string[], text: string): boolean {
  const scripts = [...new Set(languages.map((code) => new Intl.Locale(code).maximize().script ?? 'Zzzz'))];
  if (scripts.some((script) => SEVERAL.test(script))) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join('|'), 'gu'))?.length ?? 0;
  return own >= letters / 2;
}
