import type { DigestOrder, ExperimentOrder } from '../digest-order.ts';

const DOCUMENTS = [
  {
    id: 'council',
    title: 'Council report',
    publishedAt: '2026-10-05',
    text: 'Traffic in the centre fell by 18 percent in the first year of the charge. The charge raised 40 million euros, which paid for new trams.',
  },
  {
    id: 'institute',
    title: 'Study of the transport institute',
    text: 'The institute finds that traffic in the centre fell by 18 percent after the charge was introduced. Air pollution near schools fell by 9 percent.',
  },
  {
    id: 'press',
    text: 'Shopkeepers feared empty streets before the congestion charge. Tomatoes need warm soil.',
  },
];

export const WITH_DOCUMENTS: DigestOrder = {
  intent: 'What did the congestion charge change?',
  documents: DOCUMENTS,
  selection: { size: { keyPoints: 3 } },
  summary: { format: 'report', maxWords: 200 },
};

const OF_COLLECTION: DigestOrder = {
  intent: 'What did the congestion charge change?',
  collection: 'col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92',
  callbackUrl: 'https://example.org/hooks/tessera',
};

const REPORT_REQUEST: DigestOrder = {
  documents: DOCUMENTS,
  intent: {
    problem: 'Did the congestion charge reach what it was made for?',
    userStory: 'I advise a council that plans a charge of its own.',
    background: 'The charge was introduced in September 2025.',
    publishedAfter: '2025-09-01',
    publishedBefore: '2026-12-31',
  },
  summary: { format: 'bullets' },
};

const UPDATE: DigestOrder = {
  documents: DOCUMENTS,
  intent: {
    problem: 'What is new about the congestion charge?',
    background: { digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' },
  },
};

const OF_EXPERIMENT: ExperimentOrder = {
  documents: DOCUMENTS,
  intent: 'What did the congestion charge change?',
  experiment: { key: 'shorter-digests', subject: 'user-123' },
};

/** Requests for a digest, one of each kind. */
export const DIGEST_REQUESTS = {
  documents: { summary: 'Of documents', value: WITH_DOCUMENTS },
  collection: { summary: 'Of a stored collection, with a webhook at the end', value: OF_COLLECTION },
  reportRequest: { summary: 'For a reader who says more than a question', value: REPORT_REQUEST },
  update: { summary: 'What is new since an earlier digest', value: UPDATE },
  experiment: { summary: 'For a subject of an experiment', value: OF_EXPERIMENT },
};
