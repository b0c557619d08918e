import type { SourceDocument } from '../../text/documents/document.ts';
import { utf8Length } from '../../text/documents/windows.ts';
import { BYTES_PER_TOKEN } from '../../models/language/usage.ts';
import { countWords } from '../../summary/count-words.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import { canonicalDocuments } from './canonical-documents.ts';
import { checkRetrieval } from './check-retrieval.ts';
import { orderDocuments } from './order-documents.ts';
import { DEFAULT_BUDGET, type Retrieval, type RetrievalParts, type Retrieved } from './retrieval.ts';
import { scoreDocuments } from './score-documents.ts';
import { type Taken, takeWithinBudget } from './take-within-budget.ts';

export type { Retrieval, Retrieved } from './retrieval.ts';

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
  parts: RetrievalParts,
): Promise<Retrieved> {
  checkRetrieval(retrieval, parts);
  const { ranking, documents: taken, cut } = await take(collection, benchmarkCase, retrieval, parts);
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
  { by, ...options }: Retrieval,
  parts: RetrievalParts,
): Promise<Taken & Pick<Retrieved, 'ranking'>> {
  if (by === 'full') return { documents, cut: null, ranking: [] };
  const canonical = canonicalDocuments(documents);
  const scores = await scoreDocuments(canonical, benchmarkCase, { ...options, by }, parts);
  // Sorting is stable: what scores alike stays in canonical order.
  const ranked = canonical.map((document, i) => ({ document, score: scores[i] })).sort((a, b) => b.score - a.score);
  const { budget = DEFAULT_BUDGET } = options;
  const found = takeWithinBudget(
    ranked.map(({ document }) => document),
    budget * BYTES_PER_TOKEN,
  );
  return { ...found, ranking: ranked.map(({ document, score }) => ({ document: document.id, score })) };
}

const wordsIn = oncePer(({ text }: SourceDocument) => countWords(text));

function tokensOf(documents: readonly SourceDocument[]): number {
  return Math.ceil(documents.reduce((sum, { text }) => sum + utf8Length(text), 0) / BYTES_PER_TOKEN);
}
