import type { DigestDeps, Engine } from '../../digest/index.ts';
import type { SourceDocument } from '../../text/index.ts';

export const RETRIEVERS = ['random', 'keywords', 'bm25', 'embedding', 'reranker', 'oracle', 'full'] as const;
/** What finds the documents; `oracle` knows what the case knows, and `full` takes them all. */
export type Retriever = (typeof RETRIEVERS)[number];

export const ORDERS = ['given', 'ranked', 'top', 'bottom', 'random'] as const;
/** `top` and `bottom` are by what the oracle knows, whatever retrieves. */
type RetrievalOrder = (typeof ORDERS)[number];

/** Of Laban et al. 2024, section 5. */
export const DEFAULT_BUDGET = 15_000;
export const DEFAULT_RETRIEVAL_SEED = 1;

/** Which documents of a collection a system is given to digest, and in which order. */
export interface Retrieval {
  readonly by: Retriever;
  /** Of the encoder or reranker; without it the default encoder, and the only reranker. */
  readonly name?: string | undefined;
  /** Tokens, counted as UTF-8 bytes / 4 of the documents' texts; `full` does not heed it. */
  readonly budget?: number | undefined;
  /** Of what is drawn, by case; 1 by default. */
  readonly seed?: number | undefined;
  /** `given`, as in the collection, by default; the code of the paper hands on what is `ranked`. */
  readonly order?: RetrievalOrder | undefined;
}

export interface Retrieved {
  /** In the order asked for; a document that was cut has a beginning of its text, so that places in it stay the same. */
  readonly documents: readonly SourceDocument[];
  /** UTF-8 bytes of their texts / 4, rounded up. */
  readonly tokens: number;
  readonly inputWords: number;
  /** All documents of the collection, the best first; empty where all were taken without looking. */
  readonly ranking: readonly RankedDocument[];
  /** The document that was cut, and what is left of it; null where none was. */
  readonly cut: { readonly document: string; readonly tokens: number } | null;
}

interface RankedDocument {
  /** Its id. */
  readonly document: string;
  readonly score: number;
}

/** What retrieval uses of the service. */
export interface RetrievalDeps extends Pick<DigestDeps, 'cache'> {
  readonly engine: Pick<Engine, 'encoders' | 'defaultEncoder' | 'rerankers'>;
}

/** Whether a retriever compares the documents with an intent, which the case must have. */
export function needsIntent(by: Retriever): boolean {
  return by === 'keywords' || by === 'bm25' || by === 'embedding' || by === 'reranker';
}
