import { z } from '@hono/zod-openapi';
import { REASONS } from './digest.ts';
import { outcomeFields, selectionFields } from './answer-schemas.ts';
import { kernelSchema } from './kernel-schema.ts';
import { intentText, LIMITS, selectionSchema, text } from './schemas.ts';

/** Limits of one request to select. */
const MOST = { items: 5000, itemCharacters: 20_000, dimensions: 8192, draws: 1000 };

const itemSchema = z
  .strictObject({
    id: text(200).min(1).openapi({ example: 'a1' }),
    text: text(MOST.itemCharacters).openapi({ example: 'Traffic in the centre fell by 18 percent.' }),
    document: text(200)
      .min(1)
      .optional()
      .openapi({ description: 'Where it comes from; by default from a source of its own.' }),
  })
  .openapi('SelectionItem');

const vector = z.array(z.number()).min(1).max(MOST.dimensions);

const background = z.strictObject({
  problem: intentText.min(1),
  userStory: text(LIMITS.intentCharacters).optional(),
  background: text(100_000).optional().openapi({ description: 'What the reader knows already.' }),
});

const SOURCES = ['items', 'embeddings', 'kernel', 'digest'] as const;

export const selectionsRequestSchema = z
  .strictObject({
    items: z.array(itemSchema).min(1).max(MOST.items).optional(),
    embeddings: z.array(vector).min(1).max(MOST.items).optional().openapi({ description: 'Compared by cosine.' }),
    kernel: kernelSchema.optional(),
    digest: text(200).optional().openapi({ description: 'A stored digest, whose points are selected from anew.' }),
    intent: z.union([intentText, background]).optional(),
    queryEmbedding: vector.optional(),
    relevanceScores: z.array(z.number().min(-1e6).max(1e6)).max(MOST.items).optional(),
    selection: selectionSchema.optional(),
    engine: z.strictObject({ encoder: text(200).optional() }).optional(),
    draws: z
      .int()
      .min(1)
      .max(MOST.draws)
      .optional()
      .openapi({ description: 'Independent sets from one decomposition, by a strategy that samples.' }),
  })
  .superRefine((request, context) => {
    const fail = (path: (string | number)[], message: string): void => {
      context.addIssue({ code: 'custom', path, message });
    };
    const given = SOURCES.filter((source) => request[source] !== undefined);
    if (given.length !== 1) {
      const names = given.length === 0 ? 'none' : given.map((name) => `"${name}"`).join(' and ');
      fail(given.slice(1, 2), `needs exactly one of "items", "embeddings", "kernel" and "digest"; there is ${names}`);
    }
    const seen = new Set<string>();
    request.items?.forEach(({ id }, index) => {
      if (seen.has(id)) fail(['items', index, 'id'], 'names an item that came before it');
      seen.add(id);
    });
    const { embeddings, queryEmbedding, relevanceScores } = request;
    const dimensions = embeddings?.[0]?.length;
    embeddings?.forEach((row, index) => {
      if (row.length !== dimensions)
        fail(['embeddings', index], `has ${row.length} numbers; the first has ${dimensions}`);
    });
    if (queryEmbedding !== undefined && dimensions !== undefined && queryEmbedding.length !== dimensions) {
      fail(['queryEmbedding'], `has ${queryEmbedding.length} numbers; the embeddings have ${dimensions}`);
    }
    const n = (request.items ?? embeddings ?? request.kernel)?.length;
    if (relevanceScores !== undefined && n !== undefined && relevanceScores.length !== n) {
      fail(['relevanceScores'], `has ${relevanceScores.length} numbers; there are ${n} items`);
    }
  })
  .openapi('SelectionsRequest');

const name = { index: z.int(), id: z.string().nullable() };
const shared = {
  ...selectionFields,
  engine: z.object({ encoder: z.string().nullable(), matrix: z.string() }),
  warnings: z.array(z.string()),
};

const selectionsSchema = z
  .object({
    selected: z.array(z.object({ ...name, rank: z.int(), gain: z.number().nullable() })),
    items: z.array(
      z.object({
        ...name,
        relevance: z.number(),
        salience: z.int().nullable(),
        selected: z.boolean(),
        rank: z.int().nullable(),
        gain: z.number().nullable(),
        nearest: z.object({ ...name, similarity: z.number() }).nullable(),
        marginal: z.number().nullable(),
        reason: z.enum(REASONS).nullable(),
      }),
    ),
    ...shared,
    ...outcomeFields,
  })
  .openapi('Selection');

const drawsSchema = z
  .object({
    draws: z.array(z.object({ selected: z.array(z.object({ ...name, rank: z.int() })) })),
    items: z.array(z.object({ ...name, relevance: z.number(), marginal: z.number().nullable() })),
    ...shared,
  })
  .openapi('Draws');

export const selectionsAnswerSchema = z.union([selectionsSchema, drawsSchema]);
