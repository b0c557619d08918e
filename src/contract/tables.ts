import { z } from '@hono/zod-openapi';
import { WRITERS } from './choices.ts';
import { digestUsageSchema } from './digest.ts';
import {
  checkSources,
  engineOr,
  engineRequestSchema,
  sourceFields,
  stageRecordsSchema,
  WITH_DOCUMENTS,
} from './digest-request.ts';
import { SELECTED } from './examples/digest.ts';
import { eventsText, LIMITS, type TypeOf, text } from './fields.ts';
import { quoteSchema } from './summary.ts';

const engineSchema = engineRequestSchema.pick({ encoder: true, model: true }).extend({
  writer: z.enum(WRITERS).optional().openapi({
    description:
      '`compose`: the sentence of the document that answers best. `llm`: a language model answers in a few words, with a quote. Default: the writer of digests.',
  }),
});

export const tableRequestSchema = z
  .strictObject({
    ...sourceFields,
    questions: z
      .array(text(LIMITS.tableQuestionCharacters).min(1))
      .min(1)
      .max(LIMITS.tableQuestions)
      .openapi({
        description: `A column each. Documents times questions may be at most ${LIMITS.tableCells}.`,
      }),
    engine: engineOr({ embedded: { writer: 'compose' }, llm: { writer: 'llm' } }, engineSchema).optional(),
  })
  .superRefine(({ questions, ...sources }, context) => {
    const fail = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    checkSources(sources, fail);
    const seen = new Set<string>();
    questions.forEach((question, index) => {
      const asked = question.trim().replace(/\s+/g, ' ').toLowerCase();
      if (!/[\p{L}\p{N}]/u.test(asked)) fail(['questions', index], 'has no words');
      else if (seen.has(asked)) fail(['questions', index], 'is a duplicate question');
      seen.add(asked);
    });
  })
  .openapi('TableRequest', {
    example: { documents: WITH_DOCUMENTS.documents, questions: ['What did the charge raise?'] },
  });
export type TableRequest = TypeOf<typeof tableRequestSchema>;

const foundCellSchema = z.object({
  answered: z.boolean().openapi({ description: 'Whether the document says something about the question.' }),
  sure: z.boolean().openapi({
    description: 'Whether it answers the question for sure; as in digests, nine in ten such answers are right.',
  }),
  text: z.string().openapi({ description: 'Empty if the document does not say it.' }),
  quote: z.union([quoteSchema, z.null()]),
});
export type FoundCell = TypeOf<typeof foundCellSchema>;

const cellSchema = foundCellSchema.extend({
  agrees: z
    .array(z.string())
    .openapi({ description: 'Ids of the other documents whose cell of this column says the same.' }),
});
export type TableCell = TypeOf<typeof cellSchema>;

/** A filled cell, before it is compared with others. */
export const cellEventSchema = foundCellSchema.extend({
  document: z.string(),
  /** Index of the question. */
  column: z.int().min(0),
});
export type CellEvent = TypeOf<typeof cellEventSchema>;

export const tableSchema = z
  .object({
    rows: z
      .array(z.object({ document: z.string(), title: z.string().optional(), cells: z.array(cellSchema) }))
      .openapi({ description: 'In the order of the request; those of a collection by id.' }),
    columns: z.array(
      z.object({
        question: z.string(),
        answered: z.int().openapi({ description: 'Number of documents that say something about it.' }),
        of: z.int(),
      }),
    ),
    engine: z.object({
      encoder: z.string().nullable().openapi({ description: 'Null if a language model answered.' }),
      matrix: z.string(),
      writer: z.string(),
      models: stageRecordsSchema,
    }),
    prompts: z.record(z.string(), z.string()),
    usage: digestUsageSchema.omit({ stages: true }),
    warnings: z.array(z.string()),
    offsetUnit: z.literal('utf16'),
  })
  .openapi('Table');
export type Table = TypeOf<typeof tableSchema>;

const QUESTIONS = ['What did the charge raise?'];
const SAID = 'The charge raised 40 million euros, which paid for new trams.';
const rows = WITH_DOCUMENTS.documents.map(({ id, title, text: whole }) => {
  const start = whole.indexOf(SAID);
  const quote = start < 0 ? null : { text: SAID, start, end: start + SAID.length };
  const answered = quote !== null;
  const cell = { answered, sure: answered, text: quote?.text ?? '', quote, agrees: [] };
  return { document: id, ...(title !== undefined && { title }), cells: [cell] };
});

export const TABLE: Table = {
  rows,
  columns: [{ question: QUESTIONS[0], answered: 1, of: rows.length }],
  engine: { encoder: SELECTED.relevance.encoder, matrix: 'onnxruntime', writer: 'compose', models: {} },
  prompts: {},
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0, reusedExtractions: 0, reusedEncodings: 0 },
  warnings: [],
  offsetUnit: 'utf16',
};

/** The example table as an event stream, shortened. */
export const TABLE_EVENTS = eventsText({
  progress: { stage: 'extract', done: 1, total: rows.length, document: rows[0].document },
  cell: { document: rows[0].document, column: 0, ...foundCellSchema.parse(rows[0].cells[0]) },
  table: TABLE,
});

/** One example of each kind. */
export const TABLE_REQUESTS = {
  documents: { summary: 'Documents', value: { documents: WITH_DOCUMENTS.documents, questions: QUESTIONS } },
  collection: {
    summary: 'A stored collection',
    value: { collection: 'col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92', questions: QUESTIONS },
  },
};
