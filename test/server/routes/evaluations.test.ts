import { describe, expect, test } from 'vitest';
import { type EvaluationAnswer, evaluationAnswerSchema, type MetricName } from '../../../src/evaluation/index.ts';
import { CITY } from '../../support/documents.ts';
import { type TestApp, testApp } from '../../support/test-deps.ts';

const CHARGE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const SALES = 'Sales in the old town fell by 8 percent when the main bridge was closed last year.';
const PENGUINS = 'Penguins breed upon icy shores far south.';
const insights = [
  { id: 'charge', text: CHARGE, documents: ['council'] },
  { id: 'sales', text: SALES, documents: ['shops', 'meeting'] },
  { id: 'penguins', text: PENGUINS, documents: ['tram'] },
];
const documents = CITY.map(({ id, text }) => ({ id, text }));
const questions = [
  { question: 'What did the council approve?', answer: CHARGE, document: 'council' },
  { question: 'Where do penguins breed?', answer: PENGUINS, document: 'tram' },
];
const nuggets = [
  { id: 'charge', question: 'What did the council approve?', answers: [{ text: CHARGE, documents: ['council'] }] },
  { id: 'penguins', question: 'Where do penguins breed?', answers: [{ text: PENGUINS }] },
];

/** A request by each measure whose text is given. */
const GIVEN = {
  summhay: { metric: 'summhay', bullets: [`${CHARGE} [council, shops]`, `${SALES} [shops][meeting]`], insights },
  'key-point-recall': {
    metric: 'key-point-recall',
    answer: `${CHARGE} ${PENGUINS}`,
    keyPoints: [CHARGE, SALES],
    documents: documents.map(({ text }) => text),
  },
  argue: {
    metric: 'argue',
    report: {
      sentences: [
        { text: CHARGE, citations: ['council'] },
        { text: PENGUINS, citations: ['council'] },
      ],
    },
    nuggets,
    documents,
  },
  'source-coverage': {
    metric: 'source-coverage',
    summary: `${CHARGE} ${SALES}`,
    documents: documents.map(({ id }) => id),
    questions,
  },
} as const;

async function score<Measure extends MetricName>(
  { post }: Pick<TestApp, 'post'>,
  request: { readonly metric: Measure; readonly [field: string]: unknown },
): Promise<Extract<EvaluationAnswer, { metric: Measure }>> {
  const response = await post('/v1/evaluations', request);
  const json = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(200);
  expect(evaluationAnswerSchema.parse(json)).toEqual(json);
  expect(json).toMatchObject({ metric: request.metric });
  return json as Extract<EvaluationAnswer, { metric: Measure }>;
}

interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

async function refusal(request: unknown, service: Pick<TestApp, 'post'> = testApp()): Promise<Refusal> {
  const response = await service.post('/v1/evaluations', request);
  expect(response.ok).toBe(false);
  return (await response.json()) as Refusal;
}

describe('a text that is given', () => {
  test('by SummHay: coverage, and the markers of the best bullet', async () => {
    const answer = await score(testApp(), GIVEN.summhay);
    expect(answer).toMatchObject({
      bullets: 2,
      insights: [
        { id: 'charge', coverage: 100, bullet: 0, precision: 50, recall: 100 },
        { id: 'sales', coverage: 100, bullet: 1, precision: 100, recall: 100, f1: 100 },
        { id: 'penguins', coverage: 0, precision: null, recall: null, f1: null },
      ],
      judge: { name: 'embedded', encoder: 'hashed-words/1', model: null, prompts: {} },
      usage: { requests: 0, cost: 0, reusedVerdicts: 0 },
    });
    expect(answer.coverage).toBeCloseTo(200 / 3, 9);
    expect(answer.citation).toBeCloseTo((200 / 3 + 100) / 2, 9);
    expect(answer.joint).toBeCloseTo((200 / 3 + 100) / 3, 9);
  });

  test('documents that a report cites and that are not there support nothing', async () => {
    const report = { sentences: [{ text: CHARGE, citations: ['nowhere'] }] };
    const { sentences } = await score(testApp(), { ...GIVEN.argue, report });
    expect(sentences[0]).toMatchObject({ outcome: 1, citations: [{ document: 'nowhere', supported: false }] });
  });
});

describe('what is wrong is told by pointers', () => {
  const one = { metric: 'summhay', bullets: ['x'], insights };
  const of = (metric: MetricName, more: object) => ({ ...GIVEN[metric], ...more });
  const repeated = [insights[0], insights[0]];
  test.each<[string, unknown]>([
    ['/metric', {}],
    ['/metric', { ...one, metric: 'rouge' }],
    ['/metric', { ...one, metric: 'constructor' }],
    ['', []],
    ['/insights', { ...one, insights: [] }],
    ['/insights', { ...one, insights: undefined }],
    ['/insights/1/id', { ...one, insights: repeated }],
    ['/insights/0/text', { ...one, insights: [{ id: 'a', text: ' ' }] }],
    ['/insights/0/documents/0', { ...one, documents: ['shops'] }],
    ['/bullets', { ...one, bullets: undefined }],
    ['/digest', { ...one, digest: 'dig_0' }],
    ['/surplus', { ...one, surplus: 1 }],
    ['/nuggets', { ...one, nuggets: [] }],
    ['/insights/0/weight', { ...one, insights: [{ ...insights[0], weight: 1 }] }],
    ['/bullets/0', { ...one, bullets: ['half \ud800'] }],
    ['/bullets', { ...one, bullets: Array.from({ length: 1001 }, () => 'x') }],
    ['/bullets/0', { ...one, bullets: ['x'.repeat(20_001)] }],
    ['/judge', { ...one, judge: 'people' }],
    ['/judge', { ...one, judge: 'llm' }],
    ['/engine/encoder', { ...one, engine: { encoder: 'unheard-of' } }],
    ['/engine/writer', { ...one, engine: { writer: 'compose' } }],
    ['/engine/stages/write', { ...one, engine: { stages: { write: {} } } }],
    ['/keyPoints', of('key-point-recall', { keyPoints: [] })],
    ['/answer', of('key-point-recall', { answer: undefined })],
    ['/digest', of('key-point-recall', { digest: 'dig_0' })],
    ['/documents', of('key-point-recall', { documents: [] })],
    ['/documents/0', of('key-point-recall', { documents: ['\udc00'] })],
    ['/report', of('argue', { report: undefined })],
    ['/documents', of('argue', { documents: undefined })],
    ['/digest', of('argue', { digest: 'dig_0' })],
    ['/nuggets/1/id', of('argue', { nuggets: [nuggets[0], nuggets[0]] })],
    ['/nuggets/0/weight', of('argue', { nuggets: [{ ...nuggets[0], weight: 0 }] })],
    ['/documents/6/id', of('argue', { documents: [...documents, documents[0]] })],
    ['/options/average', of('argue', { options: { average: 'median' } })],
    ['/report/sentences/0/citations', of('argue', { report: { sentences: [{ text: 'x' }] } })],
    ['/report', of('argue', { report: 'Traffic fell [7].' })],
    ['/report', of('argue', { report: 'Traffic fell [council, nowhere].' })],
    ['/report', of('argue', { report: 5 })],
    ['/sources', of('argue', { sources: ['council'] })],
    ['/sources/1', of('argue', { report: 'Traffic fell [1].', sources: ['council', 'nowhere'] })],
    ['/digest', of('argue', { report: 'Traffic fell.', digest: 'dig_0' })],
    ['/bullets', { ...one, bullets: 'Traffic fell [5].', documents: ['council', 'shops', 'meeting', 'tram'] }],
    ['/sources', { ...one, sources: ['council'] }],
    ['/summary', of('source-coverage', { summary: undefined })],
    ['/documents', of('source-coverage', { documents: undefined })],
    ['/documents/1', of('source-coverage', { documents: ['council', 'council'] })],
    ['/questions', of('source-coverage', { questions: [] })],
    ['/questions/1/document', of('source-coverage', { documents: ['council'] })],
  ])('%s, case %#', async (pointer, request) => {
    const service = testApp();
    const { status, errors = [] } = await refusal(request, service);
    expect([status, errors.map((error) => error.pointer)]).toEqual([422, expect.arrayContaining([pointer])]);
    expect(errors.every(({ detail }) => detail.length > 3)).toBe(true);
    expect(service.parts.errors).toEqual([]);
    expect(service.parts.engine.encoder.calls).toEqual([]);
  });
});
