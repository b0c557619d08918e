import { z } from '@hono/zod-openapi';
import { type TypeOf, text } from '../../contract/index.ts';
import {
  type CitedBullet,
  digest,
  documentIds,
  id,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  percent,
  place,
  type Scores,
  score,
  sources,
  statement,
  whole,
} from '../shapes.ts';

/** What a summary should tell. */
export const insight = z.strictObject({
  id,
  text: statement,
  documents: documentIds
    .optional()
    .openapi({ description: 'Documents that tell it; without them citations are not scored.' }),
});
export type Insight = TypeOf<typeof insight>;

/** Either bullets with their markers, one by one or as one text, or a digest. */
export const summHayOrder = z
  .strictObject({
    metric: z.literal('summhay'),
    bullets: z
      .union([z.array(text(MAX.itemCharacters)).max(MAX.items), whole])
      .optional()
      .openapi({
        description: 'With their markers: one by one, or as one text, a list or running text, which is split.',
      }),
    sources,
    digest,
    insights: z.array(insight).min(1).max(MAX.items),
    documents: documentIds.optional().openapi({ description: 'All documents there are.' }),
    ...judgeFields,
  })
  .openapi('SummHayRequest');
export type SummHayOrder = TypeOf<typeof summHayOrder>;

/** SummHay (Laban et al. 2024), with what a digest says read. */
export interface SummHayRequest extends Omit<SummHayOrder, 'bullets' | 'sources' | 'digest'> {
  /** Each with its markers, "… [1, 2][3]", or with what it cites beside it. */
  readonly bullets: readonly (string | CitedBullet)[];
}

const coverage = z.union([z.literal(0), z.literal(50), z.literal(100)]);
/** How far a bullet covers an insight, as SummHay counts it. */
export type CoverageLevel = z.output<typeof coverage>;

export const summHayAnswer = z
  .object({
    metric: z.literal('summhay'),
    coverage: percent,
    citation: percent
      .nullable()
      .openapi({ description: 'Mean F1 of the covered insights; null where no insight has documents.' }),
    citationPrecision: percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    citationRecall: percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    joint: percent.nullable().openapi({ description: 'Mean of coverage times F1 over the insights with documents.' }),
    insights: z.array(
      z.object({
        id: z.string(),
        coverage,
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
export type SummHayEvaluation = TypeOf<typeof summHayAnswer>;
export type SummHayAnswer = Scores<SummHayEvaluation>;
export type InsightAnswer = SummHayEvaluation['insights'][number];

const REQUEST: SummHayOrder = {
  metric: 'summhay',
  bullets: ['Traffic in the centre fell by 18 percent. [council, press]', 'Shops lost some customers. [press]'],
  insights: [
    { id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council'] },
    { id: 'revenue', text: 'The charge raised 40 million euros.', documents: ['council'] },
  ],
  documents: ['council', 'press'],
};

const ANSWER: SummHayEvaluation = {
  metric: 'summhay',
  coverage: 50,
  citation: 66.6667,
  citationPrecision: 50,
  citationRecall: 100,
  joint: 33.3333,
  insights: [
    { id: 'traffic', coverage: 100, score: 0.9987, bullet: 0, precision: 50, recall: 100, f1: 66.6667 },
    { id: 'revenue', coverage: 0, score: 0.0222, bullet: 1, precision: null, recall: null, f1: null },
  ],
  bullets: 2,
  wordsPerBullet: 6,
  bulletTexts: ['Traffic in the centre fell by 18 percent.', 'Shops lost some customers.'],
  ...JUDGED_EXAMPLE,
};

const STORED_DIGEST: SummHayOrder = {
  metric: 'summhay',
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  insights: [{ id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council', 'press'] }],
};

export const SUMMHAY_EXAMPLES = {
  requests: {
    summhay: { summary: 'Coverage of insights, and citations', value: REQUEST },
    digest: { summary: 'A stored digest', value: STORED_DIGEST },
  },
  answers: { summhay: { summary: 'Coverage of insights, and citations', value: ANSWER } },
};
