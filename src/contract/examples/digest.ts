import { OWN_DEFAULTS } from '../../selection/index.ts';
import type { Digest, DigestKeyPoint, PointQuote } from '../digest.ts';

const CHARGE = 'What did the congestion charge change?';
const MINILM = 'transformers/all-MiniLM-L6-v2/q8/2';

type Told = Pick<DigestKeyPoint, 'id' | 'document' | 'text'> & { readonly quote: PointQuote };

/** A sentence of a document that starts at an offset. */
function statement(id: string, document: string, text: string, start: number): Told {
  return { id, document, text, quote: { text, start, end: start + text.length, status: 'exact' } };
}

const FEARED = statement(
  'kp_5618ce0342c7cc86053369f4',
  'press',
  'Shopkeepers feared empty streets before the congestion charge.',
  0,
);
const FELL = statement(
  'kp_5ef8222b24e723b11de743eb',
  'institute',
  'The institute finds that traffic in the centre fell by 18 percent after the charge was introduced.',
  0,
);
const RAISED = statement(
  'kp_064b52ea0a861627d2aa553c',
  'council',
  'The charge raised 40 million euros, which paid for new trams.',
  74,
);
const AIR = statement('kp_e8d6a7b2a03f1fc2d1a459e9', 'institute', 'Air pollution near schools fell by 9 percent.', 99);
const SOIL = statement('kp_2282a1d9c8b294396d0c67c7', 'press', 'Tomatoes need warm soil.', 63);
const YEAR = statement(
  'kp_c3b76dd6b4fda0696bc8a33a',
  'council',
  'Traffic in the centre fell by 18 percent in the first year of the charge.',
  0,
);

function keyPoint(told: Told, relevance: number, outcome: Partial<DigestKeyPoint>): DigestKeyPoint {
  return {
    ...told,
    speaker: null,
    moreQuotes: [],
    verification: 'verbatim',
    relevance,
    probability: relevance,
    quality: 1,
    salience: 0,
    selected: false,
    rank: null,
    gain: null,
    supports: null,
    related: [],
    nearest: null,
    marginal: null,
    reason: null,
    ...outcome,
  };
}

function sentence({
  id,
  document,
  text,
  quote: { status: _, ...quote },
}: Told): Digest['summary']['sentences'][number] {
  return {
    text,
    framing: false,
    keyPoints: [id],
    citations: [{ document, quote }],
    support: 1,
    verification: 'verbatim',
    paragraph: 0,
  };
}

/** Options of a selection and facts about its kernel, as both examples answer them. */
export const SELECTED = {
  preset: 'default',
  seed: 1,
  relevance: {
    form: 'exponential',
    weight: 0.5,
    gate: null,
    surroundings: 0,
    facets: [],
    encoder: MINILM,
    estimate: true,
  },
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: null, idf: 2 },
  salience: { weight: 0, threshold: 0.15 },
  coverage: { weight: 0, threshold: null },
  sources: { weight: 0 },
  support: { threshold: 0.15, paraphrase: 0.9, unlike: 0.55, same: 0.55 },
  background: { weight: 1 },
  ...OWN_DEFAULTS,
  refine: false,
  expectedSize: null,
  clippedMass: null,
  residual: null,
  totalVariation: null,
  landmarks: null,
} as const;

/** The recorded answer to `WITH_DOCUMENTS`, with fewer decimals. */
export const DIGEST: Digest = {
  id: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  status: 'completed',
  summary: {
    text: [FEARED, FELL, RAISED].map(({ text }, index) => `${text} [${index + 1}]`).join(' '),
    sentences: [FEARED, FELL, RAISED].map(sentence),
  },
  sources: [
    { number: 1, document: 'press' },
    { number: 2, document: 'institute', title: 'Study of the transport institute' },
    { number: 3, document: 'council', title: 'Council report' },
  ],
  keyPoints: [
    keyPoint(FELL, 0.2522, {
      selected: true,
      rank: 1,
      gain: 109.5928,
      related: [YEAR.id],
      nearest: { id: RAISED.id, similarity: 0.2599 },
    }),
    keyPoint(AIR, 0.1214, { gain: 0.7511, nearest: { id: FELL.id, similarity: 0.329 }, reason: 'size' }),
    keyPoint(FEARED, 0.5006, {
      selected: true,
      rank: 2,
      gain: 17.29,
      nearest: { id: FELL.id, similarity: 0.2597 },
    }),
    keyPoint(SOIL, 0.0423, { salience: null, reason: 'gate' }),
    keyPoint(YEAR, 0.2496, { gain: 2.3093, nearest: { id: FELL.id, similarity: 0.6694 }, reason: 'size' }),
    keyPoint(RAISED, 0.2113, { selected: true, rank: 3, gain: 7.9525, nearest: { id: FELL.id, similarity: 0.2599 } }),
  ],
  intent: { answered: 'yes', facets: [{ text: CHARGE, answered: true }], nearest: [] },
  counts: { keyPoints: 6, documents: { ok: 3, failed: 0, empty: 0, excluded: 0 } },
  documents: ['institute', 'press', 'council'].map((id) => ({
    id,
    status: 'ok',
    excluded: null,
    keyPoints: 2,
    error: null,
  })),
  selection: {
    ...SELECTED,
    strategy: 'dpp-map',
    size: { keyPoints: 3 },
    kernel: { ...SELECTED.kernel, sigma: 0.7402 },
    relevance: { ...SELECTED.relevance, gate: 0.2, facets: [CHARGE] },
    coverage: { weight: 100, threshold: 0.0333 },
    sources: { weight: 10 },
    refine: true,
    objective: 134.8353,
    logDeterminant: 0.2769,
    proven: null,
    gap: null,
    stoppedBy: 'size',
    gate: { kept: 5, dropped: 1 },
  },
  engine: {
    extractor: 'sentences@9',
    encoder: MINILM,
    relevanceEncoder: MINILM,
    matrix: 'onnxruntime',
    writer: 'compose',
    verifier: null,
    models: {},
  },
  prompts: {},
  warnings: [],
  metrics: {
    documentCoverage: 1,
    citedDocuments: 1,
    redundancy: 0.2598,
    relevance: 0.3214,
    compression: 0.5714,
    words: 36,
    wordsPerSentence: 12,
  },
  writing: null,
  usage: {
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
    cost: 0,
    stages: {},
    reusedExtractions: 0,
    reusedEncodings: 0,
  },
  timings: { extract: 104.5, encode: 67, rank: 778.5, select: 83.7, write: 143.9 },
  offsetUnit: 'utf16',
  experiment: null,
};

function event(id: number, name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

const sentences = DIGEST.summary.sentences.map((sentence, index) => ({ index, ...sentence }));

/** The example digest as an event stream, shortened. */
export const EVENT_STREAM = [
  event(1, 'accepted', { id: DIGEST.id, location: `/v1/digests/${DIGEST.id}` }),
  event(2, 'progress', { stage: 'extract', done: 1, total: 3, document: 'council' }),
  ...sentences.slice(0, 2).map((sentence, index) => event(8 + index, 'sentence', sentence)),
  event(13, 'digest', DIGEST),
].join('');
