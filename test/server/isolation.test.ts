import { describe, expect, test } from 'vitest';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import { idIn, type KeyedService, keyedService } from '../support/keyed-service.ts';
import type { TestOptions } from '../support/test-deps.ts';

const DOCUMENTS = [{ id: 'a', text: 'The zeppelin lands on Monday. It costs 4 euros to see it.' }];
const later = { prefer: 'respond-async' };
const KEY = { 'idempotency-key': 'shared' };
const unknown = { digest: 'dig_0', collection: 'col_0', subscription: 'sub_0' };
/** Of the one who has something; its subject saw it. */
const EXPERIMENT = { ...NEW_EXPERIMENT, key: 'of-the-zeppelin', hypothesis: 'The zeppelin lands.' };

/** What one tenant has: as much as there is to have. */
interface Owned {
  readonly digests: readonly string[];
  readonly finished: string;
  readonly pending: string;
  readonly collection: string;
  readonly subscription: string;
  readonly ids: readonly string[];
}

interface Two extends KeyedService {
  readonly own: string;
  readonly other: string;
  readonly owned: Owned;
}

/** A service with two tenants, of whom one has something. What is pending stays so. */
async function two({ app, ...options }: TestOptions = {}): Promise<Two> {
  const maker = keyedService({ ...options, ...(app && { app }) });
  const own = await maker.keyFor('own', 'digests', 'experiments', 'admin');
  const other = await maker.keyFor('other', 'digests', 'experiments', 'admin');
  const make = async (path: string, body: unknown, headers = {}) =>
    idIn(await maker.ask(own, 'POST', path, { body, headers }));
  const finished = await make('/v1/digests', { documents: DOCUMENTS }, KEY);
  const collection = await make('/v1/collections', { name: 'Of the zeppelin' });
  const documentPath = `/v1/collections/${collection}/documents/a`;
  expect(
    (await maker.ask(own, 'PUT', documentPath, { body: { text: DOCUMENTS[0].text, title: 'Zeppelin' } })).status,
  ).toBe(201);
  const ofCollection = await make('/v1/digests', { collection });
  const subscription = await make('/v1/subscriptions', { collection, intent: 'What of the zeppelin?' });
  const background = { digest: finished };
  const update = await make('/v1/digests', { documents: DOCUMENTS, intent: { problem: 'What is new?', background } });
  expect((await maker.ask(own, 'POST', '/v1/experiments', { body: EXPERIMENT })).status).toBe(201);
  const seen = { body: { subject: 'captain' } };
  expect((await maker.ask(own, 'POST', `/v1/experiments/${EXPERIMENT.key}/exposures`, seen)).status).toBe(200);
  await maker.parts.worker.stop(0);
  const service = keyedService({ ...options, database: maker.parts.database, slots: 0, ...(app && { app }) });
  const pending = await idIn(
    await service.ask(own, 'POST', '/v1/digests', {
      body: { collection, intent: { problem: 'New?', background } },
      headers: later,
    }),
  );
  const digests = [finished, ofCollection, update, pending];
  const made = { digests, finished, pending, collection, subscription };
  return { ...service, own, other, owned: { ...made, ids: [...digests, collection, subscription] } };
}

async function routesOf({ app }: KeyedService): Promise<[string, string][]> {
  const { paths } = Object(await (await app.request('/openapi.json')).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).map((method): [string, string] => [method.toUpperCase(), path]),
  );
}

/** All that a tenant can read, as text. */
async function world(service: Two, key: string): Promise<string> {
  const { ask, owned } = service;
  const paths = [
    '/v1/digests',
    '/v1/collections',
    ...owned.digests.map((id) => `/v1/digests/${id}`),
    ...owned.digests.flatMap((id) => ['map', 'request', 'documents/a'].map((part) => `/v1/digests/${id}/${part}`)),
    `/v1/collections/${owned.collection}`,
    `/v1/collections/${owned.collection}/documents`,
    `/v1/collections/${owned.collection}/documents/a`,
    '/v1/subscriptions',
    `/v1/subscriptions/${owned.subscription}`,
    '/v1/experiments',
    `/v1/experiments/${EXPERIMENT.key}`,
    `/v1/experiments/${EXPERIMENT.key}/results`,
  ];
  const told: string[] = [];
  for (const path of paths) {
    const response = await ask(key, 'GET', path);
    told.push(`${path} ${response.status} ${await response.text()}`);
  }
  return told.join('\n');
}

const body = { text: 'The zeppelin is cancelled.' };
const outcomes = [{ eventId: 'e', subject: 'captain', metric: 'source-opened' }];
/** What routes are sent that have an id in their address. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/collections/{id}/documents': { documents: [{ id: 'a', text: 'Trams run.' }] },
  'PUT /v1/collections/{id}/documents/{documentId}': body,
  'PATCH /v1/subscriptions/{id}': { state: 'paused' },
  'PUT /v1/experiments/{key}': { hypothesis: 'It does not land.' },
  'POST /v1/experiments/{key}/exposures': { subject: 'captain' },
  'POST /v1/experiments/{key}/outcomes': { outcomes },
};
/** Requests that name what is another's, and what they are answered. */
const NAMING: Readonly<Record<string, (ids: { digest: string; collection: string }) => readonly [number, unknown][]>> =
  {
    '/v1/digests': ({ digest, collection }) => [
      [404, { collection }],
      [404, { collection: digest }],
      [422, { documents: DOCUMENTS, intent: { problem: 'What is new?', background: { digest } } }],
      [422, { documents: DOCUMENTS, intent: { problem: 'What is new?', background: { digest: collection } } }],
      [422, { documents: DOCUMENTS, experiment: { key: EXPERIMENT.key, subject: 'captain' } }],
    ],
    '/v1/selections': ({ digest, collection }) => [
      [404, { digest }],
      [404, { digest: collection }],
    ],
    '/v1/evaluations': ({ digest, collection }) => [
      [404, { metric: 'summhay', digest, insights: [{ id: 'i', text: 'It lands.' }] }],
      [404, { metric: 'summhay', digest: collection, insights: [{ id: 'i', text: 'It lands.' }] }],
      [404, { metric: 'key-point-recall', digest, keyPoints: ['It lands.'] }],
      [404, { metric: 'argue', digest, nuggets: [] }],
      [404, { metric: 'source-coverage', digest, questions: [{ question: 'When?', answer: 'Now.', document: 'a' }] }],
    ],
    '/v1/subscriptions': ({ digest, collection }) => [
      [404, { collection, intent: 'New?' }],
      [404, { collection: digest, intent: 'New?' }],
    ],
    '/v1/experiments': () => [],
    '/v1/key-points': () => [],
    '/v1/tables': ({ digest, collection }) => [
      [404, { collection, questions: ['When does it land?'] }],
      [404, { collection: digest, questions: ['When does it land?'] }],
    ],
    '/v1/collections': () => [],
  };

function nowhereFor(id: string): string {
  return `${id.split('_')[0]}_0`;
}

test('what another tenant has is not there, by every route that has its id in its address', async () => {
  const service = await two();
  const { ask, own, other, owned } = service;
  const before = await world(service, own);
  let asked = 0;
  for (const [method, template] of await routesOf(service)) {
    if (!template.includes('{')) continue;
    const query = template.endsWith('/assignment') ? '?subject=captain' : '';
    for (const id of template.includes('{key}') ? [EXPERIMENT.key] : owned.ids) {
      for (const accept of ['application/json', 'text/event-stream']) {
        const path = template.replace(/\{(?:id|key)\}/, id).replace('{documentId}', 'a') + query;
        expect(path, 'an address that this test cannot fill').not.toContain('{');
        const sent = BODIES[`${method} ${template}`];
        const foreign = await ask(other, method, path, {
          headers: { accept },
          ...(sent !== undefined && { body: sent }),
        });
        expect(foreign.status, `${method} ${path}`).toBe(404);
        // And it is told apart from what does not exist by nothing.
        const nowhere = path.replace(id, nowhereFor(id));
        const absent = await ask(other, method, nowhere, {
          headers: { accept },
          ...(sent !== undefined && { body: sent }),
        });
        expect(await foreign.text()).toBe(await absent.text());
        asked++;
      }
    }
  }
  expect(asked).toBeGreaterThanOrEqual(14 * owned.ids.length + 16);
  expect(await world(service, own)).toBe(before);
});

test('nor by any body that names it', async () => {
  const service = await two();
  const { ask, own, other, owned, parts } = service;
  const before = await world(service, own);
  const { query } = parts.database.query;
  const jobs = await query.jobs.findMany();
  for (const [method, path] of await routesOf(service)) {
    if (method !== 'POST' || path.includes('{')) continue;
    const naming = NAMING[path];
    expect(naming, `a route that this test does not know: ${path}`).toBeTypeOf('function');
    for (const digest of owned.digests) {
      const ids = { digest, collection: owned.collection };
      const absent = naming(unknown);
      for (const [index, [status, sent]] of naming(ids).entries()) {
        for (const headers of [{}, later, { accept: 'text/event-stream' }]) {
          const foreign = await ask(other, 'POST', path, { body: sent, headers });
          expect(foreign.status, JSON.stringify(sent)).toBe(status);
          const nowhere = await ask(other, 'POST', path, { body: absent[index][1], headers });
          expect(await foreign.text()).toBe(await nowhere.text());
        }
      }
    }
  }
  expect(await query.jobs.findMany()).toEqual(jobs);
  expect(await world(service, own)).toBe(before);
});

test('the same ids are there for who has them: the answers above are no accident', async () => {
  const { ask, own, owned } = await two();
  for (const [route, sent] of Object.entries(BODIES)) {
    const id = route.includes('/collections/') ? owned.collection : owned.subscription;
    const named = route.replace('{key}', EXPERIMENT.key).replace('{id}', id).replace('{documentId}', 'a');
    const [method, path] = named.split(' ');
    expect((await ask(own, method, path, { body: sent })).status, route).toBe(200);
  }
  for (const id of owned.digests) {
    for (const part of ['', '/request', '/documents/a']) {
      expect((await ask(own, 'GET', `/v1/digests/${id}${part}`)).status, part).toBe(200);
    }
  }
  expect((await ask(own, 'GET', `/v1/digests/${owned.finished}/key-points`)).status).toBe(200);
  expect((await ask(own, 'GET', `/v1/collections/${owned.collection}/documents/a`)).status).toBe(200);
  expect((await ask(own, 'POST', '/v1/selections', { body: { digest: owned.finished } })).status).toBe(200);
  for (const [index, [, sent]] of NAMING['/v1/evaluations']({ digest: owned.finished, collection: '' }).entries()) {
    // The embedded judge does not score key points, which is found out once the digest is read.
    const isRefused = JSON.stringify(sent).includes('key-point-recall');
    const { status } = await ask(own, 'POST', '/v1/evaluations', { body: sent });
    if (index !== 1) expect(status).toBe(isRefused ? 422 : 200);
  }
  for (const [, sent] of [NAMING['/v1/digests']({ digest: owned.finished, collection: owned.collection })].flatMap(
    (all) => [all[0], all[2]],
  )) {
    expect((await ask(own, 'POST', '/v1/digests', { body: sent, headers: later })).status).toBe(202);
  }
});

describe('what is kept', () => {
  test('an idempotency key of one is no key of another', async () => {
    const service = keyedService();
    const own = await service.keyFor('own', 'digests');
    const other = await service.keyFor('other', 'digests');
    const post = async (key: string, sent: unknown = { documents: DOCUMENTS }) =>
      service.ask(key, 'POST', '/v1/digests', { body: sent, headers: KEY });
    const first = await idIn(await post(own));
    const theirs = await post(other);
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(await idIn(theirs)).not.toBe(first);
    expect(await idIn(await post(own))).toBe(first);
    const third = await service.keyFor('third', 'digests');
    expect((await post(third, { documents: [{ id: 'b', text: 'Another request.' }] })).status).toBe(201);
  });

  test('texts, extractions and encodings of one save another no work: who asks cannot tell what was read before', async () => {
    const service = keyedService();
    const [own, other] = [await service.keyFor('own', 'digests'), await service.keyFor('other', 'digests')];
    const usage = async (key: string) => {
      const response = await service.ask(key, 'POST', '/v1/digests', { body: { documents: DOCUMENTS } });
      return Object(await response.json()).usage;
    };
    const first = await usage(own);
    expect(first).toMatchObject({ reusedExtractions: 0, reusedEncodings: 0 });
    expect(await usage(own)).toMatchObject({ reusedExtractions: 1 });
    expect(await usage(other)).toMatchObject({ reusedExtractions: 0, reusedEncodings: 0 });
  });
});
