import { describe, expect, test } from 'vitest';
import {
  EVALUATION_EXAMPLES,
  type EvaluationAnswer,
  evaluationAnswerSchema,
  type MetricName,
} from '../../../src/evaluation/index.ts';
import { documents as storedDocuments } from '../../../src/store/index.ts';
import { digestDocuments } from '../../../src/store/schema.ts';
import { CITY } from '../../support/documents.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { idIn, keyedService } from '../../support/keyed-service.ts';
import { TEST_LIMITS, type TestApp, testApp } from '../../support/test-deps.ts';

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

/** The same with a digest in the place of its text. */
const STORED = (digest: string) => ({
  summhay: { metric: 'summhay' as const, digest, insights },
  'key-point-recall': { metric: 'key-point-recall' as const, digest, keyPoints: [CHARGE, PENGUINS] },
  argue: { metric: 'argue' as const, digest, nuggets },
  'source-coverage': { metric: 'source-coverage' as const, digest, questions },
});
const METRICS = Object.keys(GIVEN) as MetricName[];

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

/** A digest of the city in which every sentence of the sources is told. */
async function digestIn({ post }: Pick<TestApp, 'post'>, more: object = {}): Promise<string> {
  const selection = { strategy: 'all' };
  return idIn(await post('/v1/digests', { documents: CITY, selection, summary: { format: 'bullets' }, ...more }));
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

  test('by key point recall: what of the reference it says, and what of it the documents say', async () => {
    const answer = await score(testApp(), GIVEN['key-point-recall']);
    expect(answer.keyPoints.map(({ entailed }) => entailed)).toEqual([true, false]);
    expect(answer.keyPoints[0].evidence).toBe(CHARGE);
    expect(answer.answerKeyPoints).toMatchObject([
      { text: CHARGE, present: true },
      { text: PENGUINS, present: false },
    ]);
    expect(answer).toMatchObject({ recall: 50, precision: 50, f1: 50 });
    const bare = await score(testApp(), { ...GIVEN['key-point-recall'], documents: undefined });
    expect(bare).toMatchObject({ recall: 50, precision: null, f1: null });
  });

  test('by ARGUE: each sentence has its outcome', async () => {
    const answer = await score(testApp(), GIVEN.argue);
    expect(answer.sentences).toMatchObject([
      { outcome: 3, nuggets: ['charge'], citations: [{ document: 'council', supported: true }] },
      { outcome: 1, citations: [{ document: 'council', supported: false }] },
    ]);
    expect(answer).toMatchObject({ precision: 50, recall: 50, citationSupport: 50 });
    expect(answer.nuggets).toMatchObject([{ id: 'charge', reported: true, sentences: [0] }, { reported: false }]);
  });

  test('by source coverage: each question, and each document in its place', async () => {
    const answer = await score(testApp(), GIVEN['source-coverage']);
    expect(answer.questions.map(({ covered }) => covered)).toEqual([true, false]);
    expect(answer).toMatchObject({ coverage: 50, relevantCoverage: null });
    expect(answer.documents.map(({ id, position }) => [id, position])).toEqual(CITY.map(({ id }, i) => [id, i]));
    expect(answer.documents.find(({ id }) => id === 'tram')?.coverage).toBe(0);
    expect(answer.documents.find(({ id }) => id === 'shops')?.coverage).toBeNull();
  });

  test('as one text it scores as its sentences and bullets do, and says what they are', async () => {
    const report = `${CHARGE.slice(0, -1)} [1]. ${PENGUINS} [council]`;
    const { sentences, ...totals } = await score(testApp(), { ...GIVEN.argue, report });
    const apart = await score(testApp(), GIVEN.argue);
    expect({ ...totals, sentences }).toEqual(apart);
    expect(sentences.map(({ text }) => text)).toEqual([CHARGE, PENGUINS]);

    const ids = CITY.map(({ id }) => id);
    const sources = ['shops', 'council', 'meeting'];
    const bullets = `- ${CHARGE} [1, 2]\n- ${SALES} [1][3]`;
    const listed = await score(testApp(), { ...GIVEN.summhay, bullets, sources, documents: ids });
    expect(listed).toEqual(await score(testApp(), { ...GIVEN.summhay, documents: ids }));
    expect(listed.bulletTexts).toEqual([CHARGE, SALES]);
  });

  const bare = insights.map(({ id, text }) => ({ id, text }));
  const nothing = { coverage: 0, bullet: null, precision: null, recall: null, f1: null };
  test.each([
    [
      { metric: 'summhay', bullets: [], insights },
      { coverage: 0, citation: 0, joint: 0, bullets: 0, wordsPerBullet: null, insights: insights.map(() => nothing) },
    ],
    [
      { metric: 'summhay', bullets: ['', ' [1] '], insights: bare },
      { coverage: 0, citation: null, joint: null, bullets: 2, insights: insights.map(() => nothing) },
    ],
    [
      { metric: 'key-point-recall', answer: '', keyPoints: [CHARGE] },
      { recall: 0, precision: null, f1: null, keyPoints: [{ entailed: false, evidence: null }], answerKeyPoints: [] },
    ],
    [
      { metric: 'argue', report: { sentences: [] }, nuggets: [], documents: [] },
      { precision: null, recall: null, f1: null, citationSupport: null, sentences: [], nuggets: [] },
    ],
    [
      { metric: 'source-coverage', summary: '', documents: ['council', 'tram'], questions },
      { coverage: 0, relevantCoverage: null, questions: questions.map(() => ({ covered: false, evidence: null })) },
    ],
  ] as const)('nothing in it is no failure, case %#', async (request, expected) => {
    expect(await score(testApp(), request)).toMatchObject(expected);
  });

  test('documents that a report cites and that are not there support nothing', async () => {
    const report = { sentences: [{ text: CHARGE, citations: ['nowhere'] }] };
    const { sentences } = await score(testApp(), { ...GIVEN.argue, report });
    expect(sentences[0]).toMatchObject({ outcome: 1, citations: [{ document: 'nowhere', supported: false }] });
  });
});

describe('a stored digest', () => {
  test('its sentences are the bullets, and its citations the markers', async () => {
    const service = testApp();
    const id = await digestIn(service);
    const { summary } = Object(await (await service.app.request(`/v1/digests/${id}`)).json());
    const told: { text: string; framing: boolean; citations: { document: string }[] }[] = summary.sentences;
    const stated = told.filter(({ framing }) => !framing);
    const answer = await score(service, STORED(id).summhay);
    expect(told.length).toBeGreaterThan(stated.length - 1);
    expect(answer.bullets).toBe(stated.length);
    const [charge, sales, penguins] = answer.insights;
    expect([charge.coverage, sales.coverage, penguins.coverage]).toEqual([100, 100, 0]);
    const cited = stated[sales.bullet ?? -1].citations.map(({ document }) => document);
    const right = new Set(cited.filter((document) => ['shops', 'meeting'].includes(document))).size;
    expect(sales.recall).toBeCloseTo((100 * right) / 2, 9);
    expect(sales.precision).toBeCloseTo((100 * right) / new Set(cited).size, 9);
  });

  test('ids that look like markers, or hold commas, are what they are', async () => {
    const service = testApp();
    const odd = ['a, b', '[1]', '1-3', ']['];
    const given = odd.map((id, i) => ({ id, text: CITY[i].text }));
    const digest = await digestIn(service, { documents: given });
    const answer = await score(service, {
      metric: 'summhay' as const,
      digest,
      insights: [{ id: 'i', text: CHARGE, documents: ['a, b'] }],
    });
    expect(answer.insights[0]).toMatchObject({ coverage: 100, recall: 100, precision: 100 });
  });

  test('is scored by the other measures against its own documents', async () => {
    const service = testApp();
    const requests = STORED(await digestIn(service));
    const recalled = await score(service, requests['key-point-recall']);
    expect(recalled.keyPoints.map(({ entailed }) => entailed)).toEqual([true, false]);
    expect(recalled.precision).toBeGreaterThan(90);
    const reported = await score(service, requests.argue);
    expect(reported).toMatchObject({ recall: 50, nuggets: [{ reported: true }, { reported: false }] });
    expect(reported.citationSupport).toBeGreaterThan(90);
    const covered = await score(service, requests['source-coverage']);
    expect(covered.questions.map(({ covered }) => covered)).toEqual([true, false]);
    expect(covered.documents.map(({ id }) => id)).toEqual(CITY.map(({ id }) => id));
  });

  test('documents of the request go before its own', async () => {
    const service = testApp();
    const requests = STORED(await digestIn(service));
    const order = ['tram', 'council'];
    const { documents: placed } = await score(service, { ...requests['source-coverage'], documents: order });
    expect(placed.map(({ id }) => id)).toEqual(order);
    const { precision } = await score(service, { ...requests['key-point-recall'], documents: ['Nothing of it.'] });
    expect(precision).toBe(0);
    const { citationSupport } = await score(service, { ...requests.argue, documents: [] });
    expect(citationSupport).toBe(0);
  });

  test.each(['key-point-recall', 'argue'] as const)(
    'whose texts are gone is refused by %s, unless they come',
    async (metric) => {
      const service = testApp();
      const digest = await digestIn(service);
      const { query } = service.parts.database;
      await query.delete(digestDocuments);
      await query.delete(storedDocuments);
      const request = STORED(digest)[metric];
      const { errors, status } = await refusal(request, service);
      expect(status).toBe(422);
      expect(errors).toMatchObject([
        { pointer: '/digest', detail: expect.stringContaining('not all stored any more') },
      ]);
      await score(service, { ...request, documents: GIVEN[metric].documents });
      await score(service, STORED(digest).summhay);
      await score(service, STORED(digest)['source-coverage']);
    },
  );

  test.each(METRICS)('that is queued, or failed, has nothing to score by %s', async (metric) => {
    const waiting = testApp({ slots: 0 });
    const [headers, body] = [{ prefer: 'respond-async' }, { documents: CITY }];
    const queued = await idIn(await waiting.post('/v1/digests', body, headers));
    expect(await refusal(STORED(queued)[metric], waiting)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/digest', detail: 'This digest has no answer, or none yet.' }],
    });
    const engine = new InProcessEngine();
    for (const { text } of CITY) engine.unreadable.add(text);
    const failing = testApp({ engine });
    const failed = await idIn(await failing.post('/v1/digests', body));
    expect(await refusal(STORED(failed)[metric], failing)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/digest' }],
    });
  });

  test.each(METRICS)('of another tenant is not there for %s', async (metric) => {
    const service = keyedService();
    const [own, other] = [await service.keyFor('own', 'digests'), await service.keyFor('other', 'digests')];
    const digest = await idIn(await service.ask(own, 'POST', '/v1/digests', { body: { documents: CITY } }));
    const body = STORED(digest)[metric];
    expect((await service.ask(own, 'POST', '/v1/evaluations', { body })).status).toBe(200);
    const foreign = await service.ask(other, 'POST', '/v1/evaluations', { body });
    const absent = await service.ask(other, 'POST', '/v1/evaluations', { body: STORED('dig_0')[metric] });
    expect([foreign.status, await foreign.text()]).toEqual([absent.status, await absent.text()]);
    expect(foreign.status).toBe(404);
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

  test('a question about a document that the digest was not made from', async () => {
    const service = testApp();
    const digest = await digestIn(service);
    const strange = [{ ...questions[0], document: 'nowhere' }];
    const request = { metric: 'source-coverage', digest, questions: strange };
    expect(await refusal(request, service)).toMatchObject({ errors: [{ pointer: '/questions/0/document' }] });
  });

  test.each(METRICS)('an encoder without token vectors judges %s too, and the record says so', async (metric) => {
    const engine = new InProcessEngine({ flat: new HashedWordsEncoder({ id: 'flat/1', tokenDimensions: 0 }) });
    const response = await testApp({ engine }).post('/v1/evaluations', {
      ...GIVEN[metric],
      engine: { encoder: 'flat' },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      metric,
      judge: { encoder: 'flat/1', version: 'embedded-vectors/2' },
    });
  });

  test('documents beyond the limits of the service', async () => {
    const service = testApp({ app: { limits: { ...TEST_LIMITS, documents: 2, documentCharacters: 20 } } });
    const long = { id: 'a', text: 'x'.repeat(21) };
    const cases: [string, object][] = [
      ['/documents', GIVEN.argue],
      ['/documents/0/text', { ...GIVEN.argue, documents: [long] }],
      ['/documents', GIVEN['key-point-recall']],
      ['/documents/1', { ...GIVEN['key-point-recall'], documents: ['short', long.text] }],
    ];
    for (const [pointer, request] of cases) {
      expect(await refusal(request, service)).toMatchObject({ status: 422, errors: [{ pointer }] });
    }
  });
});

test('the examples of answers have the fields of those that are answered today', async () => {
  const fields = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(fields);
    if (typeof value !== 'object' || value === null) return null;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fields(each)]));
  };
  for (const [name, { value }] of Object.entries(EVALUATION_EXAMPLES.answers)) {
    const { value: request } = EVALUATION_EXAMPLES.requests[name as keyof typeof EVALUATION_EXAMPLES.answers];
    const made = await score(testApp(), { ...request });
    expect(fields(value), name).toEqual(fields(made));
  }
});

describe('the service around it', () => {
  test.each(METRICS)('the same request is answered alike, by key and without: %s', async (metric) => {
    const service = testApp();
    const first = await score(service, GIVEN[metric]);
    expect(await score(service, GIVEN[metric])).toEqual(first);
    const headers = { 'idempotency-key': 'k-1' };
    const kept = await service.post('/v1/evaluations', GIVEN[metric], headers);
    const again = await service.post('/v1/evaluations', GIVEN[metric], headers);
    expect([kept, again].map((response) => response.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await again.text()).toBe(await kept.text());
  });
});
