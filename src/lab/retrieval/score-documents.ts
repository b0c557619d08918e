import { type DigestDeps, knownEncoder } from '../../digest/index.ts';
import { type Encoder, encodeQueries, encodeTexts, type Reranker, type WorkCache } from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import { contentHash, contentWords, type SourceDocument, stemmedWords, windows } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import {
  DEFAULT_RETRIEVAL_SEED,
  NotRetrievableError,
  type Retrieval,
  type Retriever,
  randomOfCase,
  retrievalReranker,
} from './retrieval.ts';

/**
 * Bytes per window for a sentence encoder. MiniLM was trained on 128 tokens; windows of this size have at most 119 in
 * 300,000 characters of Obama's addresses. Finding the one of 60 stretches of 5,000 characters that holds a sentence,
 * less every third word, gives a mean reciprocal rank of 0.75, and 0.54 with windows of 1,200 bytes.
 */
const SENTENCE_BYTES = 480;
/** Max UTF-8 bytes of a character. */
const MIN_BYTES = 4;
const LEAST = -1;

/**
 * Cosine of a query with each text, or with its nearest window if the text is too long (MaxP of Dai & Callan 2019).
 * Vectors of texts are cached.
 * @returns one value in [-1, 1] per text
 * @throws ModelCallError if an endpoint fails for good
 */
export async function embeddingScores(
  query: string,
  texts: readonly string[],
  encoder: Encoder,
  cache: WorkCache,
): Promise<Float64Array> {
  const sizes = { bytes: Math.max(MIN_BYTES, encoder.profile.wholeBytes ?? SENTENCE_BYTES), overlapBytes: 0 };
  const pieces = texts.map((text) => windows(text, sizes).map(({ start, end }) => text.slice(start, end)));
  const [[{ sentence: asked }], { sentences }] = await Promise.all([
    encodeQueries(encoder, [query]),
    encodeTexts(encoder, cache, pieces.flat()),
  ]);
  let next = 0;
  return Float64Array.from(pieces, ({ length }) => {
    const own = sentences.slice(next, next + length);
    next += length;
    return own.reduce((best, sentence) => Math.max(best, vectorCosine(asked, sentence)), LEAST);
  });
}

const K1 = 1.2;
const B = 0.75;

/**
 * BM25 (Robertson & Zaragoza 2009, equation 3.15, k1 = 1.2, b = 0.75) over words without case and common endings: the
 * sum over query words t, with repetitions, of idf(t) tf / (k1 (1 - b + b l / mean l) + tf), with tf the count of t in
 * the text, l its number of words, and idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N texts with t.
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
  return countsIn(stemmedWords(text).map(({ stem }) => stem));
}

function countsIn(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const KIND = 'benchmark-relevance';

/** One cached score per whole text. @throws ModelCallError if the endpoint fails for good */
export async function rerankerScores(
  query: string,
  texts: readonly string[],
  reranker: Reranker,
  cache: WorkCache,
): Promise<Float64Array> {
  const keys = texts.map((text) => contentHash(JSON.stringify([KIND, reranker.profile.id, query, contentHash(text)])));
  const known = await cache.readJudgements([...new Set(keys)]);
  const missing = new Map(texts.flatMap((text, i) => (known.has(keys[i]) ? [] : [[keys[i], text] as const])));
  if (missing.size > 0) {
    const scores = await reranker.score(query, [...missing.values()]);
    const rows = [...missing.keys()].map((key, i) => ({ key, kind: KIND, verdict: JSON.stringify(scores[i]) }));
    await cache.saveJudgements(rows);
    for (const { key, verdict } of rows) known.set(key, verdict);
  }
  return Float64Array.from(keys, (key) => Number(known.get(key)));
}

/**
 * Share of a query's distinct content words in each text (`KWs` of Laban et al. 2024, section 5), without case and
 * common endings; of all its words if all are stop words.
 * @returns one value in [0, 1] per text
 */
export function keywordScores(query: string, texts: readonly string[]): Float64Array {
  const words = stemmedWords(query);
  const content = contentWords(query);
  const wanted = new Set((content.length > 0 ? content : words).map(({ stem }) => stem));
  return Float64Array.from(countsOf(texts), (held) =>
    wanted.size === 0 ? 0 : [...wanted].filter((word) => held.has(word)).length / wanted.size,
  );
}

const textsOf = oncePer((documents: readonly SourceDocument[]): readonly string[] => documents.map(({ text }) => text));

/**
 * Scores documents; higher is better.
 * @param documents in canonical order, on which random scores depend
 * @throws NotRetrievableError if the case lacks what the retriever needs
 */
export async function scoreDocuments(
  documents: readonly SourceDocument[],
  benchmarkCase: BenchmarkCase,
  retrieval: Retrieval & { readonly by: Exclude<Retriever, 'full'> },
  deps: DigestDeps,
): Promise<Float64Array> {
  const texts = textsOf(documents);
  const { by, seed = DEFAULT_RETRIEVAL_SEED } = retrieval;
  if (by === 'random') return Float64Array.from(documents, randomOfCase(seed, benchmarkCase.id, 'take'));
  if (by === 'oracle') {
    const amounts = amountsOf(benchmarkCase, 'so that there is nothing that an oracle could retrieve by');
    return Float64Array.from(documents, ({ id }) => amounts.get(id) ?? 0);
  }
  const query = queryOf(benchmarkCase, by);
  if (by === 'keywords') return keywordScores(query, texts);
  if (by === 'bm25') return bm25Scores(query, texts);
  if (by === 'embedding')
    return embeddingScores(query, texts, knownEncoder(deps.engine, retrieval.name, '/name'), deps.cache);
  return rerankerScores(query, texts, retrievalReranker(retrieval, deps), deps.cache);
}

function queryOf({ id, intent }: BenchmarkCase, by: Retriever): string {
  if (intent !== undefined && stemmedWords(intent).length > 0) return intent;
  const reason = intent === undefined ? 'has no intent' : 'has an intent without a word';
  throw new NotRetrievableError(id, `${reason}, so that retrieval by "${by}" does not know what to look for`);
}

/**
 * Amount of relevant material by document; irrelevant documents are absent. It is the number of insights of a document
 * (the oracle of Laban et al. 2024, section 5); without these, the first known of: relevant questions answered, labelled
 * passages, nuggets answered, key points stated.
 * @throws NotRetrievableError, with the consequence, if none is known
 */
export function amountsOf(
  { id, insights = [], questions = [], passages = [], nuggets = [], keyPoints = [] }: BenchmarkCase,
  consequence: string,
): ReadonlyMap<string, number> {
  const relevant = questions.filter((question) => question.relevant ?? true);
  const sources: readonly (readonly string[])[][] = [
    insights.map(({ documents = [] }) => documents),
    relevant.map(({ document }) => [document]),
    passages.map(({ document }) => [document]),
    nuggets.map(({ answers = [] }) => answers.flatMap(({ documents = [] }) => documents)),
    keyPoints.map(({ spans = [] }) => spans.map(({ document }) => document)),
  ];
  const known = sources.map((things) => things.flatMap((documents) => [...new Set(documents)]));
  const first = known.find(({ length }) => length > 0);
  if (first !== undefined) return countsIn(first);
  const reason = 'names no document of an insight, relevant question, passage, nugget or key point';
  throw new NotRetrievableError(id, `${reason}, ${consequence}`);
}
