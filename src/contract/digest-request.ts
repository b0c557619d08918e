import { z } from '@hono/zod-openapi';
import {
  DEFAULT_MAX_WORDS,
  ENGINES,
  type EngineName,
  EXTRACTORS,
  FORMATS,
  STAGE_NAMES,
  VERIFY_MODES,
  WRITERS,
} from './choices.ts';
import {
  type DigestSource,
  digestDocumentsSchema,
  documentsSchema,
  isBlank,
  type SourceDocument,
} from './documents.ts';
import { backgroundText, date, type InputOf, LIMITS, question, schemaOfEach, type TypeOf, text } from './fields.ts';
import { selectionRequestSchema } from './selection-options.ts';

/** The same optional field for every stage that may call a language model. */
export const perStage = <Schema extends z.ZodType>(schema: Schema) => schemaOfEach(STAGE_NAMES, schema.optional());

/** A stage's language model and its parameters. */
export const stageRequestSchema = z.strictObject({
  model: text(200).min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  seed: z.int().min(0).optional(),
  prompt: text(100).min(1).optional().openapi({ description: 'Id of the prompt for the stage.' }),
});
export type StageRequest = TypeOf<typeof stageRequestSchema>;

/** Usage of language model calls. */
export const callUsageSchema = z.object({
  requests: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cost: z
    .number()
    .nullable()
    .openapi({ description: 'In the currency of the price table; null if no price is configured.' }),
});

export const stageRecordSchema = z.object({
  model: z.string(),
  temperature: z.number().nullable(),
  topP: z.number().nullable(),
  seed: z.int().nullable(),
  prompt: z.string(),
});
export type StageRecord = TypeOf<typeof stageRecordSchema>;

export const stageRecordsSchema = z.object(perStage(stageRecordSchema));

const DOCUMENTS: readonly SourceDocument[] = [
  {
    id: 'council',
    title: 'Council report',
    publishedAt: '2026-10-05',
    text: 'Traffic in the centre fell by 18 percent in the first year of the charge. The charge raised 40 million euros, which paid for new trams.',
  },
  {
    id: 'institute',
    title: 'Study of the transport institute',
    text: 'The institute finds that traffic in the centre fell by 18 percent after the charge was introduced. Air pollution near schools fell by 9 percent.',
  },
  {
    id: 'press',
    text: 'Shopkeepers feared empty streets before the congestion charge. Tomatoes need warm soil.',
  },
];

export const WITH_DOCUMENTS = {
  intent: 'What did the congestion charge change?',
  documents: DOCUMENTS,
  selection: { size: { keyPoints: 3 } },
  summary: { format: 'report', maxWords: 200 },
};

export const reportRequestSchema = z
  .strictObject({
    problem: question.min(1).openapi({
      description: 'What is asked: this alone is searched. Length, form and dates are options of their own.',
      example: 'What do they say about taxes?',
    }),
    userStory: text(LIMITS.intentCharacters).optional().openapi({
      description: 'Who asks, and why. It is not part of the search: a language model that writes sees it.',
      example: 'I advise a council that plans a charge of its own.',
    }),
    background: z
      .union([backgroundText, z.strictObject({ digest: text(100).min(1) })])
      .optional()
      .openapi({
        description:
          'What the reader already knows: a text, or `{"digest": "dig_…"}` to ask what is new since an earlier digest.',
        example: 'The council approved the charge in March.',
      }),
    publishedAfter: date.optional(),
    publishedBefore: date.optional(),
  })
  .openapi('ReportRequest');
export type ReportRequest = TypeOf<typeof reportRequestSchema>;

/** Options of the extractor `llm`. */
export const extractionRequestSchema = z.strictObject({
  /** Max rounds per part of a document; rounds after the first look for missed points. */
  rounds: z.int().min(1).max(10).optional(),
  conditioned: z.boolean().optional().openapi({
    description: 'Extract only what helps to answer the intent. Such extractions are not reused for other intents.',
  }),
});
export type ExtractionRequest = TypeOf<typeof extractionRequestSchema>;

export const extractionFields = {
  extractor: z.enum(EXTRACTORS).optional().openapi({
    description:
      '`sentences`: those of the documents. `llm`: a language model lists key points. `auto`, the default with a writing model: the writer reads the documents whole where they fit its context; where they do not, a model reads them part by part and names what helps to answer.',
  }),
  model: text(200).min(1).optional().openapi({ description: 'Language model of all stages that do not name one.' }),
  stages: z.strictObject(perStage(stageRequestSchema)).optional(),
  extraction: extractionRequestSchema.optional(),
};

export const summaryRequestSchema = z.strictObject({
  format: z.enum(FORMATS).optional().openapi({
    description:
      '`report`, the default: running text, in which a language model may set lists. `bullets`: a list, one line to a key point where no language model writes. `brief`: one paragraph of three sentences at most, besides those that say what is not answered.',
  }),
  maxWords: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .optional()
    .openapi({
      description: `Words of the summary at most; null for no bound. By default ${DEFAULT_MAX_WORDS.report}, ${DEFAULT_MAX_WORDS.brief} for a brief, and none for bullets that no language model writes and for the preset \`published\`. Where no key point is so short the shortest is told, and \`warnings\` say so.`,
    }),
});
export type SummaryRequest = TypeOf<typeof summaryRequestSchema>;

export const engineRequestSchema = z.strictObject({
  ...extractionFields,
  budget: z.int().min(20_000).max(100_000_000).optional().openapi({
    description:
      'Tokens of documents that a model reads for one digest, whole or in parts, the most relevant part first; 1,000,000 by default.',
  }),
  encoder: text(200).optional(),
  writer: z.enum(WRITERS).optional(),
  verify: z.enum(VERIFY_MODES).optional().openapi({
    description:
      "Who holds what a language model worded against the quotes: `llm` (a language model as judge, the default), `rules` (no call: only the quotes' own wording stands), or `off` (it stands, and the answer says so).",
  }),
});
export type EngineRequest = TypeOf<typeof engineRequestSchema>;

/** What the name of an engine stands for. */
export const ENGINE_OPTIONS: Readonly<Record<EngineName, EngineRequest>> = {
  embedded: { extractor: 'sentences', writer: 'compose' },
  llm: { extractor: 'auto', writer: 'llm' },
};

/** Engine options, or the name of an engine in their place. */
export function engineOr<Options extends z.ZodType>(meaning: Record<EngineName, z.output<Options>>, options: Options) {
  return z.union([z.enum(ENGINES).transform((name) => meaning[name]), options]).openapi({
    description:
      'Who does the work: `"embedded"` (no language model), `"llm"` (a language model reads, writes and judges), or an object that chooses step by step.',
  });
}

/** Options of a request, and of the variants of an experiment. */
export const digestOptions = {
  selection: selectionRequestSchema.optional(),
  summary: summaryRequestSchema.optional(),
  engine: engineOr(ENGINE_OPTIONS, engineRequestSchema).optional(),
};

/** Assigns the request to a variant of the experiment. */
const experimentSubjectSchema = z.strictObject({ key: text(100).min(1), subject: text(200).min(1) });

/** What is read: documents, or a stored collection. */
export const sourceFields = {
  documents: documentsSchema.optional(),
  collection: text(100)
    .min(1)
    .optional()
    .openapi({ description: 'Id of a stored collection, instead of `documents`.' }),
};

/** Reports a request with neither or both of the source fields, or with nothing to read in its documents. */
export function checkSources(
  {
    documents,
    collection,
  }: { readonly documents?: readonly DigestSource[] | undefined; readonly collection?: unknown },
  fail: (path: string[], message: string) => void,
): void {
  if (documents === undefined && collection === undefined) {
    fail(['documents'], 'is missing; send documents or a collection');
  }
  if (documents !== undefined && collection !== undefined) fail(['collection'], 'cannot be combined with documents');
  const isUnreadable = ({ text: given, isAddress }: DigestSource) => isBlank(given) && isAddress !== true;
  if (documents?.every(isUnreadable)) fail(['documents'], 'hold no letter or digit, so there is nothing to read');
}

export const digestRequestSchema = z
  .strictObject({
    ...sourceFields,
    documents: digestDocumentsSchema.optional(),
    intent: z.union([question, reportRequestSchema]).optional(),
    callbackUrl: text(2000).optional().openapi({
      description: 'URL (http or https, public address) that receives a signed webhook when the digest is finished.',
    }),
    ...digestOptions,
    experiment: experimentSubjectSchema.optional().openapi({
      description:
        'Applies the options of the variant that the experiment assigns to the subject, and records the exposure. Options of the request take precedence; if they override options of the variants, the subject is excluded from the analysis.',
      example: { key: 'shorter-digests', subject: 'user-123' },
    }),
  })
  .superRefine(({ documents, collection, intent, engine }, context) => {
    const fail = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    checkSources({ documents, collection }, fail);
    const needsIntent = engine?.extraction?.conditioned === true;
    if (needsIntent && !hasQuestion(intent)) fail(['engine', 'extraction', 'conditioned'], 'needs an intent');
  })
  .openapi('DigestRequest', { example: WITH_DOCUMENTS });
/** A validated request whose references are not resolved yet. */
export type DigestRequest = TypeOf<typeof digestRequestSchema>;
/** `engine` as it is sent. */
export type EngineInput = InputOf<typeof digestOptions.engine>;

function hasQuestion(intent: ReportRequest | string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(typeof intent === 'string' ? intent : (intent?.problem ?? ''));
}

const OF_COLLECTION = {
  intent: 'What did the congestion charge change?',
  collection: 'col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92',
  callbackUrl: 'https://example.org/hooks/tessera',
};

const REPORT_REQUEST = {
  documents: DOCUMENTS,
  intent: {
    problem: 'Did the congestion charge reach what it was made for?',
    userStory: 'I advise a council that plans a charge of its own.',
    background: 'The charge was introduced in September 2025.',
    publishedAfter: '2025-09-01',
    publishedBefore: '2026-12-31',
  },
  summary: { format: 'bullets' },
};

const UPDATE = {
  documents: DOCUMENTS,
  intent: {
    problem: 'What is new about the congestion charge?',
    background: { digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' },
  },
};

const OF_EXPERIMENT = {
  documents: DOCUMENTS,
  intent: 'What did the congestion charge change?',
  experiment: { key: 'shorter-digests', subject: 'user-123' },
};

/** One example of each kind. */
export const DIGEST_REQUESTS = {
  documents: { summary: 'Documents', value: WITH_DOCUMENTS },
  texts: { summary: 'Plain texts', value: { ...WITH_DOCUMENTS, documents: DOCUMENTS.map(({ text }) => text) } },
  collection: { summary: 'A stored collection, with a webhook', value: OF_COLLECTION },
  reportRequest: { summary: 'A question with its reader and background', value: REPORT_REQUEST },
  update: { summary: 'What is new since an earlier digest', value: UPDATE },
  experiment: { summary: 'A subject of an experiment', value: OF_EXPERIMENT },
};
