import type { SourceDocument } from '../../text/documents/document.ts';
import { wordsOf } from '../../selection/kernel/word-overlap.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import { bm25Scores } from './bm25-scores.ts';
import { retrievalEncoder, retrievalReranker } from './check-retrieval.ts';
import { embeddingScores } from './embedding-scores.ts';
import { keywordScores } from './keyword-scores.ts';
import { knownRelevance } from './known-relevance.ts';
import { NotRetrievableError } from './not-retrievable-error.ts';
import { randomOfCase } from './random-of-case.ts';
import { rerankerScores } from './reranker-scores.ts';
import { DEFAULT_RETRIEVAL_SEED, type Retrieval, type RetrievalParts, type Retriever } from './retrieval.ts';

type Ranking = Retrieval & { readonly by: Exclude<Retriever, 'full'> };

/** The same list for the same documents, so that what is counted of it is counted once. */
const textsOf = oncePer((documents: readonly SourceDocument[]): readonly string[] => documents.map(({ text }) => text));

/**
 * How much each document is wanted, the more the higher.
 *
 * @param documents in canonical order, which what is drawn depends on
 * @throws NotRetrievableError where the case lacks what they are found by
 */
export async function scoreDocuments(
  documents: readonly SourceDocument[],
  benchmarkCase: BenchmarkCase,
  retrieval: Ranking,
  parts: RetrievalParts,
): Promise<Float64Array> {
  const texts = textsOf(documents);
  switch (retrieval.by) {
    case 'random': {
      const random = randomOfCase(retrieval.seed ?? DEFAULT_RETRIEVAL_SEED, benchmarkCase.id, 'take');
      return Float64Array.from(documents, random);
    }
    case 'keywords':
      return keywordScores(queryOf(benchmarkCase, retrieval), texts);
    case 'bm25':
      return bm25Scores(queryOf(benchmarkCase, retrieval), texts);
    case 'embedding': {
      const query = queryOf(benchmarkCase, retrieval);
      return embeddingScores(query, texts, retrievalEncoder(retrieval, parts), parts.database);
    }
    case 'reranker': {
      const query = queryOf(benchmarkCase, retrieval);
      return rerankerScores(query, texts, retrievalReranker(retrieval, parts), parts.database);
    }
    case 'oracle': {
      const amounts = amountsOf(benchmarkCase, 'so that there is nothing that an oracle could retrieve by');
      return Float64Array.from(documents, ({ id }) => amounts.get(id) ?? 0);
    }
  }
}

/** @throws NotRetrievableError where the case does not know which documents matter */
export function amountsOf(benchmarkCase: BenchmarkCase, consequence: string): ReadonlyMap<string, number> {
  const known = knownRelevance(benchmarkCase);
  if (known !== null) return known.amounts;
  const lacks = 'names no document of an insight, relevant question, passage, nugget or key point';
  throw new NotRetrievableError(benchmarkCase.id, `${lacks}, ${consequence}`);
}

/** Whether there is an intent that documents can be compared with. */
export function asksSomething({ intent = '' }: BenchmarkCase): boolean {
  return wordsOf(intent).length > 0;
}

/** @throws NotRetrievableError where there is nothing to look for */
function queryOf(benchmarkCase: BenchmarkCase, { by }: Retrieval): string {
  const { id, intent } = benchmarkCase;
  if (intent !== undefined && asksSomething(benchmarkCase)) return intent;
  const lacks = intent === undefined ? 'has no intent' : 'has an intent without a word';
  throw new NotRetrievableError(id, `${lacks}, so that retrieval by "${by}" does not know what to look for`);
}
