import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import {
  digest,
  documentIds,
  evidence,
  id,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  nugget,
  percent,
  place,
  reportRequestText,
  type Scores,
  sources,
  statement,
  whole,
} from '../shapes.ts';

const report = z.strictObject({
  sentences: z.array(z.strictObject({ text: statement, citations: documentIds })).max(MAX.items),
});
export type ReportSentence = TypeOf<typeof report>['sentences'][number];

const document = z.strictObject({ id, text: text(LIMITS.documentCharacters) });

/** A report with documents, or a digest. A report is a list of cited sentences, or one text with markers. */
export const argueOrder = z
  .strictObject({
    metric: z.literal('argue'),
    request: reportRequestText
      .optional()
      .openapi({ description: 'What the report was asked for; what it says of that needs no citation.' }),
    report: z
      .union([report, whole])
      .optional()
      .openapi({ description: 'Sentences with the ids that they cite, or one text with markers, which is split.' }),
    sources,
    digest,
    nuggets: z.array(nugget).max(MAX.items),
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
    ...judgeFields,
  })
  .openapi('ArgueRequest');
export type ArgueOrder = TypeOf<typeof argueOrder>;

export interface ArgueRequest extends Omit<ArgueOrder, 'report' | 'documents' | 'sources' | 'digest'> {
  readonly report: TypeOf<typeof report>;
  readonly documents: readonly TypeOf<typeof document>[];
}

/** Outcomes of a sentence, from 1 (Mayfield et al. 2024, section 4). */
const OUTCOME_TEXTS = [
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
  .openapi({ description: OUTCOME_TEXTS.map((what, index) => `${index + 1}. ${what}`).join('\n') });
export type SentenceOutcome = z.output<typeof outcome>;

export const argueAnswer = z
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
export type ArgueEvaluation = TypeOf<typeof argueAnswer>;
export type ArgueAnswer = Scores<ArgueEvaluation>;
export type ArgueSentenceAnswer = ArgueEvaluation['sentences'][number];

const REQUEST: ArgueOrder = {
  metric: 'argue',
  request: { problem: 'What did the congestion charge change?', background: 'The charge began two years ago.' },
  report: {
    sentences: [
      { text: 'Traffic in the centre fell by 18 percent.', citations: ['council'] },
      { text: 'Shops lost a third of their customers.', citations: ['council'] },
    ],
  },
  nuggets: [
    {
      id: 'traffic',
      question: 'How did traffic change?',
      answers: [{ text: 'Traffic in the centre fell by 18 percent.', documents: ['council'] }],
    },
    { id: 'health', question: 'Did the health of residents change?', importance: 'okay' },
  ],
  documents: [{ id: 'council', text: 'Traffic in the centre fell by 18 percent. The charge raised 40 million euros.' }],
};

const ANSWER: ArgueEvaluation = {
  metric: 'argue',
  precision: 50,
  recall: 66.6667,
  vitalRecall: 100,
  f1: 57.1429,
  citationSupport: 50,
  sentences: [
    {
      text: 'Traffic in the centre fell by 18 percent.',
      outcome: 3,
      nuggets: ['traffic'],
      citations: [{ document: 'council', supported: true, evidence: null }],
    },
    {
      text: 'Shops lost a third of their customers.',
      outcome: 1,
      nuggets: [],
      citations: [{ document: 'council', supported: false, evidence: null }],
    },
  ],
  nuggets: [
    { id: 'traffic', reported: true, sentences: [0] },
    { id: 'health', reported: false, sentences: [] },
  ],
  ...JUDGED_EXAMPLE,
};

const MARKED_TEXT: ArgueOrder = {
  ...REQUEST,
  report: 'Traffic in the centre fell by 18 percent [1]. Shops lost a third of their customers [council].',
  sources: ['council'],
};

export const ARGUE_EXAMPLES = {
  requests: {
    argue: { summary: 'A report, sentence by sentence', value: REQUEST },
    markedText: { summary: 'A report as one text with markers', value: MARKED_TEXT },
  },
  answers: { argue: { summary: 'A report, sentence by sentence', value: ANSWER } },
};
