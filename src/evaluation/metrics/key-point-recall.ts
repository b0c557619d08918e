import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import type { Engine } from '../../digest/index.ts';
import { atomicStatements } from '../../text/index.ts';
import { checkNotBlank, InvalidEvaluationError } from '../errors.ts';
import type { EntailmentTask, EntailmentVerdict, Judge } from '../judge.ts';
import { citedNames, stripMarkers } from '../marked-text.ts';
import { harmonicMean, type Metric, needed, share, textOf } from '../metric.ts';
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

const keyPointRecallOrder = z
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
type KeyPointRecallOrder = TypeOf<typeof keyPointRecallOrder>;

export interface KeyPointRecallRequest extends Omit<KeyPointRecallOrder, 'answer' | 'digest'> {
  readonly answer: string;
}

const keyPointRecallAnswer = z
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
type KeyPointRecallEvaluation = TypeOf<typeof keyPointRecallAnswer>;
type KeyPointRecallAnswer = Scores<KeyPointRecallEvaluation>;
type EntailmentAnswer = KeyPointRecallEvaluation['keyPoints'][number];

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

const KEY_POINT_RECALL_EXAMPLES = {
  requests: { keyPointRecall: { summary: 'Recall of key points, and precision', value: REQUEST } },
  answers: { keyPointRecall: { summary: 'Recall of key points, and precision', value: ANSWER } },
};

export const keyPointRecall = {
  name: 'key-point-recall',
  title: 'Key point recall',
  measures:
    'The share of reference points that an answer entails, and of its own points that the documents hold (Long2RAG, Qi et al. 2024)',
  order: keyPointRecallOrder,
  answer: keyPointRecallAnswer,
  examples: KEY_POINT_RECALL_EXAMPLES,
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
  score: async (request, judge, engine) => ({
    metric: 'key-point-recall',
    ...(await scoreAnswer(request, judge, engine)),
  }),
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
} satisfies Metric<KeyPointRecallOrder, KeyPointRecallRequest, KeyPointRecallEvaluation>;

const NOT_ENTAILED: EntailmentVerdict = { holds: false, score: 0, evidence: null };

/**
 * Scores an answer by key points (Long2RAG, Qi et al. 2024): recall is the share of reference points that the answer
 * entails, precision the share of its own points that the documents entail; own points are extracted by the judge, or
 * else its clauses. Markers are stripped for judging and kept in evidence. Duplicate reference points count twice.
 * Precision is null for an answer without key points; F1 is 0 if nothing is recalled, so that an empty answer does not
 * escape its mean.
 * @throws InvalidEvaluationError without reference points, or for one that is blank
 */
export async function scoreAnswer(
  request: KeyPointRecallRequest,
  judge: Judge,
  engine: Pick<Engine, 'extract'>,
): Promise<KeyPointRecallAnswer> {
  checkKeyPoints(request);
  const answer = stripMarkers(request.answer, citedNames(request.answer));
  const isBlank = answer.text.trim() === '';
  const hasDocuments = (request.documents?.length ?? 0) > 0;
  // Extract no points without documents to check them against.
  const own = isBlank ? [] : await pointsOf(answer.text, hasDocuments ? judge : {}, engine);
  const documents = (request.documents ?? []).filter((text) => text.trim() !== '');

  const verdicts = await judged(judge, [
    ...request.keyPoints.map((claim) => ({ claim, texts: isBlank ? [] : [answer.text] })),
    ...own.map((claim) => ({ claim, texts: documents })),
  ]);
  const keyPoints = verdicts
    .slice(0, request.keyPoints.length)
    .map((verdict) => entailmentAnswer(verdict, answer.restore));
  const answerKeyPoints = verdicts.slice(request.keyPoints.length).map(({ holds, evidence }, place) => ({
    text: own[place] ?? '',
    present: hasDocuments ? holds : null,
    evidence,
  }));
  const recall = share(keyPoints.map(({ entailed }) => entailed)) ?? 0;
  const precision = hasDocuments ? share(answerKeyPoints.map(({ present }) => present === true)) : null;
  const f1 = hasDocuments && recall === 0 ? 0 : harmonicMean(recall, precision);
  return { recall, precision, f1, keyPoints, answerKeyPoints };
}

async function pointsOf(
  answer: string,
  judge: Pick<Judge, 'keyPoints'>,
  engine: Pick<Engine, 'extract'>,
): Promise<string[]> {
  if (judge.keyPoints !== undefined) return judge.keyPoints(answer);
  const { keyPoints } = await engine.extract(answer);
  return keyPoints.flatMap(({ text }) => atomicStatements(text));
}

async function judged(judge: Judge, tasks: readonly EntailmentTask[]): Promise<EntailmentVerdict[]> {
  const asked = tasks.filter(({ texts }) => texts.length > 0);
  const verdicts = asked.length === 0 ? [] : await judge.entailment(asked);
  const byTask = new Map(asked.map((task, place) => [task, verdicts[place]]));
  return tasks.map((task) => byTask.get(task) ?? NOT_ENTAILED);
}

function entailmentAnswer(
  { holds, score, evidence }: EntailmentVerdict,
  restore: (piece: string) => string,
): EntailmentAnswer {
  return { entailed: holds, score, evidence: evidence === null ? null : restore(evidence) };
}

/** @throws InvalidEvaluationError without reference points, or for one that is blank */
function checkKeyPoints({ keyPoints }: KeyPointRecallRequest): void {
  if (keyPoints.length === 0) throw new InvalidEvaluationError('/keyPoints', 'has no key point to look for');
  checkNotBlank(keyPoints, (place) => `/keyPoints/${place}`);
}
