import { z } from '@hono/zod-openapi';
import { OWN_REQUESTS, STRATEGY_NAMES, strategies } from '../selection/index.ts';
import { findLoneSurrogate } from '../text/index.ts';
import { EXTRACTORS, PRESETS, WRITERS } from './digest-request.ts';
import { WITH_DOCUMENTS } from './examples/digest-requests.ts';
import { FORMATS } from './summary.ts';

/** Limits of one request; a service may set lower ones for the body. */
export const LIMITS = { documents: 2000, documentCharacters: 2_000_000, intentCharacters: 10_000, keyPoints: 1000 };

export const text = (most: number) =>
  z
    .string()
    .max(most)
    .superRefine((value, context) => {
      const offset = findLoneSurrogate(value);
      if (offset === undefined) return;
      const message = `holds half of a surrogate pair at offset ${offset}, which could not be given back`;
      context.addIssue({ code: 'custom', message });
    });

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).openapi({ example: '2026-01-31' });

export const documentSchema = z
  .strictObject({
    id: text(200).min(1).openapi({ example: 'd1' }),
    title: text(1000).optional(),
    url: z.url().max(2000).optional(),
    publishedAt: date.optional(),
    weight: z
      .number()
      .positive()
      .max(1e6)
      .optional()
      .openapi({ description: 'Reliability, a factor of quality; default 1.' }),
    text: text(LIMITS.documentCharacters),
  })
  .openapi('Document');

const documentsSchema = z
  .array(documentSchema)
  .min(1)
  .max(LIMITS.documents)
  .superRefine((documents, context) => {
    const seen = new Set<string>();
    documents.forEach(({ id }, index) => {
      if (seen.has(id)) {
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'names a document that came before it' });
      }
      seen.add(id);
    });
  });

export const intentText = text(LIMITS.intentCharacters).openapi({ example: 'What do they say about taxes?' });

const reportRequestSchema = z
  .strictObject({
    problem: intentText.min(1).openapi({
      description:
        'What is asked: this alone is searched. What it says in English of the text that is wanted ("At most 100 words.", "as a list", "Only documents published after 2026-01-31.", "Reports should be terse.") is no part of the question: length, bullets and dates are kept where no option of the request says otherwise, the rest is told to a language model that writes.',
      example: 'What do they say about taxes?',
    }),
    userStory: text(LIMITS.intentCharacters).optional().openapi({
      description:
        'Who asks, and what for. It is not searched: a language model that writes is told, and what it says of length, bullets and dates is kept.',
      example: 'I advise a council that plans a charge of its own.',
    }),
    background: z
      .union([text(100_000), z.strictObject({ digest: text(100).min(1) })])
      .optional()
      .openapi({
        description:
          'What the reader knows already: in words, or `{"digest": "dig_…"}` to ask what is new since an earlier digest.',
        example: 'The council approved the charge in March.',
      }),
    publishedAfter: date.optional(),
    publishedBefore: date.optional(),
  })
  .openapi('ReportRequest');

const size = z.union([
  z.strictObject({ keyPoints: z.int().min(1).max(LIMITS.keyPoints) }),
  z.strictObject({ words: z.int().min(1).max(100_000) }),
  z.literal('auto'),
]);

const STRATEGIES = STRATEGY_NAMES.map((name) => {
  const { objective, sizes, source } = strategies[name];
  return `- \`${name}\` (size: ${sizes.join(', ')}): ${objective} ${source}.`;
}).join('\n');

const weight = z.number().min(0).max(1e6);
const similarityThreshold = z.number().min(-4).max(4);

export const selectionSchema = z
  .strictObject({
    preset: z.enum(PRESETS).optional().openapi({
      description:
        '`published`: the selection of the paper, to the letter; explicit fields win. Where low relevance makes its draw small, `warnings` says so.',
    }),
    strategy: z.enum(STRATEGY_NAMES).optional().openapi({ description: STRATEGIES }),
    size: size.optional().openapi({
      description:
        '`auto`, the default of digests: the points that are likely enough to help, at most 12 (3 in a brief) and what `maxWords` holds, possibly none; without an intent as many as those bounds allow; for `k-dpp` the expected size. A number is filled from the points past the gate. By default `/v1/selections` takes 12 key points.',
    }),
    seed: z.int().min(0).optional().openapi({ description: 'For strategies that sample; the others ignore it.' }),
    kernel: z
      .strictObject({
        similarity: z.enum(['bertscore', 'cosine']).optional(),
        form: z.enum(['gaussian', 'linear']).optional(),
        sigma: z.union([z.number().min(1e-3).max(1e6), z.literal('median')]).optional(),
        idf: z.number().min(0).max(10).optional(),
      })
      .optional(),
    relevance: z
      .strictObject({
        form: z.enum(['exponential', 'score']).optional(),
        weight: z.number().min(0).max(0.99).optional(),
        gate: z.number().min(0).max(1).nullable().optional(),
        surroundings: z.number().min(0).max(1).optional(),
        facets: z
          .union([z.boolean(), z.literal('llm')])
          .optional()
          .openapi({ description: 'Whether an intent of several parts is parted: by rules, or by a language model.' }),
        estimate: z.boolean().optional().openapi({
          description:
            'Whether relevance is the estimated probability that a point helps to answer, the default; false: the plain cosine of the vectors.',
        }),
        encoder: text(200).nullable().optional().openapi({
          description:
            'What finds relevance: an encoder or reranker of this service, by default the encoder of the kernel; or `llm`: a language model grades the hundred points that come nearest by that encoder (digests only).',
        }),
      })
      .optional(),
    salience: z.strictObject({ weight: weight.optional(), threshold: similarityThreshold.optional() }).optional(),
    sources: z.strictObject({ weight: weight.optional() }).optional().openapi({
      description:
        'How much more the next source is worth than the next point of the same one (sum over documents of a square root); by default 10 in digests, 0 in `/v1/selections`.',
    }),
    coverage: z
      .strictObject({
        weight: weight.optional(),
        threshold: z
          .union([similarityThreshold, z.strictObject({ percentile: z.number().min(0).max(100) })])
          .optional(),
      })
      .optional(),
    support: z.strictObject({ threshold: similarityThreshold.nullable().optional() }).optional(),
    background: z.strictObject({ weight: weight.optional() }).optional(),
    ...OWN_REQUESTS,
    refine: z.boolean().optional(),
  })
  .openapi('SelectionOptions');

/** How a stage asks its language model. */
export const stage = z.strictObject({
  model: text(200).min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  seed: z.int().min(0).optional(),
  prompt: text(100).min(1).optional().openapi({ description: 'Id of a prompt of this service for the stage.' }),
});

const extraction = z.strictObject({
  rounds: z.int().min(1).max(10).optional(),
  conditioned: z.boolean().optional().openapi({
    description: 'Extract only what helps to answer the intent; such extractions serve that intent alone.',
  }),
});

/** What any request may say of a language model that extracts. */
const extractionFields = {
  extractor: z.enum(EXTRACTORS).optional(),
  model: text(200).min(1).optional().openapi({ description: 'Language model of all stages that name none.' }),
  stages: z
    .strictObject({
      extract: stage.optional(),
      select: stage.optional(),
      write: stage.optional(),
      judge: stage.optional(),
    })
    .optional(),
  extraction: extraction.optional(),
};

/** How a digest is made: options of a request, and of the variants of an experiment. */
export const digestOptions = {
  selection: selectionSchema.optional(),
  summary: z
    .strictObject({
      format: z.enum(FORMATS).optional().openapi({
        description:
          '`report`, the default: running text, in which a language model may set lists. `bullets`: a list, one line to a key point where no language model writes. `brief`: one paragraph of three sentences at most, besides those that say what is not answered.',
      }),
      maxWords: z.int().min(1).max(100_000).nullable().optional().openapi({
        description:
          'Words of the summary at most; null for no bound. By default 250, 120 for a brief, and none for bullets that no language model writes and for the preset `published`. Where no key point is so short the shortest is told, and `warnings` say so.',
      }),
    })
    .optional(),
  engine: z
    .strictObject({
      ...extractionFields,
      encoder: text(200).optional(),
      writer: z.enum(WRITERS).optional(),
      verify: text(200).min(1).optional().openapi({
        description:
          "Who holds what a language model worded against the quotes: `llm` (a language model as judge, the default), `rules` (no call: only the quotes' own wording stands), `off` (it stands, and the answer says so), or an entailment model of the service by its name.",
      }),
    })
    .optional(),
};

export const digestRequestSchema = z
  .strictObject({
    documents: documentsSchema.optional(),
    collection: text(100)
      .min(1)
      .optional()
      .openapi({ description: 'A stored collection, in the place of `documents`.' }),
    intent: z.union([intentText, reportRequestSchema]).optional(),
    callbackUrl: text(2000).optional().openapi({
      description: 'Where a signed webhook goes when the digest has ended: http or https, to a public address.',
    }),
    ...digestOptions,
    engine: z
      .preprocess((given) => (given === 'llm' ? { extractor: 'llm', writer: 'llm' } : given), digestOptions.engine)
      .openapi({
        description: 'What does the work. The word "llm" in its place: a language model extracts, writes and judges.',
      }),
    experiment: z
      .strictObject({ key: text(100).min(1), subject: text(200).min(1) })
      .optional()
      .openapi({
        description:
          'Makes the digest by the options of the variant that an experiment assigns the subject to, and notes that it saw them. Options of the request itself go before; where it sets what variants set, its subject is outside the analysis.',
        example: { key: 'shorter-digests', subject: 'user-123' },
      }),
  })
  .superRefine(({ documents, collection }, context) => {
    if (documents === undefined && collection === undefined) {
      context.addIssue({ code: 'custom', path: ['documents'], message: 'is needed, or a collection' });
    }
    if (documents !== undefined && collection !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['collection'],
        message: 'comes in the place of documents, not beside them',
      });
    }
  })
  .superRefine(({ intent, engine }, context) => {
    if (engine?.extraction?.conditioned !== true || hasQuestion(intent)) return;
    const message = 'needs an intent: only what helps to answer it is extracted';
    context.addIssue({ code: 'custom', path: ['engine', 'extraction', 'conditioned'], message });
  })
  .openapi('DigestRequest', { example: WITH_DOCUMENTS });

function hasQuestion(intent: z.infer<typeof reportRequestSchema> | string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(typeof intent === 'string' ? intent : (intent?.problem ?? ''));
}

export const keyPointsRequestSchema = z
  .strictObject({
    documents: documentsSchema,
    engine: z
      .strictObject({ ...extractionFields, extraction: extraction.omit({ conditioned: true }).optional() })
      .optional(),
  })
  .openapi('KeyPointsRequest', {
    example: { documents: [{ id: 'council', text: 'The charge raised 40 million euros, which paid for new trams.' }] },
  });
