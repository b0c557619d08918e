import type { Engine } from '../../digest/index.ts';
import { type CoverageLevels, type Encoder, type Encoding, encodeWhole, type WorkCache } from '../../models/index.ts';
import type { RecallTask } from '../../selection/index.ts';
import {
  chunks,
  groupBy,
  inverseFrequency,
  language,
  memoized,
  nextTurn,
  STOP_WORDS,
  stemmedWords,
} from '../../text/index.ts';
import { agreementOfFacts, byText, type Passage } from './passages.ts';

interface MatchTask {
  readonly reference: string;
  readonly passages: readonly Passage[];
}

interface MatchDeps {
  readonly encoder: Encoder;
  readonly cache: WorkCache;
  readonly engine: Pick<Engine, 'recall'>;
  readonly onForeign: () => void;
}

/** Finds references in passages; scores from 0 to 1, one per passage of a task. */
export interface Matching {
  readonly levels: CoverageLevels;
  find(tasks: readonly MatchTask[]): Promise<Float64Array[]>;
}

type Curve = Pick<CoverageLevels, 'middle' | 'width'>;

/** Curve for words alone, for encoders without tokens and for languages unknown to the encoder. */
const WORDS_ALONE: Curve = { middle: 0.26, width: 0.1 };
const COMPARED = 64;
/** Number of tasks per message to a thread. */
const TOGETHER = 16;
/** Milliseconds after which others get their turn. */
const TURN = 20;

/**
 * Scores passages against references: the share of the reference that is found, mapped to human scores by a logistic
 * curve fitted for the encoder, and lowered if numbers, dates, names, roles or negation differ. Figures in
 * docs/decisions/embedded-judge.md.
 *
 * The share is the mean of the recall of the reference's tokens (BERTScore, Zhang et al. 2020, equation 1) and of its
 * content words, both weighted by squared inverse document frequencies over the texts of the request. Without tokens, and
 * in languages unknown to the encoder, words decide.
 *
 * Differences are checked only in passages that could be the best of their task or reach half; the scores of others are
 * upper bounds.
 */
export async function match(tasks: readonly MatchTask[], deps: MatchDeps): Promise<Float64Array[]> {
  const { tokenDimensions, calibration } = deps.encoder.profile;
  const words = memoized(weighedWords);
  const rarityOf = rarity(textsOf(tasks).map((text) => words(text).map(({ stem }) => stem)));
  const finder = memoized((passages: readonly Passage[]) => wordFinder(passages, words));
  const byWords = tasks.map(({ reference, passages }) => finder(passages)(words(reference), rarityOf));
  const compared = tasks.map(({ passages }, i) => toCompare(passages, byWords[i]));
  // References too short to tell their language have that of all texts together.
  const together = language(
    tasks
      .map(({ reference }) => reference)
      .toSorted()
      .join('\n'),
  );
  const isForeign = tasks.map(({ reference }) => isForeignTo(deps.encoder, reference, together));
  if (isForeign.some(Boolean)) deps.onForeign();
  const inTokens = [...tasks.keys()].filter((i) => tokenDimensions > 0 && !isForeign[i]);
  const recalls = await tokenRecalls(
    inTokens.map((i) => ({ ...tasks[i], places: compared[i] })),
    deps,
  );
  const recallsOf = new Map(inTokens.map((i, place) => [i, recalls[place]]));

  const scored: Float64Array[] = [];
  let since = performance.now();
  for (const [i, { reference, passages }] of tasks.entries()) {
    const recall = recallsOf.get(i);
    const scores = new Float64Array(passages.length);
    compared[i].forEach((place, c) => {
      const share = recall === undefined ? byWords[i][place] : (byWords[i][place] + recall[c]) / 2;
      scores[place] = logistic(share, recall === undefined ? WORDS_ALONE : calibration.coverage);
    });
    let best = 0;
    for (const place of compared[i].toSorted((a, b) => scores[b] - scores[a])) {
      // Include ties, so that their order does not matter.
      if (scores[place] === 0 || (scores[place] < best && scores[place] < calibration.coverage.half)) break;
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

/** 0 if nothing is found, else in (0, 1). */
function logistic(share: number, { middle, width }: Curve): number {
  return share <= 0 ? 0 : 1 / (1 + Math.exp((middle - share) / width));
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

async function tokenRecalls(
  tasks: readonly (MatchTask & { readonly places: readonly number[] })[],
  { encoder, cache, engine }: MatchDeps,
): Promise<ArrayLike<number>[]> {
  const sentencesOf = ({ passages, places }: (typeof tasks)[number]) => [
    // Sort by text, so that sums round the same in any order of the request.
    ...new Set(places.flatMap((place) => passages[place].sentences).toSorted()),
  ];
  const texts = [...new Set(tasks.flatMap((task) => [task.reference, ...sentencesOf(task)]))];
  const encodings = await encodeWhole(encoder, cache, texts);
  const encodingOf = new Map(texts.map((text, t) => [text, encodings[t]]));
  const tokensOf = (text: string): Pick<Encoding, 'tokens' | 'tokenIds'> => {
    const { tokens, tokenIds } = encodingOf.get(text) ?? encodings[0];
    return { tokens, tokenIds };
  };
  const rarityOf = rarity(encodings.map(({ tokenIds }) => tokenIds));
  const recallTasks = tasks.map((task): RecallTask => {
    const sentences = sentencesOf(task);
    const placeOf = new Map(sentences.map((sentence, place) => [sentence, place]));
    const reference = tokensOf(task.reference);
    return {
      dimensions: encoder.profile.tokenDimensions,
      reference,
      weights: Float64Array.from(reference.tokenIds, rarityOf),
      texts: sentences.map(tokensOf),
      windows: task.places.map((place) =>
        task.passages[place].sentences.flatMap((sentence) => placeOf.get(sentence) ?? []),
      ),
    };
  });
  const recalls = await Promise.all([...chunks(recallTasks, TOGETHER)].map((batch) => engine.recall(batch)));
  return recalls.flat();
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

/**
 * Whether an encoder was not trained for the language of a text, by its script and words.
 * @param together ISO 639-3 code of the surrounding texts, for texts too short to tell; `und` if unknown
 */
export function isForeignTo({ profile: { languages } }: Encoder, text: string, together = 'und'): boolean {
  if (languages === null) return false;
  if (!isInScriptsOf(languages, text)) return true;
  const own = language(text);
  const spoken = own === 'und' ? together : own;
  return spoken !== 'und' && !languages.includes(spoken);
}

function isInScriptsOf(languages: readonly string[], text: string): boolean {
  const scripts = [...new Set(languages.map((code) => new Intl.Locale(code).maximize().script ?? 'Zzzz'))];
  if (scripts.some((script) => SEVERAL.test(script))) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join('|'), 'gu'))?.length ?? 0;
  return own >= letters / 2;
}
