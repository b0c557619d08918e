import type { ArgueOrder, KeyPointRecallOrder, SourceCoverageOrder, SummHayOrder } from '../evaluation-order.ts';

const SUMMHAY: SummHayOrder = {
  metric: 'summhay',
  bullets: ['Traffic in the centre fell by 18 percent. [council, press]', 'Shops lost some customers. [press]'],
  insights: [
    { id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council'] },
    { id: 'revenue', text: 'The charge raised 40 million euros.', documents: ['council'] },
  ],
  documents: ['council', 'press'],
};

const KEY_POINT_RECALL: KeyPointRecallOrder = {
  metric: 'key-point-recall',
  answer: 'Traffic in the centre fell by 18 percent in the first year. Deliveries arrive before seven in the morning.',
  keyPoints: ['Traffic in the centre fell by 18 percent.', 'The charge raised 40 million euros.'],
  documents: ['Traffic in the centre fell by 18 percent in the first year. The charge raised 40 million euros.'],
};

const ARGUE: ArgueOrder = {
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

const SOURCE_COVERAGE: SourceCoverageOrder = {
  metric: 'source-coverage',
  summary: 'Traffic in the centre fell by 18 percent. Deliveries arrive before seven in the morning.',
  documents: ['council', 'press'],
  questions: [
    {
      question: 'By how much did traffic in the centre fall?',
      answer: 'Traffic in the centre fell by 18 percent.',
      document: 'council',
    },
    {
      question: 'What did the shopkeepers fear?',
      answer: 'The shopkeepers feared empty streets.',
      document: 'press',
    },
  ],
  intent: 'How did traffic in the centre change?',
};

const MARKED_TEXT: ArgueOrder = {
  ...ARGUE,
  report: 'Traffic in the centre fell by 18 percent [1]. Shops lost a third of their customers [council].',
  sources: ['council'],
};

const STORED_DIGEST: SummHayOrder = {
  metric: 'summhay',
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  insights: [{ id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council', 'press'] }],
};

/** Requests to score, one by each measure, one of a text with markers, and one for a stored digest. */
export const EVALUATIONS_REQUESTS = {
  summhay: { summary: 'Coverage of insights, and citations', value: SUMMHAY },
  keyPointRecall: { summary: 'Recall of key points, and precision', value: KEY_POINT_RECALL },
  argue: { summary: 'A report, sentence by sentence', value: ARGUE },
  markedText: { summary: 'A report as one text with markers', value: MARKED_TEXT },
  sourceCoverage: { summary: 'What is covered of each document', value: SOURCE_COVERAGE },
  digest: { summary: 'A stored digest', value: STORED_DIGEST },
};
