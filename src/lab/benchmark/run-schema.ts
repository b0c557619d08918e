import { z } from 'zod';
import { LIMITS, text } from '../../contract/index.ts';
import { wantedMetrics } from '../cli/comparison-schemas.ts';
import { FORMATS } from '../loaders/formats.ts';
import { ORDERS, RETRIEVERS, type Retrieval } from '../retrieval/retrieval.ts';

/** A retrieval as a file holds it; whether its encoder or reranker is here, `checkRetrieval` finds out. */
export const retrievalSchema: z.ZodType<Retrieval> = z.strictObject({
  by: z.enum(RETRIEVERS),
  name: z.string().min(1).optional(),
  budget: z.int().min(1).optional(),
  seed: z.int().min(0).optional(),
  order: z.enum(ORDERS).optional(),
});

const name = text(500).min(1);
const path = text(4_000).min(1);

/** A file that says what to run; paths are read from its folder. Options of systems are checked once sweeps are expanded. */
export const runSchema = z.strictObject({
  name,
  sets: z
    .array(
      z.strictObject({
        name: name.optional(),
        format: z.enum(FORMATS).default('set'),
        files: z.array(path).min(1).max(1000),
        keyPoints: z.union([z.literal('insights'), z.int().min(1).max(1000)]).optional(),
        limit: z.int().min(1).optional(),
      }),
    )
    .min(1)
    .max(100),
  systems: z
    .array(
      z.union([
        z.strictObject({
          name,
          options: z.record(z.string(), z.unknown()).default({}),
          sweep: z.record(z.string().regex(/^\w+(\.\w+)*$/), z.array(z.unknown()).min(1).max(100)).optional(),
          retrieval: retrievalSchema.optional(),
          /** Three systems, given the documents that matter first, last and anywhere. */
          orders: z.literal(true).optional(),
          requires: z.literal('model').optional(),
        }),
        z.strictObject({ name, outputs: path }),
      ]),
    )
    .min(1)
    .max(1000),
  baseline: name.optional(),
  metrics: wantedMetrics,
});

export type RunOrder = z.output<typeof runSchema>;

const documentIds = z.array(name).max(LIMITS.documents);

const span = z.strictObject({ document: name, start: z.int().min(0), end: z.int().min(1) });

/** What another system said to a case. */
export const outputSchema = z
  .strictObject({
    /** Needed where there are several sets. */
    set: name.optional(),
    case: name,
    /** Of a file with outputs of several; those of other systems are passed over. */
    system: name.optional(),
    sentences: z
      .array(z.strictObject({ text: text(20_000), documents: documentIds, quote: span.nullable().optional() }))
      .max(10_000)
      .optional(),
    bullets: z.array(text(20_000)).max(10_000).optional(),
    /** Quotes of the key points that it chose, in its order. */
    picks: z.array(span).max(10_000).optional(),
    asked: z.int().min(0).nullable().optional(),
    given: documentIds.optional(),
    cost: z.number().min(0).optional(),
  })
  .refine(({ sentences, bullets }) => (sentences === undefined) !== (bullets === undefined), {
    message: 'needs either "sentences" or "bullets"',
  });
