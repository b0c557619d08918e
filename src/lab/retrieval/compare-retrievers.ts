import { mean } from '../../evaluation/index.ts';
import type { BenchmarkCase, BenchmarkSet, Collection } from '../benchmark-set.ts';
import { textTable } from '../report/report.ts';
import { needsIntent, type Retrieval, type RetrievalDeps } from './retrieval.ts';
import { retrieve } from './retrieve.ts';
import { asksSomething, knownRelevance } from './score-documents.ts';

interface ScorableCase {
  readonly benchmarkCase: BenchmarkCase;
  /** Amount of relevant material by document. */
  readonly amounts: ReadonlyMap<string, number>;
}

interface RetrieverScore {
  /** Recall of relevant documents; a cut document counts by its remaining share. */
  readonly documents: number;
  /** The same, weighted by amount of relevant material. */
  readonly weighted: number;
  /** Share of the given documents that are relevant; 0 if none is given. */
  readonly precision: number;
  readonly taken: number;
  readonly tokens: number;
}

interface RetrieverReport {
  readonly retrieval: Retrieval;
  readonly means: RetrieverScore;
  readonly cases: readonly (RetrieverScore & { readonly case: string })[];
}

/** Cases with known relevance and, if any retriever needs one, an intent, so that all score the same cases. */
export function scorableCases({ cases }: BenchmarkSet, retrievals: readonly Retrieval[]): ScorableCase[] {
  const withIntent = retrievals.some(({ by }) => needsIntent(by));
  return cases.flatMap((benchmarkCase) => {
    const amounts = knownRelevance(benchmarkCase);
    return amounts === null || (withIntent && !asksSomething(benchmarkCase)) ? [] : [{ benchmarkCase, amounts }];
  });
}

/**
 * Scores retrievers by relevant material (Laban et al. 2024, section 5); null if aborted by `signal`.
 * @param onScored called after every case of every retriever
 */
export async function compareRetrievers(
  { collections }: BenchmarkSet,
  cases: readonly ScorableCase[],
  retrievals: readonly Retrieval[],
  deps: RetrievalDeps,
  onScored: (done: number) => void,
  signal: AbortSignal,
): Promise<RetrieverReport[] | null> {
  const reports: RetrieverReport[] = [];
  for (const retrieval of retrievals) {
    const scores: RetrieverReport['cases'][number][] = [];
    for (const { benchmarkCase, amounts } of cases) {
      if (signal.aborted) return null;
      const collection = collections.find(({ id }) => id === benchmarkCase.collection);
      if (collection === undefined) throw new TypeError(`there is no collection "${benchmarkCase.collection}"`);
      const score = await scoreRetrieval(collection, benchmarkCase, amounts, retrieval, deps);
      scores.push({ case: benchmarkCase.id, ...score });
      onScored(reports.length * cases.length + scores.length);
    }
    const meanOf = (of: (score: RetrieverScore) => number) => mean(scores.map(of)) ?? 0;
    const means = {
      documents: meanOf(({ documents }) => documents),
      weighted: meanOf(({ weighted }) => weighted),
      precision: meanOf(({ precision }) => precision),
      taken: meanOf(({ taken }) => taken),
      tokens: meanOf(({ tokens }) => tokens),
    };
    reports.push({ retrieval, means, cases: scores });
  }
  return reports;
}

async function scoreRetrieval(
  collection: Collection,
  benchmarkCase: BenchmarkCase,
  amounts: ScorableCase['amounts'],
  retrieval: Retrieval,
  deps: RetrievalDeps,
): Promise<RetrieverScore> {
  const { documents, tokens } = await retrieve(collection, benchmarkCase, retrieval, deps);
  const lengths = new Map(collection.documents.map(({ id, text }) => [id, Math.max(1, text.length)]));
  let [found, left, weighted] = [0, 0, 0];
  for (const { id, text } of documents) {
    const amount = amounts.get(id);
    if (amount === undefined) continue;
    const share = text.length / (lengths.get(id) ?? 1);
    found++;
    left += share;
    weighted += amount * share;
  }
  return {
    documents: left / amounts.size,
    weighted: weighted / [...amounts.values()].reduce((sum, amount) => sum + amount, 0),
    precision: documents.length === 0 ? 0 : found / documents.length,
    taken: documents.length,
    tokens,
  };
}

export function printRetrievers(reports: readonly RetrieverReport[]): string {
  const rows = reports.map(({ retrieval: { by, name }, means: { documents, weighted, precision, taken, tokens } }) => [
    name === undefined ? by : `${by} ${name}`,
    ...[documents, weighted, precision].map((share) => share.toFixed(3)),
    ...[taken.toFixed(1), tokens.toFixed(0)],
  ]);
  return textTable(['retriever', 'recall', 'weighted', 'precision', 'documents', 'tokens'], rows);
}
