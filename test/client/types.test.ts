import { expect, expectTypeOf, test } from 'vitest';
import {
  type Assignment,
  type Client,
  type Collection,
  type CollectionText,
  createClient,
  type Digest,
  type DigestEvent,
  type DigestInput,
  type DigestState,
  type DrawsAnswer,
  type Evaluation,
  type EvaluationAnswer,
  type EvaluationInput,
  type Experiment,
  type ExperimentHistory,
  type ExperimentInput,
  type ExperimentResults,
  isFinished,
  type KeptRequest,
  type KeyPoints,
  type PendingDigest,
  type RecordedOutcomes,
  type SelectionsAnswer,
  type SourceText,
} from '../../src/client/index.ts';
import type { DigestRequest, Digest as OwnDigest } from '../../src/contract/index.ts';

const DOCUMENTS = [{ id: 'd1', text: 'Trams run.' }];

/** Requests that are to compile as they are written; the compiler is the test. */
const REQUESTS: readonly DigestInput[] = [
  { documents: DOCUMENTS },
  {
    collection: 'col_1',
    intent: { problem: 'What is new?', background: { digest: 'dig_1' }, publishedAfter: '2026-01-01' },
    selection: { strategy: 'dpp-map', size: { words: 200 } },
    summary: { format: 'bullets' },
    engine: { writer: 'compose' },
    callbackUrl: 'https://app.test/hook',
  },
  { documents: DOCUMENTS, engine: 'embedded' },
  // @ts-expect-error no such engine
  { documents: DOCUMENTS, engine: 'best' },
  { documents: DOCUMENTS, intent: { problem: 'Trams?', background: 'They run.' } },
  // @ts-expect-error neither documents nor a collection
  { intent: 'Trams?' },
  // @ts-expect-error both
  { documents: DOCUMENTS, collection: 'col_1' },
  // @ts-expect-error no field of the wire
  { documents: DOCUMENTS, earlier: { digest: 'dig_1', points: [], documents: [] } },
  // @ts-expect-error no such background
  { collection: 'col_1', intent: { problem: 'Trams?', background: { collection: 'col_1' } } },
];

const insights = [{ id: 'traffic', text: 'Traffic fell by 18 percent.', documents: ['d1'] }];
const questions = [{ question: 'How far did traffic fall?', answer: 'By 18 percent.', document: 'd1' }];

const EVALUATIONS: readonly EvaluationInput[] = [
  { metric: 'summhay', bullets: ['Traffic fell. [council]'], insights },
  { metric: 'summhay', digest: 'dig_1', insights, documents: ['d1'] },
  { metric: 'summhay', bullets: '- Traffic fell. [1]', sources: ['d1'], insights },
  { metric: 'argue', report: 'Traffic fell [1].', documents: DOCUMENTS, nuggets: [] },
  { metric: 'key-point-recall', digest: 'dig_1', keyPoints: ['Traffic fell.'] },
  { metric: 'source-coverage', digest: 'dig_1', questions, judge: 'llm', engine: { model: 'm' } },
  { metric: 'source-coverage', digest: 'dig_1', questions, engine: 'llm' },
  // @ts-expect-error a field of another measure
  { metric: 'summhay', bullets: [], insights, nuggets: [] },
  // @ts-expect-error no such measure
  { metric: 'rouge', summary: '' },
];

const NEW: ExperimentInput = {
  key: 'sizes',
  hypothesis: 'Short digests are read.',
  variants: [
    { name: 'long', weight: 0.5 },
    { name: 'short', weight: 0.5, options: { selection: { size: { keyPoints: 1 } } } },
  ],
  metrics: [{ key: 'read', type: 'binomial', direction: 'increase' }],
  status: 'running',
};

const EXPERIMENTS: readonly (ExperimentInput | DigestInput)[] = [
  { documents: DOCUMENTS, experiment: { key: 'sizes', subject: 'u1' } },
  { ...NEW, variants: [{ name: 'own', weight: 1, options: { engine: 'embedded' } }] },
  // @ts-expect-error a guardrail without a margin
  { ...NEW, guardrails: [{ key: 'late', type: 'mean', direction: 'decrease' }] },
  // @ts-expect-error no such type of metric
  { ...NEW, metrics: [{ key: 'read', type: 'median', direction: 'increase' }] },
  // @ts-expect-error documents are no option of a variant
  { ...NEW, variants: [{ name: 'a', weight: 1, options: { documents: DOCUMENTS } }] },
  // @ts-expect-error what became of the subject is the service's to say
  { documents: DOCUMENTS, experiment: { key: 'sizes', subject: 'u1', variant: 'long' } },
];

test('requests and answers have the types of the service', () => {
  expect([REQUESTS, EVALUATIONS, EXPERIMENTS].map(({ length }) => length)).toEqual([9, 9, 6]);
  expectTypeOf<Digest>().toEqualTypeOf<OwnDigest>();
  expectTypeOf<Pick<DigestInput, 'selection' | 'summary'>>().toEqualTypeOf<
    Pick<DigestRequest, 'selection' | 'summary'>
  >();
  expectTypeOf<DigestInput['engine']>().toEqualTypeOf<DigestRequest['engine'] | 'embedded' | 'llm'>();
  type Digests = Client['digests'];
  expectTypeOf<Digests['create']>().returns.resolves.toEqualTypeOf<Digest>();
  expectTypeOf<Digests['wait']>().returns.resolves.toEqualTypeOf<Digest>();
  expectTypeOf<Digests['submit']>().returns.resolves.toEqualTypeOf<PendingDigest>();
  expectTypeOf<Digests['get']>().returns.resolves.toEqualTypeOf<DigestState>();
  expectTypeOf<Digests['request']>().returns.resolves.toEqualTypeOf<KeptRequest>();
  expectTypeOf<Digests['document']>().returns.resolves.toEqualTypeOf<SourceText>();
  expectTypeOf<Digests['stream']>().returns.toEqualTypeOf<AsyncIterable<DigestEvent>>();
  expectTypeOf<Client['keyPoints']['extract']>().returns.resolves.toEqualTypeOf<KeyPoints>();
  expectTypeOf<Client['collections']['create']>().returns.resolves.toEqualTypeOf<Collection>();
  expectTypeOf<Client['collections']['getDocument']>().returns.resolves.toEqualTypeOf<CollectionText>();
  type Experiments = Client['experiments'];
  expectTypeOf<Experiments['create']>().returns.resolves.toEqualTypeOf<Experiment>();
  expectTypeOf<Experiments['get']>().returns.resolves.toEqualTypeOf<ExperimentHistory>();
  expectTypeOf<Experiments['expose']>().returns.resolves.toEqualTypeOf<Assignment>();
  expectTypeOf<Experiments['recordOutcomes']>().returns.resolves.toEqualTypeOf<RecordedOutcomes>();
  expectTypeOf<Experiments['results']>().returns.resolves.toEqualTypeOf<ExperimentResults>();
});

test('an event is narrowed by its name, a state by whether it is finished', () => {
  const words = (event: DigestEvent): string => {
    if (event.event === 'digest') return event.data.summary.text;
    return event.event === 'sentence' ? event.data.text : event.event;
  };
  expect(words({ event: 'progress', id: 2, data: { stage: 'extract', done: 1, total: 2 } })).toBe('progress');
  const state: DigestState = { id: 'dig_1', status: 'queued', progress: null, createdAt: '' } as DigestState;
  if (isFinished(state)) expectTypeOf(state).toEqualTypeOf<Digest>();
  else expectTypeOf(state.createdAt).toEqualTypeOf<string>();
});

test('what a selection answers is told by whether it draws, an evaluation by its measure', () => {
  const fetch = async () => new Response('{}', { status: 200 });
  const { selections, evaluations } = createClient({ baseUrl: 'http://service.test', fetch });
  const items = [{ id: 'a', text: 'Trams run.' }];
  expectTypeOf(selections.create({ items })).resolves.toEqualTypeOf<SelectionsAnswer>();
  expectTypeOf(selections.create({ items, draws: 3 })).resolves.toEqualTypeOf<DrawsAnswer>();
  const summhay = evaluations.create({ metric: 'summhay', bullets: [], insights });
  expectTypeOf(summhay).resolves.toEqualTypeOf<Evaluation<'summhay'>>();
  const any = evaluations.create(EVALUATIONS[0]);
  expectTypeOf(any).resolves.toEqualTypeOf<EvaluationAnswer>();
});
