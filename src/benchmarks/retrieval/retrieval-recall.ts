import type { KnownRelevance } from './known-relevance.ts';
import type { Retrieved } from './retrieval.ts';

/** How much of what matters was retrieved, before anything is written of it. */
export interface RetrievalRecall {
  /** Share of the documents that matter which are given, one that was cut with them. */
  readonly documents: number;
  /** The same, each by how much it holds of what the case asks for. */
  readonly weighted: number;
  /** Share of the given documents that matter; 0 where none is given. */
  readonly precision: number;
}

/** The retrieval-only evaluation of Laban et al. 2024, section 5. */
export function retrievalRecall({ documents }: Pick<Retrieved, 'documents'>, known: KnownRelevance): RetrievalRecall {
  const found = documents.flatMap(({ id }) => known.amounts.get(id) ?? []);
  const all = [...known.amounts.values()];
  return {
    documents: found.length / all.length,
    weighted: total(found) / total(all),
    precision: documents.length === 0 ? 0 : found.length / documents.length,
  };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
