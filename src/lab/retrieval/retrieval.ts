import { z } from 'zod';
import type { TypeOf } from '../../contract/index.ts';
import { type DigestDeps, UnusableOptionError } from '../../digest/index.ts';
import type { Reranker } from '../../models/index.ts';
import { type Random, seededRandom } from '../../selection/index.ts';
import { contentHash, TesseraError } from '../../text/index.ts';

/** `oracle` uses the known relevance; `full` takes all documents. */
const RETRIEVERS = ['random', 'keywords', 'bm25', 'embedding', 'reranker', 'oracle', 'full'] as const;
export type Retriever = (typeof RETRIEVERS)[number];

/** Laban et al. 2024, section 5. */
export const DEFAULT_BUDGET = 15_000;
export const DEFAULT_RETRIEVAL_SEED = 1;

export const retrievalSchema = z
  .strictObject({
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
  })
  .refine(({ by, name }) => name === undefined || by === 'embedding' || by === 'reranker', {
    path: ['name'],
    message: 'names an encoder or a reranker, and this retrieval uses neither',
  })
  .refine(({ by, order }) => by !== 'full' || order !== 'ranked', {
    path: ['order'],
    message: 'cannot be "ranked", as retrieval by "full" ranks nothing',
  });
export type Retrieval = TypeOf<typeof retrievalSchema>;

/** @throws UnusableOptionError for an unknown reranker, or if none is named and there is not exactly one */
export function retrievalReranker({ name }: Retrieval, { engine: { rerankers } }: DigestDeps): Reranker {
  const there = [...rerankers.keys()];
  const found = rerankers.get(name ?? (there.length === 1 ? there[0] : ''));
  if (found !== undefined) return found;
  const listed = there.length === 0 ? 'none: TESSERA_ENCODERS can name some' : there.join(', ');
  throw new UnusableOptionError('/name', `Name one of the rerankers available: ${listed}.`);
}

const DIGITS = 13;

export function randomOfCase(seed: number, benchmarkCase: string, purpose: string): Random {
  const hash = contentHash(JSON.stringify([purpose, seed, benchmarkCase]));
  return seededRandom(Number.parseInt(hash.slice(0, DIGITS), 16));
}

/** A case lacks what its retrieval needs. */
export class NotRetrievableError extends TesseraError {
  readonly code = 'not-retrievable';

  constructor(benchmarkCase: string, problem: string) {
    super(`The case "${benchmarkCase}" ${problem}.`);
  }
}
