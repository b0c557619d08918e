import { z } from 'zod';
import type { TypeOf } from '../../contract/index.ts';
import { type DigestDeps, type Engine, UnusableOptionError } from '../../digest/index.ts';
import { type Random, seededRandom } from '../../selection/index.ts';
import { contentHash, type SourceDocument, TesseraError } from '../../text/index.ts';

export type Summarise = (document: SourceDocument, intent: string | undefined, words: number) => Promise<string>;

/** `oracle` uses the known relevance; `full` takes all documents. */
const RETRIEVERS = ['random', 'keywords', 'bm25', 'embedding', 'reranker', 'oracle', 'full'] as const;
export type Retriever = (typeof RETRIEVERS)[number];

/** Laban et al. 2024, section 5. */
export const DEFAULT_BUDGET = 15_000;
export const DEFAULT_RETRIEVAL_SEED = 1;

export const retrievalSchema = z.strictObject({
  by: z.enum(RETRIEVERS),
  /** Encoder or reranker; by default the default encoder, or the only reranker. */
  name: z.string().min(1).optional(),
  /** Tokens, counted as UTF-8 bytes / 4 of the documents' texts; ignored by `full`. */
  budget: z.int().min(1).optional(),
  /** For the random order of each case; 1 by default. */
  seed: z.int().min(0).optional(),
  /** `given`, the default, keeps the collection's order; the paper's code uses `ranked`; `top` and `bottom` use the oracle's relevance. */
  order: z.enum(['given', 'ranked', 'top', 'bottom', 'random']).optional(),
  /** Part of each document to show, all if absent; the budget counts shown text. */
  show: z
    .union([
      z.strictObject({ tokens: z.int().min(1).max(1_000_000) }),
      z.strictObject({ snippet: z.int().min(1).max(10_000) }),
      z.strictObject({ summary: z.int().min(10).max(10_000) }),
    ])
    .optional(),
});
export type Retrieval = TypeOf<typeof retrievalSchema>;

export interface Retrieved {
  /** In the requested order; a cut document keeps its beginning, so that spans stay valid. */
  readonly documents: readonly SourceDocument[];
  readonly tokens: number;
  /** Ids of all documents, the best first; empty for `full`. */
  readonly ranking: readonly string[];
}

export interface RetrievalDeps extends Pick<DigestDeps, 'cache'> {
  readonly engine: Pick<Engine, 'encoders' | 'defaultEncoder' | 'rerankers'>;
  readonly summarise?: Summarise | undefined;
}

/** @throws UnusableOptionError naming the field, for a missing encoder or reranker, and for contradictory options */
export function checkRetrieval(retrieval: Retrieval, deps: Pick<RetrievalDeps, 'engine'>): void {
  const { by, name, order } = retrieval;
  if (by === 'full' && order === 'ranked') {
    throw new UnusableOptionError('/order', 'Retrieval by "full" ranks nothing, so that its order cannot be "ranked".');
  }
  if (by === 'embedding') retrievalEncoder(retrieval, deps);
  else if (by === 'reranker') retrievalReranker(retrieval, deps);
  else if (name !== undefined) {
    const problem = `Retrieval by "${by}" uses neither encoder nor reranker, yet names "${name}".`;
    throw new UnusableOptionError('/name', problem);
  }
}

/** @throws UnusableOptionError for an unknown encoder */
export function retrievalEncoder({ name }: Retrieval, { engine }: Pick<RetrievalDeps, 'engine'>) {
  const wanted = name ?? engine.defaultEncoder;
  const encoder = engine.encoders.get(wanted);
  if (encoder !== undefined) return encoder;
  throw new UnusableOptionError('/name', `There is no encoder "${wanted}" here; there is ${listed(engine.encoders)}.`);
}

/** @throws UnusableOptionError for an unknown reranker, or if none is named and there is not exactly one */
export function retrievalReranker({ name }: Retrieval, { engine: { rerankers } }: Pick<RetrievalDeps, 'engine'>) {
  const [first, ...others] = rerankers.keys();
  if (first === undefined) {
    throw new UnusableOptionError('/by', 'There is no reranker here: TESSERA_ENCODERS can name some.');
  }
  const reranker = name === undefined && others.length > 0 ? undefined : rerankers.get(name ?? first);
  if (reranker !== undefined) return reranker;
  const problem = name === undefined ? 'Say which reranker' : `There is no reranker "${name}" here`;
  throw new UnusableOptionError('/name', `${problem}; there is ${listed(rerankers)}.`);
}

function listed(named: ReadonlyMap<string, unknown>): string {
  return [...named.keys()].map((each) => `"${each}"`).join(' and ');
}

const DIGITS = 13;

export function randomOfCase(seed: number, benchmarkCase: string, purpose: string): Random {
  const hash = contentHash(JSON.stringify([purpose, seed, benchmarkCase]));
  return seededRandom(Number.parseInt(hash.slice(0, DIGITS), 16));
}

export class NotRetrievableError extends TesseraError {
  readonly code = 'not-retrievable';
  readonly benchmarkCase: string;

  constructor(benchmarkCase: string, problem: string) {
    super(`The case "${benchmarkCase}" ${problem}.`);
    this.benchmarkCase = benchmarkCase;
  }
}
