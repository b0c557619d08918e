import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prometheusMetrics } from '../../src/server/runtime/node/service-metrics.node.ts';
import { countJobs } from '../../src/store/index.ts';
import { CITY } from '../support/documents.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { type TestOptions, testApp } from '../support/test-deps.ts';
import { checkAnswer } from './check-answer.ts';
import { type Contract, type Operation, servedContract } from './contract.ts';
import { SIZES, told } from './experiments-support.ts';
import { oddBodies, oddHeaders, oddQueries, oddSegments, type Sent } from './odd-requests.ts';
import { requestArbitrary } from './schema-arbitrary.ts';

const SEED = 20261121;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Digests that may be deleted. */
const SPARE = 5;

type Ask = (request: Request) => Promise<Response> | Response;

/** A service with a digest and a collection in it. */
async function startFuzz(options: TestOptions = {}) {
  const metrics = prometheusMetrics({ queue: async () => ({ queued: 0, running: 0 }), waitingWebhooks: async () => 0 });
  const service = testApp({ maxBodyBytes: 64 * 1024, ...options, app: { metrics } });
  const { app, post, parts } = service;
  const documents = CITY.slice(0, 2);
  const { id: digest } = Object(await (await post('/v1/digests', { documents })).json());
  const { id: collection } = Object(await (await post('/v1/collections', {})).json());
  const asked = { collection, intent: 'What is new?' };
  const { id: subscription } = Object(await (await post('/v1/subscriptions', asked)).json());
  const known = {
    digest: String(digest),
    collection: String(collection),
    subscription: String(subscription),
    documents: documents.map((document) => document.id),
    spare: [] as string[],
    experiment: SIZES.key,
    subject: 'reader',
    drafts: [] as string[],
    running: [] as string[],
  };
  await told(post('/v1/experiments', { ...SIZES, status: 'running' }), 201);
  await told(post(`/v1/experiments/${SIZES.key}/exposures`, { subject: known.subject }));
  for (let i = 0; i < SPARE; i++) {
    for (const [keys, status] of [
      [known.drafts, 'draft'],
      [known.running, 'running'],
    ] as const) {
      const key = `${status}-${i}`;
      await told(post('/v1/experiments', { ...SIZES, key, status }), 201);
      keys.push(key);
    }
  }
  for (let i = 0; i < SPARE; i++) known.spare.push(Object(await (await post('/v1/digests', { documents })).json()).id);
  for (const { id, text } of documents) {
    await app.request(`/v1/collections/${known.collection}/documents/${id}`, {
      method: 'PUT',
      headers: JSON_HEADERS,
      body: JSON.stringify({ text }),
    });
  }
  return {
    ...service,
    known,
    contract: await servedContract(app),
    ask: (request: Request) => app.request(request),
    parts,
  };
}

type Fuzzed = Awaited<ReturnType<typeof startFuzz>>;

/** Experiments that a route may do with what it does. */
function experimentsFor(method: string, path: string, known: Fuzzed['known']): readonly string[] {
  if (path.endsWith('/stop')) return known.running;
  return method === 'put' || path.endsWith('/start') ? known.drafts : [known.experiment];
}

/** Requests for an operation as the contract describes them. */
function likely(
  { method, path, parameters, body }: Operation,
  contract: Contract,
  known: Fuzzed['known'],
): fc.Arbitrary<Sent> {
  const kind = path.startsWith('/v1/digests') ? 'digest' : path.includes('subscri') ? 'subscription' : 'collection';
  const ids = [known[kind], 'none_0'];
  // What is asked for again and again must still be there.
  if (method === 'delete' && !path.includes('{documentId}'))
    ids.splice(0, 1, ...(path.startsWith('/v1/digests') ? known.spare : []));
  const url = fc
    .record({
      id: fc.constantFrom(ids[0], ...ids),
      key: fc.constantFrom(...experimentsFor(method, path, known), 'none'),
      documentId: fc.constantFrom('council', 'shops', 'shops', 'a b/ü%'),
    })
    .map((parts) => path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof parts) => encodeURIComponent(parts[name])));
  const asked = new Set(parameters.filter((each) => each.in === 'query').map((each) => each.name));
  const query = fc.constantFrom(
    ...(asked.has('subject') ? [`?subject=${known.subject}`, '?subject=%C3%BC'] : ['']),
    ...(asked.has('limit') ? ['?limit=1', '?limit=100'] : []),
    ...(asked.has('dimensions') ? ['?dimensions=2', '?dimensions=50'] : []),
    ...(asked.has('version') ? ['?version=1'] : []),
    ...(asked.has('alpha') ? ['?alpha=0.01&correction=benjamini-hochberg'] : []),
  );
  const headers = fc.constantFrom<Record<string, string>>(
    {},
    {},
    { prefer: 'respond-async' },
    { accept: 'text/event-stream' },
  );
  const sent = body === undefined ? fc.constant(undefined) : requestArbitrary(body.schema, contract, known);
  return fc.tuple(url, query, headers, sent).map(([at, asked, extra, value]) => ({
    method: method.toUpperCase(),
    url: at + asked,
    headers: { ...(body && JSON_HEADERS), ...extra },
    ...(body && { body: JSON.stringify(value) }),
  }));
}

/** The same with something wrong in the body, the headers, the path or the query, or in several. */
function odd(operation: Operation, contract: Contract, known: Fuzzed['known']): fc.Arbitrary<Sent> {
  const { path, body, parameters } = operation;
  const takes = (place: string) => parameters.some((each) => each.in === place);
  const places = ['headers', ...(body ? ['body', 'body'] : []), ...['path', 'query'].filter(takes)];
  const bodies =
    body === undefined ? fc.constant(undefined) : oddBodies(requestArbitrary(body.schema, contract, known));
  const faults = fc.subarray(places, { minLength: 1, maxLength: Math.min(2, places.length) });
  const segments = fc.array(oddSegments, { minLength: 2, maxLength: 2 });
  return fc
    .tuple(likely(operation, contract, known), faults, bodies, oddHeaders, segments, oddQueries)
    .map(([valid, at, text, headers, parts, query]) => {
      const [good, asked = ''] = valid.url.split(/(?=\?)/);
      let segment = 0;
      const url = at.includes('path') ? path.replaceAll(/\{\w+\}/g, () => parts[segment++]) : good;
      return {
        ...valid,
        url: url + (at.includes('query') ? query : asked),
        headers: at.includes('headers') ? { ...valid.headers, ...headers } : valid.headers,
        ...(at.includes('body') && { body: text }),
      };
    });
}

const request = ({ method, url, headers, body }: Sent) =>
  new Request(`http://localhost${url}`, { method, headers, ...(body !== undefined && { body }) });

/** Sends requests until one is answered otherwise than the contract says. */
async function fuzz(
  requests: fc.Arbitrary<Sent>,
  operation: Operation,
  { contract, ask, parts }: Pick<Fuzzed, 'contract' | 'parts'> & { readonly ask: Ask },
  runs: number,
) {
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(requests, async (sent) => {
    const response = await ask(request(sent));
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    await checkAnswer(response, operation, contract);
    expect(parts.errors).toEqual([]);
    expect(parts.jobFailures).toEqual([]);
  });
  // Not made smaller: what one request broke, the service remembers.
  const details = await fc.check(property, { seed: SEED, numRuns: runs, endOnFailure: true });
  return { failed: details.failed, report: await fc.asyncDefaultReportMessage(details), statuses };
}

/** Until no digest is under way. */
async function idle({ parts }: Fuzzed): Promise<void> {
  await expect
    .poll(
      async () => {
        const { queued, running } = await countJobs(parts.database);
        return queued + running;
      },
      { timeout: 10_000 },
    )
    .toBe(0);
}

describe('every operation answers as the contract says', () => {
  test('requests that fit it', async () => {
    const service = await startFuzz();
    for (const operation of service.contract.operations) {
      const runs = operation.body === undefined ? 10 : 50;
      const requests = likely(operation, service.contract, service.known);
      const { failed, report, statuses } = await fuzz(requests, operation, service, runs);
      expect(failed, report).toBe(false);
      const good = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
      // What is removed is gone, and nothing here failed for good; else nothing but refusals was looked at.
      const isOnce = operation.method === 'delete' || operation.name.endsWith('/retry');
      if (!isOnce) expect(good / runs, `${operation.name}: ${JSON.stringify([...statuses])}`).toBeGreaterThan(0.1);
    }
    await idle(service);
    expect(service.parts.jobFailures).toEqual([]);
    // Of all that was told of it meanwhile.
    const { contract, known, ask } = service;
    const operation = contract.operations.find(({ name }) => name === 'GET /v1/experiments/{key}/results');
    const shown = await ask(new Request(`http://localhost/v1/experiments/${known.experiment}/results`));
    expect(Object(await shown.clone().json()).dataVersion).toBeGreaterThan(8);
    if (operation !== undefined) await checkAnswer(shown, operation, contract);
    expect(shown.status).toBe(200);
  });

  test('requests that do not', async () => {
    const service = await startFuzz();
    const all = new Map<number, number>();
    for (const operation of service.contract.operations) {
      const runs = operation.body === undefined ? 40 : 100;
      const requests = odd(operation, service.contract, service.known);
      const { failed, report, statuses } = await fuzz(requests, operation, service, runs);
      expect(failed, report).toBe(false);
      for (const [status, count] of statuses) all.set(status, (all.get(status) ?? 0) + count);
    }
    await idle(service);
    expect(service.parts.errors).toEqual([]);
    expect(service.parts.jobFailures).toEqual([]);
    expect([...all.keys()]).toEqual(expect.arrayContaining([200, 201, 202, 400, 403, 404, 415, 422]));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('what is broken is found', () => {
  const find = ({ operations }: Contract, name: string) => {
    const found = operations.find((operation) => operation.name === name);
    if (found === undefined) throw new Error(`${name} is not in the contract`);
    return found;
  };

  test('a selection that fails for one strategy, and the request that shows it', async () => {
    const engine = new InProcessEngine();
    const { select } = engine;
    engine.select = async (task, options) => {
      if (options.strategy === 'random') throw new TypeError('not foreseen');
      return select.call(engine, task, options);
    };
    const service = await startFuzz({ engine });
    const operation = find(service.contract, 'POST /v1/selections');
    const { failed, report } = await fuzz(likely(operation, service.contract, service.known), operation, service, 1000);
    expect(failed).toBe(true);
    expect(report).toMatch(/"url":"\/v1\/selections"[\s\S]*\\"strategy\\":\\"random\\"/);
  });

  const relay =
    (change: (response: Response, body: unknown) => Response) =>
    async ({ app }: Fuzzed, sent: Request) => {
      const response = await app.request(sent);
      const text = await response.clone().text();
      return change(response, text.startsWith('{') ? JSON.parse(text) : text);
    };
  test.each([
    [
      'a status that is not in the contract',
      relay(({ headers }, body) => new Response(JSON.stringify(body), { status: 418, headers })),
    ],
    [
      'a field that is missing',
      relay(
        ({ status, headers }, body) =>
          new Response(JSON.stringify({ ...Object(body), createdAt: undefined }), { status, headers }),
      ),
    ],
  ])('%s', async (_, broken) => {
    const service = await startFuzz();
    const operation = find(service.contract, 'POST /v1/collections');
    const requests = likely(operation, service.contract, service.known);
    expect((await fuzz(requests, operation, service, 5)).failed).toBe(false);
    const ask = (sent: Request) => broken(service, sent);
    expect((await fuzz(requests, operation, { ...service, ask }, 5)).failed).toBe(true);
  });
});
