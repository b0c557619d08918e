import { z } from '@hono/zod-openapi';
import { JUDGES } from './evaluation-request.ts';
import { callUsageSchema, stageRecordSchema } from './model-stages.ts';

const percent = z.number().min(0).max(100);
const score = z.number().min(0).max(1);
const place = z.int().min(0);
const evidence = z
  .string()
  .nullable()
  .openapi({ description: 'What of the text decides, as it stands there; null where nothing does.' });

/** What judged, and what it took. */
const judgedFields = {
  judge: z.object({
    name: z.enum(JUDGES),
    encoder: z.string().nullable(),
    version: z.string().openapi({ description: 'Of its rules and thresholds.' }),
    model: stageRecordSchema.nullable(),
    prompts: z.record(z.string(), z.string()).openapi({ description: 'Hashes of the prompts used, by id.' }),
  }),
  usage: callUsageSchema.extend({ reusedVerdicts: z.int() }),
  warnings: z.array(z.string()),
};

const summHay = z
  .object({
    metric: z.literal('summhay'),
    coverage: percent,
    citation: percent
      .nullable()
      .openapi({ description: 'Mean F1 of the covered insights; null where no insight has documents.' }),
    joint: percent.nullable().openapi({ description: 'Mean of coverage times F1 over the insights with documents.' }),
    insights: z.array(
      z.object({
        id: z.string(),
        coverage: z.union([z.literal(0), z.literal(50), z.literal(100)]),
        score,
        bullet: place.nullable().openapi({ description: 'Place of the best match; null without bullets.' }),
        precision: percent.nullable(),
        recall: percent.nullable(),
        f1: percent.nullable(),
      }),
    ),
    bullets: place,
    wordsPerBullet: z.number().min(0).nullable(),
    bulletTexts: z.array(z.string()).openapi({ description: 'The bullets as they were judged, without markers.' }),
    ...judgedFields,
  })
  .openapi('SummHayEvaluation');

const keyPointRecall = z
  .object({
    metric: z.literal('key-point-recall'),
    recall: percent,
    precision: percent.nullable().openapi({ description: 'Null without documents.' }),
    f1: percent.nullable(),
    keyPoints: z.array(z.object({ entailed: z.boolean(), score, evidence })),
    answerKeyPoints: z.array(z.object({ text: z.string(), present: z.boolean().nullable(), evidence })),
    ...judgedFields,
  })
  .openapi('KeyPointRecallEvaluation');

const OUTCOMES = [
  'a cited document does not support it: penalised',
  'supported, of no nugget whose answer its documents attest: left out',
  'supported, reports a nugget, and a document that attests the answer is cited: rewarded',
  'needs no citation: left out',
  'needs one, and no earlier or cited sentence states it: penalised',
  'needs one, but an earlier or a cited sentence states it: left out',
  'says that something is not known, which no nugget says: penalised',
  'says so, and a nugget does: rewarded',
];

const outcome = z
  .union([
    z.literal(1),
    z.literal(2),
    z.literal(3),
    z.literal(4),
    z.literal(5),
    z.literal(6),
    z.literal(7),
    z.literal(8),
  ])
  .openapi({ description: OUTCOMES.map((what, index) => `${index + 1}. ${what}`).join('\n') });

const argue = z
  .object({
    metric: z.literal('argue'),
    precision: percent
      .nullable()
      .openapi({ description: 'Rewarded sentences of those not left out; null where all are.' }),
    recall: percent.nullable().openapi({ description: 'Nuggets reported, by weight; null without nuggets.' }),
    vitalRecall: percent.nullable().openapi({ description: 'The same of the vital nuggets; null without such.' }),
    f1: percent.nullable(),
    citationSupport: percent.nullable(),
    sentences: z.array(
      z.object({
        text: z.string().openapi({ description: 'As it was judged, without markers.' }),
        outcome,
        nuggets: z
          .array(z.string())
          .openapi({ description: 'Those that it reports, whether or not what it cites attests the answer.' }),
        citations: z.array(
          z.object({
            document: z.string(),
            supported: z.boolean(),
            evidence: evidence.openapi({
              description:
                'What of the document decides; null where nothing does, or where the answer that is reported names the document.',
            }),
          }),
        ),
      }),
    ),
    nuggets: z.array(
      z.object({
        id: z.string(),
        reported: z.boolean(),
        sentences: z.array(place).openapi({ description: 'Those that earn it.' }),
      }),
    ),
    ...judgedFields,
  })
  .openapi('ArgueEvaluation');

const sourceCoverage = z
  .object({
    metric: z.literal('source-coverage'),
    coverage: percent,
    relevantCoverage: percent
      .nullable()
      .openapi({ description: 'Over the questions relevant to the intent; null without it, or such questions.' }),
    questions: z.array(
      z.object({
        answerable: z.boolean(),
        matches: z.boolean(),
        covered: z.boolean().openapi({ description: 'Both.' }),
        relevant: z.boolean().nullable(),
        evidence,
      }),
    ),
    documents: z.array(
      z.object({
        id: z.string(),
        position: place,
        coverage: percent.nullable().openapi({ description: 'Null for a document without questions.' }),
      }),
    ),
    ...judgedFields,
  })
  .openapi('SourceCoverageEvaluation');

export const evaluationAnswerSchema = z.discriminatedUnion('metric', [summHay, keyPointRecall, argue, sourceCoverage]);
