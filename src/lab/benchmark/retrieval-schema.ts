import { z } from 'zod';
import { ORDERS, RETRIEVERS, type Retrieval } from '../retrieval/retrieval.ts';

/** A retrieval as a file holds it; whether its encoder or reranker is here, `checkRetrieval` finds out. */
export const retrievalSchema: z.ZodType<Retrieval> = z.strictObject({
  by: z.enum(RETRIEVERS),
  name: z.string().min(1).optional(),
  budget: z.int().min(1).optional(),
  seed: z.int().min(0).optional(),
  order: z.enum(ORDERS).optional(),
});
