import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import * as shape from '../shapes.ts';

const report = z.strictObject({
  sentences: z.array(z.strictObject({ text: shape.statement, citations: shape.documentIds })).max(shape.MAX.items),
});
export type ReportSentence = TypeOf<typeof report>['sentences'][number];

const document = z.strictObject({ id: shape.id, text: text(LIMITS.documentCharacters) });

/** A report with documents, or a digest. A report is a list of cited sentences, or one text with markers. */
export const argueOrder = z
  .strictObject({
    metric: z.literal('argue'),
    request: shape.reportRequestText
      .optional()
      .openapi({ description: 'What the report was asked for; what it says of that needs no citation.' }),
    report: z
      .union([report, shape.whole])
      .optional()
      .openapi({ description: 'Sentences with the ids that they cite, or one text with markers, which is split.' }),
    sources: shape.sources,
    digest: shape.digest,
    nuggets: z.array(shape.nugget).max(shape.MAX.items),
    documents: z
      .array(document)
      .max(LIMITS.documents)
      .optional()
      .openapi({ description: 'Documents that may be cited; by default those of the digest.' }),
    options: z
      .strictObject({
        average: z.enum(['micro', 'macro']).optional(),
        citations: z.enum(['all', 'one']).optional(),
        weights: z.boolean().optional(),
      })
      .optional(),
    ...shape.judgeFields,
  })
  .openapi('ArgueRequest');
export type ArgueOrder = TypeOf<typeof argueOrder>;

export interface ArgueRequest extends Omit<ArgueOrder, 'report' | 'documents' | 'sources' | 'digest'> {
  readonly report: TypeOf<typeof report>;
  readonly documents: readonly TypeOf<typeof document>[];
}

/** Outcomes of a sentence (Mayfield et al. 2024, section 4). */
const outcome = shape.oneOf(1, 2, 3, 4, 5, 6, 7, 8).openapi({
  description: `1. a cited document does not support it: penalised
2. supported, of no nugget whose answer its documents attest: left out
3. supported, reports a nugget, and a document that attests the answer is cited: rewarded
4. needs no citation: left out
5. needs one, and no earlier or cited sentence states it: penalised
6. needs one, but an earlier or a cited sentence states it: left out
7. says that something is not known, which no nugget says: penalised
8. says so, and a nugget does: rewarded`,
});
export type SentenceOutcome = z.output<typeof outcome>;

export const argueAnswer = z
  .object({
    metric: z.literal('argue'),
    precision: shape.percent
      .nullable()
      .openapi({ description: 'Rewarded sentences of those not left out; null where all are.' }),
    recall: shape.percent.nullable().openapi({ description: 'Nuggets reported, by weight; null without nuggets.' }),
    vitalRecall: shape.percent.nullable().openapi({ description: 'The same of the vital nuggets; null without such.' }),
    f1: shape.percent.nullable(),
    citationSupport: shape.percent.nullable(),
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
            evidence: shape.evidence.openapi({
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
        sentences: z.array(shape.place).openapi({ description: 'Those that earn it.' }),
      }),
    ),
    ...shape.judgedFields,
  })
  .openapi('ArgueEvaluation');
export type ArgueEvaluation = TypeOf<typeof argueAnswer>;
export type ArgueAnswer = shape.Unjudged<ArgueEvaluation>;
