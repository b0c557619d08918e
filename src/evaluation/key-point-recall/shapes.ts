import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import {
  digest,
  evidence,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  percent,
  type Scores,
  score,
  statement,
  whole,
} from '../shapes.ts';

/** Either an answer or a digest. */
export const keyPointRecallOrder = z
  .strictObject({
    metric: z.literal('key-point-recall'),
    answer: whole.optional(),
    digest,
    keyPoints: z.array(statement).min(1).max(MAX.items),
    documents: z
      .array(text(LIMITS.documentCharacters))
      .min(1)
      .max(LIMITS.documents)
      .optional()
      .openapi({ description: 'Texts that the answer should rest on; by default those of the digest.' }),
    ...judgeFields,
  })
  .openapi('KeyPointRecallRequest');
export type KeyPointRecallOrder = TypeOf<typeof keyPointRecallOrder>;

/** Key point recall (Qi et al. 2024), with what a digest says read; without documents precision is null. */
export interface KeyPointRecallRequest extends Omit<KeyPointRecallOrder, 'answer' | 'digest'> {
  readonly answer: string;
}

export const keyPointRecallAnswer = z
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
export type KeyPointRecallEvaluation = TypeOf<typeof keyPointRecallAnswer>;
export type KeyPointRecallAnswer = Scores<KeyPointRecallEvaluation>;
/** Whether a text entails a claim, and where. */
export type EntailmentAnswer = KeyPointRecallEvaluation['keyPoints'][number];

const REQUEST: KeyPointRecallOrder = {
  metric: 'key-point-recall',
  answer: 'Traffic in the centre fell by 18 percent in the first year. Deliveries arrive before seven in the morning.',
  keyPoints: ['Traffic in the centre fell by 18 percent.', 'The charge raised 40 million euros.'],
  documents: ['Traffic in the centre fell by 18 percent in the first year. The charge raised 40 million euros.'],
};

const ANSWER: KeyPointRecallEvaluation = {
  metric: 'key-point-recall',
  recall: 50,
  precision: 50,
  f1: 50,
  keyPoints: [
    { entailed: true, score: 0.9985, evidence: 'Traffic in the centre fell by 18 percent in the first year.' },
    { entailed: false, score: 0.0138, evidence: null },
  ],
  answerKeyPoints: [
    {
      text: 'Traffic in the centre fell by 18 percent in the first year.',
      present: true,
      evidence: 'Traffic in the centre fell by 18 percent in the first year.',
    },
    { text: 'Deliveries arrive before seven in the morning.', present: false, evidence: null },
  ],
  ...JUDGED_EXAMPLE,
};

export const KEY_POINT_RECALL_EXAMPLES = {
  requests: { keyPointRecall: { summary: 'Recall of key points, and precision', value: REQUEST } },
  answers: { keyPointRecall: { summary: 'Recall of key points, and precision', value: ANSWER } },
};
