import { eq } from 'drizzle-orm';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import { endJob, insertWebhook, SCOPES, type Scope, takeJob } from '../../src/store/index.ts';
import { webhooks } from '../../src/store/schema.ts';
import { idIn, type KeyedService, keyedService } from '../support/keyed-service.ts';
import { memoryDatabase, TEST_LIMITS, type TestOptions } from '../support/test-deps.ts';

/** How a route is asked. */
export interface Ask {
  /** In the place of the route's own. */
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  /** Null where everybody may ask. */
  readonly scope: Scope | null;
  /** Where its own address is not enough. */
  readonly path?: string;
  /** What it is asked where nothing is wrong with its body. */
  readonly body?: unknown;
  /** Asks that are answered with success, by status; the first of several where one goes before another. */
  readonly ok: Readonly<Record<number, Ask | readonly Ask[]>>;
  /** The problem of who asks for the same again. */
  readonly again?: string;
  readonly absent?: readonly Ask[];
  /** Asks that do not go with how things stand, by the code of their problem. */
  readonly conflicts?: Readonly<Record<string, Ask>>;
  readonly invalid?: readonly Ask[];
  /** How a service is where this route is too much for it. */
  readonly overloaded?: readonly TestOptions[];
}

const documents = [{ id: 'a', text: 'The council approved a congestion charge of 4 euros. Residents pay half of it.' }];
const insights = [{ id: 'i', text: 'Residents pay half of the charge.', documents: ['a'] }];
const questions = [{ question: 'How much do residents pay?', answer: 'They pay half of it.', document: 'a' }];
const absentDigest = { path: '/v1/digests/dig_0' };
const absentSubscription = { path: '/v1/subscriptions/sub_0' };
const absentCollection = { path: '/v1/collections/col_0' };
const absentDocuments = [
  { path: '/v1/collections/col_0/documents/a' },
  { path: '/v1/collections/{id}/documents/none' },
];
const wrongPages = (path: string) =>
  ['limit=0', 'limit=x', 'limit=101', 'page=2'].map((query) => ({ path: `${path}?${query}` }));
const LINES = { 'content-type': 'application/x-ndjson' };
const longId = { path: `/v1/collections/{id}/documents/${'x'.repeat(201)}` };
const { status: _, ...DRAFT } = NEW_EXPERIMENT;
const { hypothesis } = DRAFT;
const [control, short] = DRAFT.variants;
const outcome = { eventId: 'e-1', subject: 'reader', metric: 'source-opened' };
const absentExperiment = (path = '') => [{ path: `/v1/experiments/none${path}` }];
const ofVersion = (path: string) => [{ path: `${path}?version=0` }, { path: `${path}?version=x` }];
const busy: TestOptions = { app: { concurrency: { digests: 0, others: 0, maxWaitMilliseconds: -1 } } };
const fullQueue: TestOptions = { app: { limits: { ...TEST_LIMITS, queuedDigests: 0 } } };

/** Every route of the app. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'GET /healthz': { scope: null, ok: { 200: {} } },
  'GET /readyz': { scope: null, ok: { 200: {} } },
  'GET /openapi.json': { scope: null, ok: { 200: {} } },
  'GET /metrics': { scope: 'admin', ok: { 200: {} } },
  'POST /v1/digests': {
    scope: 'digests',
    body: { documents },
    ok: {
      200: { headers: { accept: 'text/event-stream' } },
      201: {},
      202: [{ headers: { prefer: 'respond-async' } }, { headers: { prefer: 'wait=0' } }],
    },
    absent: [{ body: { collection: 'col_0' } }],
    invalid: [
      { body: {} },
      { body: { documents: [] } },
      { body: { documents, collection: 'col_0' } },
      { body: { documents, engine: { encoder: 'none' } } },
      { body: { documents, intent: { problem: 'What is new?', background: { digest: 'dig_0' } } } },
      { body: { documents, callbackUrl: 'http://127.0.0.1/hook' } },
      { body: { documents, experiment: { key: 'none', subject: 'reader' } } },
      { body: { documents, experiment: { key: 'none' } } },
      { body: [] },
    ],
    overloaded: [busy, fullQueue],
  },
  'GET /v1/digests': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/digests?limit=1&status=completed' }] },
    invalid: [...wrongPages('/v1/digests'), { path: '/v1/digests?status=lost' }],
  },
  'GET /v1/digests/{id}': {
    scope: 'digests',
    ok: { 200: [{}, { headers: { accept: 'text/event-stream' } }, { path: '/v1/digests/{pending}' }] },
    absent: [absentDigest, { ...absentDigest, headers: { accept: 'text/event-stream' } }],
    invalid: [{ path: '/v1/digests/{id}?include=text' }],
  },
  'DELETE /v1/digests/{id}': {
    scope: 'digests',
    ok: { 200: { path: '/v1/digests/{pending}' }, 204: {} },
    absent: [absentDigest],
  },
  'POST /v1/digests/{id}/retry': {
    scope: 'digests',
    ok: { 202: {} },
    again: 'digest-not-failed',
    absent: [{ path: '/v1/digests/dig_0/retry' }],
    conflicts: { 'digest-not-failed': { path: '/v1/digests/{pending}/retry' } },
    overloaded: [fullQueue],
  },
  'GET /v1/digests/{id}/request': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/digests/{pending}/request' }] },
    absent: [{ path: '/v1/digests/dig_0/request' }],
  },
  'GET /v1/digests/{id}/key-points': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/digests/{id}/key-points?limit=1' }] },
    absent: [{ path: '/v1/digests/dig_0/key-points' }, { path: '/v1/digests/{pending}/key-points' }],
    invalid: wrongPages('/v1/digests/{id}/key-points'),
  },
  'GET /v1/digests/{id}/documents/{documentId}': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/digests/{pending}/documents/a' }] },
    absent: [{ path: '/v1/digests/dig_0/documents/a' }, { path: '/v1/digests/{id}/documents/none' }],
    invalid: [{ path: `/v1/digests/{id}/documents/${'x'.repeat(201)}` }],
  },
  'POST /v1/key-points': {
    scope: 'digests',
    body: { documents },
    ok: { 200: {} },
    invalid: [{ body: {} }, { body: { documents: [] } }, { body: { documents, engine: { extractor: 'llm' } } }],
    overloaded: [busy],
  },
  'POST /v1/tables': {
    scope: 'digests',
    body: { documents, questions: ['How much do residents pay?'] },
    ok: { 200: { headers: { accept: 'text/event-stream' } }, 201: {} },
    absent: [{ body: { collection: 'col_0', questions: ['What?'] } }],
    invalid: [
      { body: {} },
      { body: { documents } },
      { body: { documents, questions: [] } },
      { body: { documents, questions: ['?'] } },
      { body: { documents, questions: ['What?', ' what? '] } },
      { body: { documents, questions: Array.from({ length: 11 }, (_, i) => `What is ${i}?`) } },
      { body: { documents, collection: 'col_0', questions: ['What?'] } },
      { body: { documents, questions: ['What?'], engine: 'llm' } },
      { body: { documents, questions: ['What?'], engine: { encoder: 'none' } } },
    ],
    overloaded: [busy],
  },
  'POST /v1/selections': {
    scope: 'digests',
    body: { items: [{ id: 'a', text: 'The charge rises.' }] },
    ok: { 200: [{}, { body: { digest: '{id}' } }] },
    absent: [{ body: { digest: 'dig_0' } }],
    invalid: [{ body: {} }, { body: { items: [] } }, { body: { digest: 'dig_0', items: [] } }],
    overloaded: [busy],
  },
  'POST /v1/evaluations': {
    scope: 'digests',
    body: { metric: 'summhay', bullets: ['The charge rises. [a]'], insights },
    ok: {
      200: [
        {},
        { body: { metric: 'summhay', digest: '{id}', insights } },
        { body: { metric: 'argue', digest: '{id}', nuggets: [{ id: 'n', question: 'Who pays half?' }] } },
        { body: { metric: 'source-coverage', digest: '{id}', questions } },
      ],
    },
    absent: [{ body: { metric: 'summhay', digest: 'dig_0', insights } }],
    invalid: [
      { body: {} },
      { body: { metric: 'rouge' } },
      { body: { metric: 'summhay', bullets: [], insights: [] } },
      { body: { metric: 'summhay', bullets: [], digest: '{id}', insights } },
      { body: { metric: 'summhay', bullets: [], insights, judge: 'llm' } },
      { body: { metric: 'key-point-recall', digest: '{id}', keyPoints: ['Residents pay half.'] } },
    ],
    overloaded: [busy],
  },
  'POST /v1/collections': {
    scope: 'digests',
    body: { name: 'Minutes' },
    ok: { 201: [{}, { body: {} }] },
    invalid: [{ body: { name: 3 } }, { body: { title: 'x' } }, { body: [] }],
  },
  'GET /v1/collections': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/collections?limit=1' }] },
    invalid: wrongPages('/v1/collections'),
  },
  'GET /v1/collections/{id}': { scope: 'digests', ok: { 200: {} }, absent: [absentCollection] },
  'DELETE /v1/collections/{id}': { scope: 'digests', ok: { 204: {} }, absent: [absentCollection] },
  'GET /v1/collections/{id}/documents': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/collections/{id}/documents?limit=1' }] },
    absent: [{ path: '/v1/collections/col_0/documents' }],
    invalid: wrongPages('/v1/collections/{id}/documents'),
  },
  'GET /v1/collections/{id}/documents/{documentId}': {
    scope: 'digests',
    ok: { 200: {} },
    absent: absentDocuments,
    invalid: [longId],
  },
  'PUT /v1/collections/{id}/documents/{documentId}': {
    scope: 'digests',
    body: { text: 'Sales fell by 8 percent.' },
    ok: { 200: {}, 201: { path: '/v1/collections/{id}/documents/new' } },
    absent: [absentDocuments[0]],
    invalid: [longId, { body: {} }, { body: { text: 3 } }, { body: { text: 'x', id: 'b' } }],
    overloaded: [busy],
  },
  'POST /v1/collections/{id}/documents': {
    scope: 'digests',
    body: { documents: [{ id: 'b', text: 'Sales fell by 8 percent.' }] },
    ok: {
      200: [{}, { headers: { accept: 'text/event-stream' } }, { body: '{"id":"b","text":"x"}\n', headers: LINES }],
    },
    absent: [{ path: '/v1/collections/col_0/documents' }],
    invalid: [
      { body: {} },
      { body: { documents: [] } },
      { body: { documents: [{ text: 'x' }] } },
      { body: { documents: [1, 2].map(() => ({ id: 'b', text: 'x' })) } },
      { body: '\n', headers: LINES },
      { body: '{"id":"b"}', headers: LINES },
    ],
    overloaded: [busy],
  },
  'DELETE /v1/collections/{id}/documents/{documentId}': {
    scope: 'digests',
    ok: { 204: {} },
    absent: absentDocuments,
    invalid: [longId],
  },
  'POST /v1/subscriptions': {
    scope: 'digests',
    body: { collection: '{collection}', intent: 'What is new?' },
    ok: {
      201: [
        {},
        {
          body: {
            collection: '{collection}',
            intent: { problem: 'What is new?', publishedAfter: '2026-01-01' },
            ...{ summary: { format: 'brief' }, minDocuments: 3, sendEmpty: true },
            webhook: { url: 'https://hooks.example/in' },
          },
        },
      ],
    },
    absent: [{ body: { collection: 'col_0', intent: 'What is new?' } }],
    invalid: [
      { body: {} },
      { body: { collection: '{collection}' } },
      { body: { collection: '{collection}', intent: '' } },
      { body: { collection: '{collection}', intent: { problem: 'New?', background: { digest: '{id}' } } } },
      { body: { collection: '{collection}', intent: 'New?', webhook: { url: 'http://127.0.0.1/hook' } } },
      { body: { collection: '{collection}', intent: 'New?', webhook: {} } },
      { body: { collection: '{collection}', intent: 'New?', minDocuments: 0 } },
      { body: { collection: '{collection}', intent: 'New?', engine: { encoder: 'none' } } },
      { body: { collection: '{collection}', intent: 'New?', selection: { size: { keyPoints: 1e6 } } } },
      { body: { collection: '{collection}', intent: 'New?', documents } },
    ],
  },
  'GET /v1/subscriptions': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/subscriptions?limit=1' }] },
    invalid: wrongPages('/v1/subscriptions'),
  },
  'GET /v1/subscriptions/{id}': { scope: 'digests', ok: { 200: {} }, absent: [absentSubscription] },
  'PATCH /v1/subscriptions/{id}': {
    scope: 'digests',
    body: { state: 'paused' },
    ok: { 200: [{}, { body: { state: 'active' } }] },
    absent: [absentSubscription],
    invalid: [{ body: {} }, { body: { state: 'ended' } }, { body: { state: 'paused', intent: 'New?' } }, { body: [] }],
  },
  'DELETE /v1/subscriptions/{id}': { scope: 'digests', ok: { 204: {} }, absent: [absentSubscription] },
  'POST /v1/experiments': {
    scope: 'experiments',
    body: DRAFT,
    ok: { 201: [{}, { body: { ...DRAFT, status: 'running' } }] },
    again: 'experiment-exists',
    conflicts: { 'experiment-exists': { body: { ...DRAFT, key: 'neighbour' } } },
    invalid: [
      { body: {} },
      { body: { ...DRAFT, key: 'a b' } },
      { body: { ...DRAFT, variants: [control, { ...short, weight: 0.4 }] } },
      { body: { ...DRAFT, variants: [control, { ...short, options: { engine: { encoder: 'none' } } }] } },
      { body: { ...DRAFT, metrics: [] } },
      { body: { ...DRAFT, status: 'stopped' } },
      { body: [] },
    ],
  },
  'GET /v1/experiments': {
    scope: 'experiments',
    ok: { 200: [{}, { path: '/v1/experiments?limit=1' }] },
    invalid: wrongPages('/v1/experiments'),
  },
  'GET /v1/experiments/{key}': {
    scope: 'experiments',
    ok: { 200: [{}, { path: '/v1/experiments/{key}?version=1' }] },
    absent: [...absentExperiment(), { path: '/v1/experiments/{key}?version=2' }],
    invalid: ofVersion('/v1/experiments/{key}'),
  },
  'PUT /v1/experiments/{key}': {
    scope: 'experiments',
    body: { hypothesis: 'Another.' },
    ok: { 200: [{}, { body: {} }, { body: { traffic: 0.5, newVersion: true } }] },
    absent: absentExperiment(),
    conflicts: {
      'experiment-running': { body: { traffic: 0.5 } },
      'experiment-state': { body: { version: 2 } },
    },
    invalid: [
      { body: { key: 'other' } },
      { body: { metrics: [], hypothesis } },
      { body: { traffic: 2 } },
      { body: [] },
    ],
  },
  'POST /v1/experiments/{key}/start': {
    scope: 'experiments',
    ok: { 200: {} },
    again: 'experiment-state',
    absent: absentExperiment('/start'),
    conflicts: { 'experiment-state': { path: '/v1/experiments/neighbour/start' } },
  },
  'POST /v1/experiments/{key}/stop': {
    scope: 'experiments',
    ok: { 200: {} },
    again: 'experiment-state',
    absent: absentExperiment('/stop'),
  },
  'GET /v1/experiments/{key}/results': {
    scope: 'experiments',
    ok: {
      200: [{}, { path: '/v1/experiments/{key}/results?version=1&alpha=0.1&correction=benjamini-hochberg' }],
    },
    absent: [...absentExperiment('/results'), { path: '/v1/experiments/{key}/results?version=2' }],
    invalid: [
      ...ofVersion('/v1/experiments/{key}/results'),
      ...['alpha=0', 'alpha=1', 'alpha=x', 'correction=none', 'look=1'].map((query) => ({
        path: `/v1/experiments/{key}/results?${query}`,
      })),
    ],
    overloaded: [busy],
  },
  'GET /v1/experiments/{key}/assignment': {
    scope: 'experiments',
    // Where nothing is said of the subject there is nothing to assign.
    path: '/v1/experiments/{key}/assignment?subject=reader',
    ok: { 200: [{}, { path: '/v1/experiments/{key}/assignment?subject=%C3%BC%20%2F' }] },
    absent: absentExperiment('/assignment?subject=reader'),
    invalid: ['', '?subject=', `?subject=${'x'.repeat(201)}`, '?subject=%00', '?subject=a&other=b'].map((query) => ({
      path: `/v1/experiments/{key}/assignment${query}`,
    })),
  },
  'POST /v1/experiments/{key}/exposures': {
    scope: 'experiments',
    body: { subject: 'reader' },
    ok: { 200: [{}, { body: { subject: 'other' } }] },
    absent: absentExperiment('/exposures'),
    invalid: [{ body: {} }, { body: { subject: '' } }, { body: { subject: '\u0000' } }, { body: { subject: 3 } }],
  },
  'POST /v1/experiments/{key}/outcomes': {
    scope: 'experiments',
    body: { outcomes: [outcome] },
    ok: { 200: [{}, { body: { outcomes: [outcome, outcome, { ...outcome, eventId: 'e-2', subject: 'nobody' }] } }] },
    absent: absentExperiment('/outcomes'),
    invalid: [
      { body: {} },
      { body: { outcomes: [] } },
      { body: { outcomes: [{ ...outcome, subject: 'nobody' }] } },
      { body: { outcomes: [{ ...outcome, metric: 'none' }] } },
      { body: { outcomes: [{ ...outcome, at: 'now' }] } },
      { body: { outcomes: Array.from({ length: 1001 }, () => outcome) } },
    ],
  },
  'GET /v1/webhooks': {
    scope: 'digests',
    ok: { 200: [{}, { path: '/v1/webhooks?limit=1&status=failed' }] },
    invalid: [...wrongPages('/v1/webhooks'), { path: '/v1/webhooks?status=lost' }],
  },
  'POST /v1/webhooks/{id}/retry': {
    scope: 'digests',
    ok: { 202: {} },
    again: 'webhook-not-failed',
    absent: [{ path: '/v1/webhooks/msg_0/retry' }],
    conflicts: { 'webhook-not-failed': { path: '/v1/webhooks/{pending}/retry' } },
  },
};

/** Names that paths and bodies hold in braces. */
type Names = Readonly<Record<'id' | 'documentId' | 'pending' | 'key' | 'collection', string>>;
const NOBODYS: Names = { id: 'none', documentId: 'a', pending: 'none', key: 'none', collection: 'none' };

export interface RouteService extends KeyedService {
  readonly key: string;
  /** Asks a route as it is in the table, but for what is said. */
  send(route: string, ask?: Ask, key?: string | null): Promise<Response>;
}

/** A service that is asked by the table. */
export async function service(options: TestOptions = {}, names: Names = NOBODYS): Promise<RouteService> {
  const made = keyedService(options);
  const key = await made.keyFor('own', ...SCOPES);
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (braced, name: keyof Names) => names[name] ?? braced);
  return {
    ...made,
    key,
    async send(route, { path, body = ROUTES[route].body, headers } = {}, as = key) {
      const [method, template] = route.split(' ');
      const sent = body === undefined || typeof body === 'string' ? body : fill(JSON.stringify(body));
      return made.ask(as, method, fill(path ?? ROUTES[route].path ?? template), {
        ...(sent !== undefined && { body: sent }),
        ...(headers && { headers }),
      });
    },
  };
}

/** A service with an experiment: a draft where it is to be started, else one that runs and was seen; and a neighbour. */
async function experimentService(route: string, options: TestOptions): Promise<RouteService> {
  const key = DRAFT.key;
  const made = await service(options, { ...NOBODYS, key });
  const make = async (body: object) => made.ask(made.key, 'POST', '/v1/experiments', { body });
  await make({ ...DRAFT, key: 'neighbour', status: 'running' });
  if (route === 'POST /v1/experiments') return made;
  await make({ ...DRAFT, ...(!route.endsWith('/start') && { status: 'running' }) });
  await made.ask(made.key, 'POST', `/v1/experiments/${key}/exposures`, { body: { subject: 'reader' } });
  return made;
}

const FAILURE = {
  type: 'urn:tessera:problem:internal-error',
  title: 'Internal error',
  status: 500,
  detail: 'It failed.',
};

/** A service with a digest that failed and one that waits, or with a webhook that was given up and one that waits. */
async function failedService(route: string, options: TestOptions): Promise<RouteService> {
  const database = memoryDatabase();
  const idle = await service({ database, slots: 0 });
  const body = { documents, callbackUrl: 'https://hooks.example/in' };
  const submit = async () => idIn(await idle.send('POST /v1/digests', { body, headers: { prefer: 'respond-async' } }));
  const [id, pending] = [await submit(), await submit()];
  const lease = await takeJob(database, id, 'test', 60_000);
  if (lease === null) throw new Error('the job is taken');
  await database.commit(endJob(database, lease, { status: 'failed', answer: null, problem: JSON.stringify(FAILURE) }));
  const names = { ...NOBODYS, id, pending };
  if (route.includes('/v1/digests')) return service({ ...options, database, slots: 0 }, names);
  for (const [digestId, state] of [
    [id, 'failed'],
    [pending, 'waiting'],
  ] as const) {
    await database.commit([
      insertWebhook(database, { tenant: 'own', digestId, url: body.callbackUrl, payload: '{}' }),
      database.query.update(webhooks).set({ state }).where(eq(webhooks.digestId, digestId)),
    ]);
  }
  const [webhook, waiting] = [id, pending].map((digest) => digest.replace('dig_', 'msg_'));
  return service({ ...options, database, slots: 0 }, { ...names, id: webhook, pending: waiting });
}

/** A service that has a collection with a document and a subscription, and a digest; and, where nothing is posted, a digest that nobody makes. */
export async function filledService(route: string, options: TestOptions = {}): Promise<RouteService> {
  if (route.includes('/v1/experiments')) return experimentService(route, options);
  if (route.endsWith('/retry') || route.includes('/v1/webhooks')) return failedService(route, options);
  const database = memoryDatabase();
  const maker = await service({ database });
  const digest = await idIn(await maker.send('POST /v1/digests'));
  const collection = await idIn(await maker.send('POST /v1/collections'));
  await maker.ask(maker.key, 'PUT', `/v1/collections/${collection}/documents/a`, { body: { text: 'Sales fell.' } });
  const subscription = { collection, intent: 'What is new?', webhook: { url: 'https://hooks.example/in' } };
  const subscribed = await idIn(await maker.send('POST /v1/subscriptions', { body: subscription }));
  await maker.parts.worker.stop(0);
  const [, kind] = /\/v1\/(collections|subscriptions)/.exec(route) ?? [];
  const id = kind === 'collections' ? collection : kind === 'subscriptions' ? subscribed : digest;
  if (route.startsWith('POST ')) return service({ ...options, database }, { ...NOBODYS, id, collection });
  const idle = await service({ database, slots: 0 });
  const pending = await idIn(await idle.send('POST /v1/digests', { headers: { prefer: 'respond-async' } }));
  return service({ database, slots: 0 }, { ...NOBODYS, id, pending });
}
