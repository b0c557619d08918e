import type { Collection } from '../benchmark-set.ts';
import type { KnownRelevance } from './known-relevance.ts';
import type { Retrieved } from './retrieval.ts';

/** How much of what matters was retrieved, before anything is written of it. */
export interface RetrievalRecall {
  /** Share of the documents that matter which are given; one that was cut counts by how much of it is left. */
  readonly documents: number;
  /** The same, each by how much it holds of what the case asks for. */
  readonly weighted: number;
  /** Share of the given documents that matter; 0 where none is given. */
  readonly precision: number;
}

/** The retrieval-only evaluation of Laban et al. 2024, section 5. */
export function retrievalRecall(
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
