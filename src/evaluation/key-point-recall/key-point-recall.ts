import { needed } from '../evaluated-digest.ts';
import { badge, cell, type Explanation, number, rowHead, type Thresholds, wideCell, yesOrNo } from '../explanation.ts';
import { type Metric, textOf } from '../metric.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { checkKeyPoints } from './check-key-points.ts';
import { citedNames } from './cited-names.ts';
import { scoreAnswer } from './score-answer.ts';
import {
  KEY_POINT_RECALL_EXAMPLES,
  type KeyPointRecallEvaluation,
  type KeyPointRecallOrder,
  type KeyPointRecallRequest,
  keyPointRecallAnswer,
  keyPointRecallOrder,
} from './shapes.ts';

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
  explain,
} satisfies Metric<KeyPointRecallOrder, KeyPointRecallRequest, KeyPointRecallEvaluation>;

/** The key points that an answer should tell, and those that it tells. */
function explain(
  request: KeyPointRecallRequest,
  { keyPoints, answerKeyPoints }: KeyPointRecallEvaluation,
  thresholds: Thresholds | null,
): Explanation {
  const rows = keyPoints.map(({ entailed, score, evidence }, index) => [
    rowHead(request.keyPoints[index]),
    cell(yesOrNo(entailed)),
    wideCell({ quote: evidence }, { note: whyOf(entailed, score, thresholds) }),
  ]);
  const own = answerKeyPoints.map(({ text, present, evidence }) => [
    rowHead(text),
    cell(present === null ? badge('not known', '') : yesOrNo(present)),
    wideCell({ quote: evidence }),
  ]);
  return [
    { heading: 'Answer', text: request.answer },
    {
      caption: 'Key points that it should tell',
      heads: ['Key point', 'Told', 'Evidence in the answer'],
      rows,
    },
    ...(own.length === 0
      ? []
      : [
          {
            caption: 'Key points that it tells',
            heads: ['Key point', 'In the documents', 'Evidence there'],
            rows: own,
          },
        ]),
  ];
}

/** A score so near to the level says that something else decided. */
const NEAR = 1e-9;

function whyOf(entailed: boolean, score: number, thresholds: Thresholds | null): string {
  const has = `score ${number(score, 2)}`;
  if (entailed || thresholds === null) return has;
  const { holds } = thresholds;
  if (score > holds - NEAR) return 'missed: what comes near tells other numbers or names';
  return `missed: ${has}, told from ${number(holds, 2)}`;
}
