import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import { type Judge, NOT_ENTAILED } from '../judge.ts';
import { citedNames, stripMarkers } from '../marked-text.ts';
import {
  checkEach,
  harmonicMean,
  InvalidEvaluationError,
  isBlank,
  type Metric,
  needed,
  share,
  textOf,
} from '../metric.ts';
import * as shape from '../shapes.ts';

const order = z
  .strictObject({
    metric: z.literal('key-point-recall'),
    answer: shape.whole.optional(),
    digest: shape.digest,
    keyPoints: z.array(shape.statement).min(1).max(shape.MAX.items),
    documents: z
      .array(text(LIMITS.documentCharacters))
      .min(1)
      .max(LIMITS.documents)
      .optional()
      .openapi({ description: 'Texts that the answer should rest on; by default those of the digest.' }),
    ...shape.judgeFields,
  })
  .openapi('KeyPointRecallRequest');
type Order = TypeOf<typeof order>;

export interface KeyPointRecallRequest extends Omit<Order, 'answer' | 'digest'> {
  readonly answer: string;
}

const answer = z
  .object({
    metric: z.literal('key-point-recall'),
    recall: shape.percent,
    precision: shape.percent.nullable().openapi({ description: 'Null without documents.' }),
    f1: shape.percent.nullable(),
    keyPoints: z.array(z.object({ entailed: z.boolean(), score: shape.score, evidence: shape.evidence })),
    answerKeyPoints: z.array(z.object({ text: z.string(), present: z.boolean().nullable(), evidence: shape.evidence })),
    ...shape.judgedFields,
  })
  .openapi('KeyPointRecallEvaluation');
type Evaluation = TypeOf<typeof answer>;

const ORDER: Order = {
  metric: 'key-point-recall',
  answer: shape.FACT,
  keyPoints: [shape.FACT, 'The charge raised 40 million euros.'],
  documents: [`${shape.FACT} The charge raised 40 million euros.`],
  judge: 'llm',
};

const ANSWER: Evaluation = {
  metric: 'key-point-recall',
  recall: 50,
  precision: 100,
  f1: 66.6667,
  keyPoints: [
    { entailed: true, score: 0.9985, evidence: shape.FACT },
    { entailed: false, score: 0.0138, evidence: null },
  ],
  answerKeyPoints: [{ text: shape.FACT, present: true, evidence: shape.FACT }],
  ...shape.JUDGED_BY_MODEL,
};

const summary = 'Recall of key points, and precision';

export const keyPointRecall = {
  name: 'key-point-recall',
  title: 'Key point recall',
  measures:
    'The share of reference points that an answer entails, and of its own points that the documents hold (Long2RAG, Qi et al. 2024)',
  order,
  answer,
  examples: {
    requests: { keyPointRecall: { summary, value: ORDER } },
    answers: { keyPointRecall: { summary, value: ANSWER } },
  },
  embedded: { kappa: 0.11, items: 300 },
  text: 'answer',
  prefix: 'keyPoints',
  figures: [
    { name: 'recall', title: 'KPR' },
    { name: 'precision', title: 'KPP' },
    { name: 'f1', title: 'KPF' },
  ],
  documents: ({ documents = [] }) => documents.map((text, index) => ({ text, pointer: `/documents/${index}` })),
  async resolve({ digest: _, answer, documents, ...rest }, digest): Promise<KeyPointRecallRequest> {
    return {
      ...rest,
      answer: answer ?? needed(digest && textOf(digest), '/answer'),
      documents: documents ?? (await digest?.texts())?.map(({ text }) => text),
    };
  },
  check: checkKeyPoints,
  score: scoreAnswer,
  said: ({ answer }) => [stripMarkers(answer, citedNames(answer)).text],
  requestOf({ keyPoints = [], documents, ...known }) {
    if (keyPoints.length === 0) return null;
    return {
      metric: 'key-point-recall',
      answer: textOf(known),
      keyPoints: keyPoints.map(({ text }) => text),
      documents: documents.map(({ text }) => text),
    };
  },
} satisfies Metric<Order, KeyPointRecallRequest, Evaluation>;

/**
 * Scores an answer by key points (Long2RAG, Qi et al. 2024): recall is the share of reference points that the answer
 * entails, precision the share of its own points, extracted by the judge, that the documents entail. Markers are stripped for judging and kept in evidence. Duplicate reference points count twice.
 * Precision is null for an answer without key points; F1 is 0 if nothing is recalled, so that an empty answer does not
 * escape its mean.
 * @throws InvalidEvaluationError without reference points, or for one that is blank
 */
export async function scoreAnswer(request: KeyPointRecallRequest, judge: Judge): Promise<shape.Unjudged<Evaluation>> {
  checkKeyPoints(request);
  const { text, restore } = stripMarkers(request.answer, citedNames(request.answer));
  const isEmpty = text.trim() === '';
  const hasDocuments = (request.documents?.length ?? 0) > 0;
  const documents = (request.documents ?? []).filter((each) => each.trim() !== '');
  const own = isEmpty || !hasDocuments ? [] : await judge.keyPoints(text);

  const asked = (claims: readonly string[], texts: readonly string[]) =>
    texts.length === 0 ? [] : claims.map((claim) => ({ claim, texts }));
  const recalled = asked(request.keyPoints, isEmpty ? [] : [text]);
  const tasks = [...recalled, ...asked(own, documents)];
  const verdicts = tasks.length === 0 ? [] : await judge.entailment(tasks);
  const keyPoints = request.keyPoints.map((_, place) => {
    const { holds, score, evidence } = (place < recalled.length && verdicts[place]) || NOT_ENTAILED;
    return { entailed: holds, score, evidence: evidence === null ? null : restore(evidence) };
  });
  const answerKeyPoints = own.map((each, place) => {
    const { holds, evidence } = verdicts[recalled.length + place] ?? NOT_ENTAILED;
    return { text: each, present: hasDocuments ? holds : null, evidence };
  });
  const recall = share(keyPoints.map(({ entailed }) => entailed)) ?? 0;
  const precision = hasDocuments ? share(answerKeyPoints.map(({ present }) => present === true)) : null;
  const f1 = hasDocuments && recall === 0 ? 0 : harmonicMean(recall, precision);
  return { metric: 'key-point-recall', recall, precision, f1, keyPoints, answerKeyPoints };
}

function checkKeyPoints({ keyPoints }: KeyPointRecallRequest): void {
  if (keyPoints.length === 0) throw new InvalidEvaluationError('/keyPoints', 'has no key point to look for');
  checkEach(keyPoints, '/keyPoints/*', isBlank);
}
