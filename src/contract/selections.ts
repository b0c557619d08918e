import { z } from '@hono/zod-openapi';
import { counted } from '../text/index.ts';
import { ENGINES } from './choices.ts';
import { REASONS } from './digest.ts';
import { backgroundText, LIMITS, question, type TypeOf, text } from './fields.ts';
import { outcomeFields, selectionFields, selectionRequestSchema } from './selection-options.ts';

/** Max rows: a body holds two million numbers in arrays of arrays. */
const MAX_KERNEL_ROWS = 1400;
const LARGEST = 1e300;
/** Max difference of L_ij and L_ji that counts as rounding, relative to max(sqrt(L_ii L_jj), |L_ij|). */
const ASYMMETRY = 1e-5;

/** A kernel, read in one pass: square, finite, diagonal >= 0, symmetric up to rounding. 1e999 parses as infinity. */
const kernelSchema = z
  .custom<number[][]>((value) => Array.isArray(value), 'is not an array of rows')
  .superRefine((kernel, context) => {
    const fault = shapeFault(kernel) ?? valueFault(kernel);
    if (fault === null) return;
    const [message, ...path] = fault;
    context.addIssue({ code: 'custom', path, message });
  })
  .openapi({
    type: 'array',
    items: { type: 'array', items: { type: 'number' } },
    maxItems: MAX_KERNEL_ROWS,
    description:
      'L, used as it stands: square, finite, symmetric to 1e-5 max(sqrt(L_ii L_jj), |L_ij|), no negative diagonal entry.',
  });

/** The first fault of a kernel, and where it is. */
type Fault = readonly [message: string, ...path: number[]];

function shapeFault(kernel: readonly unknown[]): Fault | null {
  const n = kernel.length;
  if (n === 0) return ['has no rows'];
  if (n > MAX_KERNEL_ROWS) return [`has ${n} rows; the maximum is ${MAX_KERNEL_ROWS}`];
  for (const [i, row] of kernel.entries()) {
    if (!Array.isArray(row)) return ['is not a row of numbers', i];
    if (row.length !== n)
      return [`has ${counted(row.length, 'entry', 'entries')}; the kernel has ${counted(n, 'row')}`, i];
    const j = row.findIndex((value) => typeof value !== 'number' || !(Math.abs(value) <= LARGEST));
    if (j >= 0) return [`is not a finite number, or is larger than ${LARGEST}`, i, j];
  }
  return null;
}

function valueFault(kernel: readonly (readonly number[])[]): Fault | null {
  const scales = kernel.map((row, i) => Math.sqrt(Math.abs(row[i])));
  for (const [i, row] of kernel.entries()) {
    if (row[i] < 0) return ['is a negative diagonal entry', i, i];
    for (let j = 0; j < i; j++) {
      const most = ASYMMETRY * Math.max(scales[i] * scales[j], Math.abs(row[j]));
      if (Math.abs(row[j] - kernel[j][i]) > most)
        return [`is ${row[j]}, but /${j}/${i} is ${kernel[j][i]}: the kernel is not symmetric`, i, j];
    }
  }
  return null;
}

/** Limits of one request. */
const MAX = { items: 5000, itemCharacters: 20_000, dimensions: 8192, draws: 1000 };

const itemSchema = z
  .strictObject({
    id: text(200).min(1).openapi({ example: 'a1' }),
    text: text(MAX.itemCharacters).openapi({ example: 'Traffic in the centre fell by 18 percent.' }),
    document: text(200)
      .min(1)
      .optional()
      .openapi({ description: 'Source of the item. Default: a separate source for each item.' }),
  })
  .openapi('SelectionItem');

const isVector = (row: unknown) =>
  Array.isArray(row) && row.length > 0 && row.length <= MAX.dimensions && row.every(Number.isFinite);

/** An array schema would make an issue for each of a million wrong numbers. */
const vector = z
  .custom<number[]>(isVector, `must be an array of 1 to ${MAX.dimensions} numbers`)
  .openapi({ type: 'array', items: { type: 'number' }, minItems: 1, maxItems: MAX.dimensions });

const background = z.strictObject({
  problem: question.min(1),
  userStory: text(LIMITS.intentCharacters).optional(),
  background: backgroundText.optional().openapi({ description: 'What the reader already knows.' }),
});

const SOURCES = ['items', 'embeddings', 'kernel', 'digest'] as const;

export const selectionsRequestSchema = z
  .strictObject({
    items: z.array(itemSchema).min(1).max(MAX.items).optional(),
    embeddings: z
      .array(vector)
      .min(1)
      .max(MAX.items)
      .optional()
      .openapi({ description: 'Vectors, compared by cosine.' }),
    kernel: kernelSchema.optional(),
    digest: text(200).optional().openapi({ description: 'Id of a stored digest to select key points from.' }),
    intent: z.union([question, background]).optional(),
    queryEmbedding: vector.optional(),
    relevanceScores: z.array(z.number().min(-1e6).max(1e6)).max(MAX.items).optional(),
    selection: selectionRequestSchema.optional(),
    engine: z.union([z.enum(ENGINES), z.strictObject({ encoder: text(200).optional() })]).optional(),
    draws: z
      .int()
      .min(1)
      .max(MAX.draws)
      .optional()
      .openapi({ description: 'Number of independent sets to draw, for strategies that sample.' }),
  })
  .superRefine((request, context) => {
    const fail = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const given = SOURCES.filter((source) => request[source] !== undefined);
    if (given.length !== 1) {
      const names = given.length === 0 ? 'none' : given.map((name) => `"${name}"`).join(' and ');
      fail(
        given.slice(1, 2),
        `needs exactly one of "items", "embeddings", "kernel" and "digest"; the request has ${names}`,
      );
    }
    const seen = new Set<string>();
    request.items?.forEach(({ id }, index) => {
      if (seen.has(id)) fail(['items', index, 'id'], 'is a duplicate id');
      seen.add(id);
    });
    const { embeddings, queryEmbedding, relevanceScores } = request;
    const dimensions = embeddings?.[0]?.length;
    embeddings?.forEach((row, index) => {
      if (row.length !== dimensions)
        fail(['embeddings', index], `has ${counted(row.length, 'number')}; the first has ${dimensions}`);
    });
    if (queryEmbedding !== undefined && dimensions !== undefined && queryEmbedding.length !== dimensions) {
      fail(['queryEmbedding'], `has ${counted(queryEmbedding.length, 'number')}; the embeddings have ${dimensions}`);
    }
    const n = (request.items ?? embeddings ?? request.kernel)?.length;
    if (relevanceScores !== undefined && n !== undefined && relevanceScores.length !== n) {
      fail(['relevanceScores'], `has ${counted(relevanceScores.length, 'number')}, for ${counted(n, 'item')}`);
    }
  })
  .openapi('SelectionsRequest');
export type SelectionsRequest = TypeOf<typeof selectionsRequestSchema>;

const itemNameSchema = z.object({
  /** Position in the request. */
  index: z.int(),
  /** Null if the request has no ids. */
  id: z.string().nullable(),
});
export type ItemName = TypeOf<typeof itemNameSchema>;

const itemAnswerSchema = itemNameSchema.extend({
  relevance: z.number(),
  salience: z.int().nullable(),
  selected: z.boolean(),
  rank: z.int().nullable(),
  gain: z.number().nullable(),
  nearest: itemNameSchema.extend({ similarity: z.number() }).nullable(),
  marginal: z.number().nullable(),
  reason: z.enum(REASONS).nullable(),
});
export type ItemAnswer = TypeOf<typeof itemAnswerSchema>;

const sharedSchema = z.object({
  ...selectionFields,
  engine: z.object({ encoder: z.string().nullable(), matrix: z.string() }),
  warnings: z.array(z.string()),
});
export type SelectionsShared = TypeOf<typeof sharedSchema>;

const selectionsSchema = z
  .object({
    selected: z.array(itemNameSchema.extend({ rank: z.int(), gain: z.number().nullable() })),
    items: z.array(itemAnswerSchema),
    ...sharedSchema.shape,
    ...outcomeFields,
  })
  .openapi('Selection');
export type SelectionsAnswer = TypeOf<typeof selectionsSchema>;

const drawsSchema = z
  .object({
    draws: z.array(z.object({ selected: z.array(itemNameSchema.extend({ rank: z.int() })) })),
    items: z.array(itemNameSchema.extend({ relevance: z.number(), marginal: z.number().nullable() })),
    ...sharedSchema.shape,
  })
  .openapi('Draws');
export type DrawsAnswer = TypeOf<typeof drawsSchema>;

export const selectionsAnswerSchema = z.union([selectionsSchema, drawsSchema]);
