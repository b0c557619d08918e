import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import {
  type Evaluation,
  type EvaluationAnswer,
  type EvaluationInput,
  NotFoundError,
  ValidationError,
} from '../../src/client/client.ts';
import { type Client, createClient } from '../../src/client/index.ts';
import { EVALUATION_EXAMPLES } from '../../src/evaluation/index.ts';
import { testApp } from '../support/test-deps.ts';

const DOCUMENTS = [
  { id: 'council', text: 'Traffic in the centre fell by 18 percent. The charge raised 40 million euros.' },
];
const insights = [{ id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council'] }];
const questions = [{ question: 'How far did traffic fall?', answer: 'By 18 percent.', document: 'council' }];

/** Requests that are to compile as they are written; the compiler is the test. */
const REQUESTS: readonly EvaluationInput[] = [
  { metric: 'summhay', bullets: ['Traffic fell. [council]'], insights },
  { metric: 'summhay', digest: 'dig_1', insights, documents: ['council'] },
  { metric: 'summhay', bullets: '- Traffic fell. [1]', sources: ['council'], insights },
  { metric: 'argue', report: 'Traffic fell [1].', documents: DOCUMENTS, nuggets: [] },
  { metric: 'key-point-recall', digest: 'dig_1', keyPoints: ['Traffic fell.'] },
  { metric: 'argue', digest: 'dig_1', nuggets: [] },
  { metric: 'source-coverage', digest: 'dig_1', questions, judge: 'llm', engine: { model: 'm' } },
  // @ts-expect-error a field of another measure
  { metric: 'summhay', bullets: [], insights, nuggets: [] },
  // @ts-expect-error no such measure
  { metric: 'rouge', summary: '' },
];

/** A client of an app in this process. */
function client(): { readonly client: Client; readonly calls: Request[] } {
  const { app } = testApp();
  const calls: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    calls.push(new Request(url, init));
    return app.request(url, init);
  };
  const made = createClient({ baseUrl: 'http://localhost', fetch, maxRetries: 0 });
  onTestFinished(() => expect(calls.length).toBeGreaterThan(0));
  return { client: made, calls };
}

test('a measure is answered by its own type', async () => {
  expect(REQUESTS).toHaveLength(9);
  const { evaluations } = client().client;
  const { summhay, keyPointRecall, argue, sourceCoverage } = EVALUATION_EXAMPLES.requests;
  const covered = await evaluations.create({ metric: 'summhay', bullets: summhay.value.bullets ?? [], insights });
  expectTypeOf(covered).toEqualTypeOf<Evaluation<'summhay'>>();
  expect(covered.insights).toMatchObject([{ id: 'traffic', coverage: 100, bullet: 0, recall: 100 }]);

  const recalled = await evaluations.create({
    metric: 'key-point-recall',
    answer: keyPointRecall.value.answer ?? '',
    keyPoints: keyPointRecall.value.keyPoints,
  });
  expectTypeOf(recalled).toEqualTypeOf<Evaluation<'key-point-recall'>>();
  expect(recalled).toMatchObject({ precision: null, keyPoints: [{ entailed: true }, { entailed: false }] });

  const { report = { sentences: [] }, documents = [], nuggets } = argue.value;
  const reported = await evaluations.create({ metric: 'argue', report, documents, nuggets });
  expectTypeOf(reported.sentences[0].outcome).toEqualTypeOf<1 | 2 | 3 | 4 | 5 | 6 | 7 | 8>();
  expect(reported.sentences).toHaveLength(1);

  const sources = await evaluations.create({
    metric: 'source-coverage',
    summary: sourceCoverage.value.summary ?? '',
    documents: ['council'],
    questions,
  });
  expectTypeOf(sources.documents[0].position).toEqualTypeOf<number>();
  expect(sources.documents).toMatchObject([{ id: 'council', position: 0 }]);
});

test('a request whose measure is not known before is answered by one of them', async () => {
  const { evaluations } = client().client;
  const request: EvaluationInput = REQUESTS[0];
  const answer = await evaluations.create(request);
  expectTypeOf(answer).toEqualTypeOf<EvaluationAnswer>();
  if (answer.metric === 'summhay') expectTypeOf(answer.bullets).toEqualTypeOf<number>();
  expect(answer.metric).toBe('summhay');
});

test('a digest that the same client made is scored', async () => {
  const { digests, evaluations } = client().client;
  const { id: digest } = await digests.create({ documents: DOCUMENTS, summary: { format: 'bullets' } });
  const answer = await evaluations.create({ metric: 'summhay', digest, insights });
  expect(answer).toMatchObject({ coverage: 100, citation: 100, joint: 100 });
});

test('a key is sent along, and the same answer comes again', async () => {
  const { client: made, calls } = client();
  const create = () =>
    made.evaluations.create({ metric: 'summhay', bullets: ['Trams run.'], insights }, { idempotencyKey: 'k-1' });
  const first = await create();
  expect(await create()).toEqual(first);
  expect(calls.map(({ url, headers }) => [url, headers.get('idempotency-key')])).toEqual([
    ['http://localhost/v1/evaluations', 'k-1'],
    ['http://localhost/v1/evaluations', 'k-1'],
  ]);
});

test('what is refused says why, and a signal ends the call', async () => {
  const { evaluations } = client().client;
  await expect(evaluations.create({ metric: 'summhay', digest: 'dig_0', insights })).rejects.toThrow(NotFoundError);
  const refused = evaluations.create({ metric: 'summhay', bullets: [], insights: [] });
  await expect(refused).rejects.toThrow(ValidationError);
  await expect(refused).rejects.toMatchObject({ problem: { errors: [{ pointer: '/insights' }] } });
  const reason = new Error('enough');
  const ended = evaluations.create({ metric: 'summhay', bullets: [], insights }, { signal: AbortSignal.abort(reason) });
  await expect(ended).rejects.toBe(reason);
});
