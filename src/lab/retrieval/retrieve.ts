import { type DigestDeps, makeDigest, type ResolvedRequest } from '../../digest/index.ts';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import {
  beginning,
  contentHash,
  type SourceDocument,
  sentences,
  sortedBy,
  utf8Length,
  wordOverlap,
  wordSet,
} from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import {
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  NotRetrievableError,
  type Retrieval,
  randomOfCase,
} from './retrieval.ts';
import { amountsOf, scoreDocuments } from './score-documents.ts';

/** Sorted by content hash, then id, independently of the given order. Cached per list. */
const canonicalDocuments = oncePer(
  // Hashes have one length, so that the joined keys compare as the pairs would.
  (documents: readonly SourceDocument[]) => sortedBy(documents, ({ id, text }) => contentHash(text) + id),
);

/**
 * Retrieves the documents of a case, so that systems compare at equal input (Laban et al. 2024, section 5): the best by
 * a retriever within the budget, the last one cut between sentences. A token is four bytes of UTF-8. The collection's
 * order does not matter.
 * @returns documents in the requested order; a cut one keeps its beginning, so that spans stay valid
 * @throws UnusableOptionError for a missing encoder or reranker; NotRetrievableError if the case lacks what the
 * retriever needs; ModelCallError if an endpoint fails for good
 */
export async function retrieve(
  collection: Collection,
  benchmarkCase: BenchmarkCase,
  { by, ...options }: Retrieval,
  deps: DigestDeps,
): Promise<readonly SourceDocument[]> {
  const { show, budget = DEFAULT_BUDGET } = options;
  const shown = async (document: SourceDocument) =>
    show === undefined ? document : shortenDocument(document, show, benchmarkCase, deps);
  let [best, bytes] = [collection.documents, Number.POSITIVE_INFINITY];
  if (by !== 'full') {
    const canonical = canonicalDocuments(collection.documents);
    const scores = await scoreDocuments(canonical, benchmarkCase, { ...options, by }, deps);
    // Stable sorting keeps ties in canonical order.
    const ranked = canonical.map((document, i) => ({ document, score: scores[i] })).sort((a, b) => b.score - a.score);
    [best, bytes] = [ranked.map(({ document }) => document), budget * BYTES_PER_TOKEN];
  }
  const taken = await takeWithinBudget(best, bytes, shown);
  return orderDocuments(taken, collection, benchmarkCase, options);
}

/**
 * @param documents the best first, maybe cut
 * @throws NotRetrievableError if the order needs an unknown relevance
 */
function orderDocuments(
  documents: readonly SourceDocument[],
  { documents: given }: Collection,
  benchmarkCase: BenchmarkCase,
  { order = 'given', seed = DEFAULT_RETRIEVAL_SEED }: Pick<Retrieval, 'order' | 'seed'>,
): readonly SourceDocument[] {
  if (order === 'ranked') return documents;
  if (order === 'random') {
    const random = randomOfCase(seed, benchmarkCase.id, 'order');
    return sorted(documents, new Map(canonicalDocuments(given).map(({ id }) => [id, random()])));
  }
  const asGiven = sorted(documents, new Map(given.map(({ id }, place) => [id, place])));
  if (order === 'given') return asGiven;
  const amounts = amountsOf(benchmarkCase, `so that its documents cannot be put at the "${order}"`);
  const sign = order === 'top' ? -1 : 1;
  return sorted(asGiven, new Map(asGiven.map(({ id }) => [id, sign * (amounts.get(id) ?? 0)])));
}

function sorted(documents: readonly SourceDocument[], keys: ReadonlyMap<string, number>): SourceDocument[] {
  return documents.toSorted((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
}

/**
 * Takes whole documents, then whole sentences of the next, within `bytes` of UTF-8; a larger budget takes a superset.
 * A document of which nothing is shown stays, without text: it counts as given. Sequential, as a summary uses the whole machine.
 */
async function takeWithinBudget(
  documents: readonly SourceDocument[],
  bytes: number,
  shown: (document: SourceDocument) => Promise<SourceDocument>,
): Promise<SourceDocument[]> {
  let left = bytes;
  const taken: SourceDocument[] = [];
  for (const given of documents) {
    const document = await shown(given);
    left -= utf8Length(document.text);
    if (left < 0) {
      const text = beginningWithin(document.text, left + utf8Length(document.text));
      return text === '' ? taken : [...taken, { ...document, text }];
    }
    taken.push(document);
  }
  return taken;
}

type Show = NonNullable<Retrieval['show']>;

/** Whether shown text has other spans than the document, which invalidates labels and quotes. */
export function movesPlaces(show: Retrieval['show']): boolean {
  return show !== undefined && !('tokens' in show);
}

/**
 * The part of a document shown to a system (Qi et al. 2024, section 5.6): its first tokens, the stretch of sentences
 * that shares most words with the intent, or a summary. An overlong first sentence is cut.
 * @throws NotRetrievableError for a snippet without an intent
 */
export async function shortenDocument(
  document: SourceDocument,
  show: Show,
  { id, intent }: { readonly id: string; readonly intent?: string | undefined },
  deps: DigestDeps,
): Promise<SourceDocument> {
  if ('tokens' in show) {
    const bytes = show.tokens * BYTES_PER_TOKEN;
    // A UTF-16 unit has at most three bytes.
    const text = beginningWithin(document.text, bytes) || beginning(document.text, Math.floor(bytes / 3));
    return { ...document, text };
  }
  if ('summary' in show) return { ...document, text: await summaryOf(document, intent, show.summary, deps) };
  if (intent === undefined) throw new NotRetrievableError(id, 'has no intent, so that there are no snippets for it');
  return { ...document, text: snippetOf(document.text, intent, show.snippet) };
}

/** Written without a language model, so that planning is free and deterministic. */
async function summaryOf(document: SourceDocument, intent: string | undefined, words: number, deps: DigestDeps) {
  const request: ResolvedRequest = {
    documents: [document],
    intent,
    summary: { format: 'report', maxWords: words },
    engine: { extractor: 'sentences', writer: 'compose' },
  };
  const { digest } = await makeDigest(request, deps);
  const told = digest.summary.sentences.filter(({ framing }) => !framing);
  return told.map(({ text }) => text).join(' ');
}

function beginningWithin(text: string, bytes: number): string {
  let [end, size] = [0, 0];
  for (const sentence of sentences(text)) {
    size += utf8Length(text.slice(end, sentence.end));
    if (size > bytes) break;
    end = sentence.end;
  }
  return text.slice(0, end);
}

/** The first best run of whole sentences; a sentence that is too long stands alone. */
function snippetOf(text: string, intent: string, words: number): string {
  const spans = sentences(text);
  const sizes = spans.map(({ start, end }) => countWords(text.slice(start, end)));
  const stretches = spans.map(({ start }, first) => {
    let [last, size] = [first, sizes[first]];
    while (last + 1 < spans.length && size + sizes[last + 1] <= words) size += sizes[++last];
    return text.slice(start, spans[last].end);
  });
  const shares = wordOverlap(wordSet(intent), stretches.map(wordSet));
  const best = shares.reduce((found, share, place) => (share > shares[found] ? place : found), 0);
  return stretches[best] ?? text;
}
