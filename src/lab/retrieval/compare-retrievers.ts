import { mean } from '../../evaluation/index.ts';
import type { BenchmarkCase, BenchmarkSet, Collection } from '../benchmark-set.ts';
import { type KnownRelevance, knownRelevance } from './known-relevance.ts';
import { needsIntent, type Retrieval, type RetrievalDeps, type Retrieved } from './retrieval.ts';
import { retrieve } from './retrieve.ts';
import { asksSomething } from './score-documents.ts';

/** A case that retrieval can be scored on. */
interface ScorableCase {
  readonly benchmarkCase: BenchmarkCase;
  readonly known: KnownRelevance;
}

/** What one retriever found for one case. */
interface RetrieverScore extends RetrievalRecall {
  /** Id of the case. */
  readonly case: string;
  /** Documents given, and their tokens. */
  readonly taken: number;
  readonly tokens: number;
}

export interface RetrieverReport {
  readonly retrieval: Retrieval;
  /** Means over the cases. */
  readonly means: Omit<RetrieverScore, 'case'>;
  readonly cases: readonly RetrieverScore[];
}

/**
 * The cases that know which documents matter, and where one of the retrievers compares with an intent, have one: all
 * retrievers are to be scored on the same.
 */
export function scorableCases({ cases }: BenchmarkSet, retrievals: readonly Retrieval[]): ScorableCase[] {
  const withIntent = retrievals.some(({ by }) => needsIntent(by));
  return cases.flatMap((benchmarkCase) => {
    const known = knownRelevance(benchmarkCase);
    const hasNoQuery = withIntent && !asksSomething(benchmarkCase);
    return known === null || hasNoQuery ? [] : [{ benchmarkCase, known }];
  });
}

/**
 * How much of what matters each retriever finds (Laban et al. 2024, section 5).
 *
 * @param onScored told after every case of every retriever
 * @param signal ends it between two of them
 * @returns null where it was ended
 */
export async function compareRetrievers(
  { collections }: BenchmarkSet,
  cases: readonly ScorableCase[],
  retrievals: readonly Retrieval[],
  deps: RetrievalDeps,
  { onScored, signal }: { readonly onScored: (done: number) => void; readonly signal: AbortSignal },
): Promise<RetrieverReport[] | null> {
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const reports: RetrieverReport[] = [];
  for (const retrieval of retrievals) {
    const scores: RetrieverScore[] = [];
    for (const { benchmarkCase, known } of cases) {
      if (signal.aborted) return null;
      const collection = byId.get(benchmarkCase.collection);
      if (collection === undefined) throw new TypeError(`there is no collection "${benchmarkCase.collection}"`);
      const retrieved = await retrieve(collection, benchmarkCase, retrieval, deps);
      const { documents, tokens } = retrieved;
      const recall = retrievalRecall(retrieved, known, collection);
      scores.push({ case: benchmarkCase.id, ...recall, taken: documents.length, tokens });
      onScored(reports.length * cases.length + scores.length);
    }
    reports.push({ retrieval, means: meansOf(scores), cases: scores });
  }
  return reports;
}

function meansOf(scores: readonly RetrieverScore[]): RetrieverReport['means'] {
  const of = (field: keyof RetrieverReport['means']) => mean(scores.map((score) => score[field])) ?? 0;
  return {
    documents: of('documents'),
    weighted: of('weighted'),
    precision: of('precision'),
    taken: of('taken'),
    tokens: of('tokens'),
  };
}

/** How much of what matters was retrieved, before anything is written of it. */
interface RetrievalRecall {
  /** Share of the documents that matter which are given; one that was cut counts by how much of it is left. */
  readonly documents: number;
  /** The same, each by how much it holds of what the case asks for. */
  readonly weighted: number;
  /** Share of the given documents that matter; 0 where none is given. */
  readonly precision: number;
}

/** The retrieval-only evaluation of Laban et al. 2024, section 5. */
function retrievalRecall(
  { documents }: Pick<Retrieved, 'documents'>,
  known: KnownRelevance,
  collection: Collection,
): RetrievalRecall {
  const lengths = new Map(collection.documents.map(({ id, text }) => [id, text.length]));
  const found = documents.flatMap(({ id, text }) => {
    const amount = known.amounts.get(id);
    return amount === undefined ? [] : [{ amount, left: text.length / Math.max(1, lengths.get(id) ?? 1) }];
  });
  const all = [...known.amounts.values()];
  return {
    documents: total(found.map(({ left }) => left)) / all.length,
    weighted: total(found.map(({ amount, left }) => amount * left)) / total(all),
    precision: documents.length === 0 ? 0 : found.length / documents.length,
  };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
