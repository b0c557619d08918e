import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, type SourceDocument, utf8Length } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import {
  checkRetrieval,
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  type Retrieval,
  type RetrievalDeps,
  type Retrieved,
  randomOfCase,
} from './retrieval.ts';
import { amountsOf, scoreDocuments } from './score-documents.ts';
import { beginningWithin, shortenDocument } from './shorten-document.ts';

/**
 * Documents in an order that does not depend on the one in which they are given: by the hash of their content, then by id.
 * Cases that ask the same documents are given the same list.
 */
export const canonicalDocuments = oncePer((documents: readonly SourceDocument[]): readonly SourceDocument[] =>
  documents
    .map((document) => ({ document, hash: contentHash(document.text) }))
    .sort((a, b) => compare(a.hash, b.hash) || compare(a.document.id, b.document.id))
    .map(({ document }) => document),
);

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * The documents that a system is given for a case, so that systems can be compared at equal input (Laban et al. 2024,
 * section 5): the best by a retriever, down to the one that does not fit the budget, which is cut between sentences. A token
 * is four bytes of UTF-8 of a document's text. The same are taken in whatever order the collection holds them.
 *
 * @throws UnusableOptionError for what this service does not have; NotRetrievableError where the case lacks what documents
 *   are found by; ModelCallError where an encoder or reranker behind an endpoint fails for good
 */
export async function retrieve(
  collection: Collection,
  benchmarkCase: BenchmarkCase,
  retrieval: Retrieval,
  deps: RetrievalDeps,
): Promise<Retrieved> {
  checkRetrieval(retrieval, deps);
  const { ranking, documents: taken, cut } = await take(collection, benchmarkCase, retrieval, deps);
  const documents = orderDocuments(taken, collection, benchmarkCase, retrieval);
  return {
    documents,
    tokens: tokensOf(documents),
    inputWords: documents.reduce((sum, document) => sum + wordsIn(document), 0),
    ranking,
    cut: cut === null ? null : { document: cut.id, tokens: tokensOf([cut]) },
  };
}

async function take(
  { documents }: Collection,
  benchmarkCase: BenchmarkCase,
  { by, show, ...options }: Retrieval,
  deps: RetrievalDeps,
): Promise<Taken & Pick<Retrieved, 'ranking'>> {
  const shown = async (document: SourceDocument) =>
    show === undefined ? document : shortenDocument(document, show, benchmarkCase, deps.summarise);
  if (by === 'full') {
    const all = await mapSequentially(documents, shown);
    return {
      documents: all.filter((document, place) => document === documents[place] || document.text.trim() !== ''),
      cut: null,
      ranking: [],
    };
  }
  const canonical = canonicalDocuments(documents);
  const scores = await scoreDocuments(canonical, benchmarkCase, { ...options, by }, deps);
  // Sorting is stable: what scores alike stays in canonical order.
  const ranked = canonical.map((document, i) => ({ document, score: scores[i] })).sort((a, b) => b.score - a.score);
  const { budget = DEFAULT_BUDGET } = options;
  const found = await takeWithinBudget(
    ranked.map(({ document }) => document),
    budget * BYTES_PER_TOKEN,
    shown,
  );
  return { ...found, ranking: ranked.map(({ document, score }) => ({ document: document.id, score })) };
}

const wordsIn = oncePer(({ text }: SourceDocument) => countWords(text));

function tokensOf(documents: readonly SourceDocument[]): number {
  return Math.ceil(documents.reduce((sum, { text }) => sum + utf8Length(text), 0) / BYTES_PER_TOKEN);
}

/**
 * Documents in the order in which a system is given them. `top` and `bottom` put those that matter most first and last, and
 * those that matter alike as they are given (Laban et al. 2024, section 5).
 *
 * @param documents the best first, maybe cut
 * @throws NotRetrievableError where the order is by what matters, and the case does not know it
 */
function orderDocuments(
  documents: readonly SourceDocument[],
  { documents: given }: Collection,
  benchmarkCase: BenchmarkCase,
  { order = 'given', seed = DEFAULT_RETRIEVAL_SEED }: Retrieval,
): SourceDocument[] {
  if (order === 'ranked') return [...documents];
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

/** @param keys by id, the least first */
function sorted(documents: readonly SourceDocument[], keys: ReadonlyMap<string, number>): SourceDocument[] {
  return documents.toSorted((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
}

interface Taken {
  readonly documents: readonly SourceDocument[];
  /** The last of them, where it was cut. */
  readonly cut: SourceDocument | null;
}

/**
 * The first documents that fit a budget, and of the next one as many of its first sentences as still fit; the code of Laban
 * et al. 2024 cuts there between tokens. A larger budget takes the same and more.
 *
 * @param documents in the order in which they are wanted
 * @param bytes the most, in UTF-8, of all that is shown of them
 * @param shown what is shown of one
 */
async function takeWithinBudget(
  documents: readonly SourceDocument[],
  bytes: number,
  shown: (document: SourceDocument) => Promise<SourceDocument>,
): Promise<Taken> {
  let left = bytes;
  const whole: SourceDocument[] = [];
  for (const given of documents) {
    const document = await shown(given);
    if (document !== given && document.text.trim() === '') continue;
    const size = utf8Length(document.text);
    if (size > left) {
      const text = beginningWithin(document.text, left);
      const cut = text === '' ? null : { ...document, text };
      return { documents: cut === null ? whole : [...whole, cut], cut };
    }
    left -= size;
    whole.push(document);
  }
  return { documents: whole, cut: null };
}

/** One after the other: a summary takes all there is of the machine. */
async function mapSequentially<Item, Result>(
  items: readonly Item[],
  job: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const done: Result[] = [];
  for (const item of items) done.push(await job(item));
  return done;
}
