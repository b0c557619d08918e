import type { Engine } from '../../digest/index.ts';
import { type Encoder, type Encoding, encodeTexts, encodeWhole, type WorkCache } from '../../models/index.ts';
import type { RecallTask } from '../../selection/index.ts';
import { language, STOP_WORDS, stemmedWords } from '../../text/index.ts';
import type { Passage } from './passages.ts';
import { byText } from './passages.ts';

/** Number of virtual texts beside those of the request, so that words shared by only two texts keep their weight. */
const UNSEEN = 10;

/**
 * Squared inverse document frequencies, log((n + 10) / (df + 1))^2 over n texts; the square reduces the weight of topic
 * words.
 * @param texts the words or tokens of each
 */
export function rarity<T>(texts: readonly Iterable<T>[]): (item: T) => number {
  const frequency = new Map<T, number>();
  for (const text of texts) for (const item of new Set(text)) frequency.set(item, (frequency.get(item) ?? 0) + 1);
  return (item) => Math.log((texts.length + UNSEEN) / ((frequency.get(item) ?? 0) + 1)) ** 2;
}

export interface MatchTask {
  readonly reference: string;
  readonly passages: readonly Passage[];
}

export interface MatchDeps {
  readonly encoder: Encoder;
  readonly cache: WorkCache;
  readonly engine: Pick<Engine, 'recall'>;
  readonly onForeign?: (() => void) | undefined;
}

interface FoundShares {
  /** In [-1, 1], one per passage; 0 for passages not compared. */
  readonly shares: Float64Array;
  readonly compared: readonly number[];
  readonly basis: Basis;
}

/** Comparison beside words: tokens; sentence vectors without tokens; nothing in languages unknown to the encoder. */
export type Basis = 'tokens' | 'vectors' | 'words';

const COMPARED = 64;
/**
 * Weight of sentence vectors beside words. On SummHay's judgements 0.1 to 0.2 do equally well, and 0.5 worse than words
 * alone: cosines reflect the topic rather than the content.
 */
const OF_VECTORS = 0.2;
/** Number of tasks per message to a thread. */
const TOGETHER = 16;

/**
 * Finds references in passages: the mean of the recall of the reference's tokens (BERTScore, Zhang et al. 2020,
 * equation 1) and of its content words, both weighted by squared inverse document frequencies over the texts of the
 * request. Without tokens, cosines of sentence vectors (`centredCosines`) have a weight of one fifth, words the rest.
 */
export async function foundShares(tasks: readonly MatchTask[], deps: MatchDeps): Promise<FoundShares[]> {
  const words = wordMemory();
  const rarityOf = rarity(textsOf(tasks).map((text) => words(text).map(({ stem }) => stem)));
  const indexes = new Map(
    [...new Set(tasks.map(({ passages }) => passages))].map((each) => [each, wordIndex(each, words)]),
  );
  const byWords = tasks.map(({ reference, passages }) =>
    wordRecalls(words(reference), indexes.get(passages) ?? new Map(), passages.length, rarityOf),
  );
  const compared = tasks.map((task, i) => toCompare(task.passages, byWords[i]));
  const isForeign = foreignAmong(
    deps.encoder,
    tasks.map(({ reference }) => reference),
  );
  if (isForeign.some(Boolean)) deps.onForeign?.();
  const { tokenDimensions, calibration } = deps.encoder.profile;
  const basis: Basis = tokenDimensions > 0 ? 'tokens' : 'vectors';
  const near = await (basis === 'tokens' ? tokenRecalls : vectorCosines)(tasks, compared, isForeign, deps);
  const join = (word: number, other: number, isEmpty: boolean): number => {
    if (basis === 'tokens') return (word + other) / 2;
    // Without content words only the comparison of the whole remains.
    if (isEmpty && other >= calibration.paraphrase) return other;
    return (1 - OF_VECTORS) * word + OF_VECTORS * other;
  };
  return tasks.map(({ reference, passages }, i) => {
    const shares = new Float64Array(passages.length);
    const isEmpty = words(reference).length === 0;
    compared[i].forEach((place, c) => {
      shares[place] = isForeign[i] ? byWords[i][place] : join(byWords[i][place], near[i][c], isEmpty);
    });
    return { shares, compared: compared[i], basis: isForeign[i] ? 'words' : basis };
  });
}

async function vectorCosines(
  tasks: readonly MatchTask[],
  compared: readonly (readonly number[])[],
  isForeign: readonly boolean[],
  { encoder, cache }: MatchDeps,
): Promise<readonly ArrayLike<number>[]> {
  const asked = tasks.flatMap((task, i) => (isForeign[i] ? [] : [{ task, i }]));
  const cosines = await centredCosines(
    asked.map(({ task, i }) => ({
      reference: task.reference,
      passages: compared[i].map((place) => task.passages[place]),
    })),
    encoder,
    cache,
  );
  const out: ArrayLike<number>[] = tasks.map(() => []);
  asked.forEach(({ i }, a) => {
    out[i] = cosines[a];
  });
  return out;
}

function textsOf(tasks: readonly MatchTask[]): string[] {
  const texts = new Set<string>();
  for (const { reference } of tasks) texts.add(reference);
  for (const passages of new Set(tasks.map((task) => task.passages))) {
    for (const { sentences } of passages) for (const sentence of sentences) texts.add(sentence);
  }
  return [...texts];
}

/** Places of the passages to compare; ties by text, so that order does not matter. */
function toCompare(passages: readonly Passage[], shares: Float64Array): number[] {
  const places = passages.map((_, place) => place);
  if (places.length <= COMPARED) return places;
  const rank = (a: number, b: number) => shares[b] - shares[a] || byText(passages[a].text, passages[b].text);
  const texts = new Set<string>();
  return places
    .filter((place) => shares[place] > 0)
    .sort(rank)
    .filter((place) => texts.add(passages[place].text).size <= COMPARED);
}

async function tokenRecalls(
  tasks: readonly MatchTask[],
  compared: readonly (readonly number[])[],
  isForeign: readonly boolean[],
  { encoder, cache, engine }: MatchDeps,
): Promise<readonly ArrayLike<number>[]> {
  const asked = tasks.flatMap((task, i) => (isForeign[i] ? [] : [{ task, i }]));
  const sentencesOf = ({ task, i }: (typeof asked)[number]) => [
    // Sort by text, so that sums round the same in any order of the request.
    ...new Set(compared[i].flatMap((place) => task.passages[place].sentences).toSorted()),
  ];
  const texts = [...new Set(asked.flatMap((each) => [each.task.reference, ...sentencesOf(each)]))];
  const encodings = await encodeWhole(encoder, cache, texts);
  const encodingOf = new Map(texts.map((text, t) => [text, encodings[t]]));
  const rarityOf = rarity(encodings.map(({ tokenIds }) => tokenIds));
  const recallTasks = asked.map((each): RecallTask => {
    const sentences = sentencesOf(each);
    const placeOf = new Map(sentences.map((sentence, place) => [sentence, place]));
    const reference = tokensOf(encodingOf, each.task.reference);
    return {
      dimensions: encoder.profile.tokenDimensions,
      reference,
      weights: Float64Array.from(reference.tokenIds, rarityOf),
      texts: sentences.map((sentence) => tokensOf(encodingOf, sentence)),
      windows: compared[each.i].map((place) =>
        each.task.passages[place].sentences.flatMap((sentence) => placeOf.get(sentence) ?? []),
      ),
    };
  });
  const batches = Array.from({ length: Math.ceil(recallTasks.length / TOGETHER) }, (_, b) =>
    engine.recall(recallTasks.slice(b * TOGETHER, (b + 1) * TOGETHER)),
  );
  const recalls = (await Promise.all(batches)).flat();
  const out: ArrayLike<number>[] = tasks.map(() => []);
  asked.forEach(({ i }, r) => {
    out[i] = recalls[r];
  });
  return out;
}

function tokensOf(encodings: ReadonlyMap<string, Encoding>, text: string): Pick<Encoding, 'tokens' | 'tokenIds'> {
  const found = encodings.get(text);
  if (found === undefined) throw new Error('a text was not encoded');
  return { tokens: found.tokens, tokenIds: found.tokenIds };
}

type Words = (text: string) => readonly WeighedWord[];

export function wordMemory(): Words {
  const known = new Map<string, WeighedWord[]>();
  return (text) => {
    const read = known.get(text) ?? weighedWords(text);
    known.set(text, read);
    return read;
  };
}

type WordIndex = ReadonlyMap<string, readonly number[]>;

/** Maps stems to passages, so that a reference is compared only with passages that share a word. */
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
 * Weighted share of a reference's content words in each passage.
 * @param count number of passages
 * @returns one value in [0, 1] per passage; 0 if the reference has no content words
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

interface Compared {
  readonly reference: string;
  readonly passages: readonly Passage[];
}

/** Number of virtual unrelated texts beside those of the request, so that not all that two texts share counts as their topic. */
const UNSEEN_VECTORS = 5;

/**
 * Largest cosine of a reference with a sentence of each passage or with the sum of its sentences. First subtracts n /
 * (n + 5) of the mean vector, so that a common topic or an encoder with generally high cosines does not raise scores.
 * @returns one value in [0, 1] per passage; 0 for passages without sentences
 */
export async function centredCosines(
  tasks: readonly Compared[],
  encoder: Encoder,
  cache: WorkCache,
): Promise<Float64Array[]> {
  const texts = [
    ...new Set(tasks.flatMap(({ reference, passages }) => [reference, ...passages.flatMap((each) => each.sentences)])),
  ].sort(byText);
  const { sentences } = await encodeTexts(encoder, cache, texts);
  const centred = centre(sentences, encoder.profile.sentenceDimensions);
  const vectors = new Map(texts.map((text, t) => [text, centred[t]]));
  const vectorOf = (text: string): Float64Array => {
    const found = vectors.get(text);
    if (found === undefined) throw new Error('a text was not encoded');
    return found;
  };
  const ofPassage = new Map<Passage, readonly Float64Array[]>();
  const pointsOf = (passage: Passage): readonly Float64Array[] => {
    const own = ofPassage.get(passage) ?? withSum(passage.sentences.map(vectorOf));
    ofPassage.set(passage, own);
    return own;
  };
  return tasks.map(({ reference, passages }) => {
    const sought = vectorOf(reference);
    return Float64Array.from(passages, (passage) =>
      Math.min(1, Math.max(0, ...cosinesWith(sought, pointsOf(passage)))),
    );
  });
}

function cosinesWith(sought: Float64Array, points: readonly Float64Array[]): number[] {
  return points.map((point) => sought.reduce((sum, value, c) => sum + value * point[c], 0));
}

function centre(vectors: readonly Float32Array[], dimensions: number): Float64Array[] {
  const nonZero = vectors.filter(isNonZero);
  const common = new Float64Array(dimensions);
  for (const vector of nonZero) for (let c = 0; c < dimensions; c++) common[c] += vector[c];
  for (let c = 0; c < dimensions; c++) common[c] /= nonZero.length + UNSEEN_VECTORS;
  return vectors.map((vector) =>
    isNonZero(vector) ? unit(Float64Array.from(vector, (value, c) => value - common[c])) : new Float64Array(dimensions),
  );
}

function isNonZero(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}

function withSum(vectors: readonly Float64Array[]): readonly Float64Array[] {
  if (vectors.length < 2) return vectors;
  return [...vectors, unit(vectors[0].map((_, c) => vectors.reduce((sum, vector) => sum + vector[c], 0)))];
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

interface WeighedWord {
  readonly stem: string;
  readonly weight: number;
}

const KEPT = 2;

export function weighedWords(text: string): WeighedWord[] {
  return stemmedWords(text).flatMap(({ text: word, stem }, place) => {
    if (STOP_WORDS.has(word.toLowerCase())) return [];
    const isKept = /\p{N}/u.test(word) || (place > 0 && /^\p{Lu}/u.test(word));
    return [{ stem, weight: isKept ? KEPT : 1 }];
  });
}

/** Names of `Intl.Locale` for several scripts together or an unknown one. */
const SEVERAL = /^(?:Jpan|Kore|Han[st]|Zzzz)$/;

/** Texts in a language that the encoder was not trained for: judged by words, by script or, if too short, by all texts together. */
function foreignAmong(encoder: Encoder, texts: readonly string[]): boolean[] {
  const together = language(texts.toSorted().join('\n'));
  return texts.map((text) => isForeignTo(encoder, text, together));
}

/** @param together ISO 639-3 code of the surrounding texts; `und` if unknown */
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
