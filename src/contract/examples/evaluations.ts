import type { EvaluationAnswer } from '../evaluation-answer.ts';

const JUDGED: Pick<EvaluationAnswer, 'judge' | 'usage' | 'warnings'> = {
  judge: {
    name: 'embedded',
    encoder: 'transformers/all-MiniLM-L6-v2/q8/2',
    version: 'embedded/1',
    model: null,
    prompts: {},
  },
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0, reusedVerdicts: 0 },
  warnings: [],
};

const SUMMHAY: EvaluationAnswer = {
  metric: 'summhay',
  coverage: 50,
  citation: 66.6667,
  joint: 33.3333,
  insights: [
    { id: 'traffic', coverage: 100, score: 0.9987, bullet: 0, precision: 50, recall: 100, f1: 66.6667 },
    { id: 'revenue', coverage: 0, score: 0.0222, bullet: 1, precision: null, recall: null, f1: null },
  ],
  bullets: 2,
  wordsPerBullet: 6,
  bulletTexts: ['Traffic in the centre fell by 18 percent.', 'Shops lost some customers.'],
  ...JUDGED,
};

const KEY_POINT_RECALL: EvaluationAnswer = {
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
  ...JUDGED,
};

const ARGUE: EvaluationAnswer = {
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
  ...JUDGED,
};

const SOURCE_COVERAGE: EvaluationAnswer = {
  metric: 'source-coverage',
  coverage: 50,
  relevantCoverage: 50,
  questions: [
    {
      answerable: true,
      matches: true,
      covered: true,
      relevant: true,
      evidence: 'Traffic in the centre fell by 18 percent.',
    },
    { answerable: false, matches: false, covered: false, relevant: true, evidence: null },
  ],
  documents: [
    { id: 'council', position: 0, coverage: 100 },
    { id: 'press', position: 1, coverage: 0 },
  ],
  ...JUDGED,
};

/** What the service answered to the requests of the same names, with fewer decimals. */
export const EVALUATIONS = {
  summhay: { summary: 'Coverage of insights, and citations', value: SUMMHAY },
  keyPointRecall: { summary: 'Recall of key points, and precision', value: KEY_POINT_RECALL },
  argue: { summary: 'A report, sentence by sentence', value: ARGUE },
  sourceCoverage: { summary: 'What is covered of each document', value: SOURCE_COVERAGE },
};
