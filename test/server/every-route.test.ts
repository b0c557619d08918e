import { describe, expect, test } from 'vitest';
import { problemSchema } from '../../src/contract/index.ts';
import { NO_METRICS } from '../../src/server/service-metrics.ts';
import { makeApiKey } from '../../src/store/api-keys.ts';
import { listKeys, revokeKey, SCOPES, StorageFullError } from '../../src/store/index.ts';
import { encodings, idempotencyKeys } from '../../src/store/schema.ts';
import { type JsonSchema, misfits } from '../support/json-schema.ts';
import { TEST_LIMITS, type TestOptions, testApp } from '../support/test-deps.ts';
import { type Ask, filledService, ROUTES, type RouteService, service } from './route-table.ts';

const keyed = Object.entries(ROUTES).filter(([, { scope }]) => scope !== null);
const withBody = keyed.filter(([, { body }]) => body !== undefined);
const posts = keyed.filter(([route]) => route.startsWith('POST '));

const bodyless = posts.filter(([, { body }]) => body === undefined);

/** A service with nothing in it but what the address of the route names. */
async function serviceFor(route: string, options: TestOptions = {}): Promise<RouteService> {
  return /experiments|subscriptions|retry$|{id}\/documents$/.test(route)
    ? filledService(route, options)
    : service(options);
}

interface OpenApi {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: JsonSchema }> }> }
    >
  >;
}
let read: Promise<OpenApi> | undefined;
/** The document as it is served; read once, by the first test that wants it. */
async function published(): Promise<OpenApi> {
  read ??= (async () => (await testApp().app.request('/openapi.json')).json() as Promise<OpenApi>)();
  return read;
}

function documented({ paths }: OpenApi, route: string): OpenApi['paths'][string][string]['responses'] | undefined {
  const [method, path] = route.split(' ');
  return paths[path]?.[method.toLowerCase()]?.responses;
}

/** What the tests below saw each route answer. */
const seen = new Map<string, Set<number>>();

/** Holds an answer to what is documented of its route, and remembers that it was seen. */
async function expectAnswer(route: string, response: Response, status: number, code?: string): Promise<Response> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  seen.set(route, (seen.get(route) ?? new Set()).add(status));
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (code !== undefined) {
    expect(type).toBe('application/problem+json');
    expect(problemSchema.strict().parse(JSON.parse(text))).toMatchObject({
      type: `urn:tessera:problem:${code}`,
      status,
    });
  }
  const contract = await published();
  const answers = documented(contract, route);
  if (answers === undefined) return response;
  expect(Object.keys(answers), `${route} is documented to answer`).toContain(String(status));
  const { content } = answers[status];
  if (content === undefined) expect(text).toBe('');
  else expect(Object.keys(content)).toContain(type);
  if (type.endsWith('json')) expect(misfits(JSON.parse(text), content?.[type].schema ?? {}, contract)).toEqual([]);
  return response;
}

function expectRate({ headers }: Response): void {
  expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=\d+$/);
  expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
}

function expectRetryAfter({ headers }: Response): void {
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** Every ask of a field of the table, by its route. */
function asksOf(field: 'absent' | 'invalid'): [string, Ask][] {
  return Object.entries(ROUTES).flatMap(([route, row]) => (row[field] ?? []).map((ask): [string, Ask] => [route, ask]));
}

test('the table knows every route of the app, and of the document', async () => {
  const { app } = testApp();
  // Messages at /mcp are described by their protocol: test/mcp.
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/mcp');
  const served = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
  expect([...served].sort()).toEqual(Object.keys(ROUTES).sort());
  const inDocument = Object.entries((await published()).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...inDocument, 'GET /openapi.json'].sort()).toEqual(Object.keys(ROUTES).sort());
});

describe('2xx', () => {
  const asks = Object.entries(ROUTES).flatMap(([route, { ok }]) =>
    Object.entries(ok).flatMap(([status, ask]) =>
      [ask].flat().map((each: Ask): [number, string, Ask] => [Number(status), route, each]),
    ),
  );
  test.each(asks)('%i of %s %j', async (status, route, ask) => {
    const { send } = await filledService(route);
    const response = await expectAnswer(route, await send(route, ask), status);
    if (ROUTES[route].scope !== null) expectRate(response);
    // A table is not stored, so it has no address.
    if (status === 201 && route.startsWith('POST ') && route !== 'POST /v1/tables') {
      expect(response.headers.get('location')).toMatch(
        /^\/v1\/(?:\w+\/(?:dig|col|sub)_[0-9a-f]{32}|experiments\/[\w-]+)$/,
      );
    }
  });
});

describe('400', () => {
  test.each(withBody)('of %s for a body that is no JSON', async (route) => {
    const { send } = await service();
    for (const body of ['{', '', '{"a":1}}', "{'a':1}"]) {
      expectRate(await expectAnswer(route, await send(route, { body }), 400, 'malformed-json'));
    }
  });

  test.each(posts)('of %s for a malformed Idempotency-Key', async (route) => {
    const { send } = await service();
    for (const key of ['', 'a b', '"é"', 'é', 'x'.repeat(256), `"${'x'.repeat(256)}"`]) {
      const response = await send(route, { headers: { 'idempotency-key': key } });
      await expectAnswer(route, response, 400, 'malformed-idempotency-key');
    }
  });
});

describe('401', () => {
  test.each(keyed)('of %s without a key, with a wrong one and with one that is revoked', async (route) => {
    const { send, parts, keyFor } = await service();
    const revoked = await keyFor('own', 'digests', 'admin');
    const rows = await listKeys(parts.database);
    await revokeKey(parts.database, String(rows.find(({ shown }) => revoked.startsWith(shown))?.id));
    const answers: [string | null, string][] = [
      [null, 'authentication-required'],
      [makeApiKey(), 'invalid-key'],
      ['none', 'invalid-key'],
      [revoked, 'invalid-key'],
    ];
    for (const [key, code] of answers) {
      const response = await expectAnswer(route, await send(route, {}, key), 401, code);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    const basic = await send(route, { headers: { authorization: 'Basic b3duOm93bg==' } }, null);
    await expectAnswer(route, basic, 401, 'authentication-required');
  });
});

describe('403', () => {
  test.each(keyed)('of %s with a key for something else', async (route, { scope }) => {
    const { send, keyFor } = await service();
    const others = SCOPES.filter((each) => each !== scope);
    for (const other of [others, others.slice(0, 1), others.slice(1)]) {
      const response = await send(route, {}, await keyFor('own', ...other));
      expectRate(await expectAnswer(route, response, 403, 'insufficient-scope'));
    }
  });
});

describe('404', () => {
  test.each(asksOf('absent'))('of %s %j', async (route, ask) => {
    const { send } = await filledService(route);
    expectRate(await expectAnswer(route, await send(route, ask), 404, 'not-found'));
  });

  test('of metrics where nothing is counted', async () => {
    const nothing = { ...NO_METRICS };
    const { send } = await service({ app: { metrics: nothing } });
    await expectAnswer('GET /metrics', await send('GET /metrics'), 404, 'not-found');
  });
});

describe('409', () => {
  test.each(
    Object.entries(ROUTES).flatMap(([route, { conflicts = {} }]) =>
      Object.entries(conflicts).map(([code, ask]): [string, string, Ask] => [route, code, ask]),
    ),
  )('of %s, %s: %j', async (route, code, ask) => {
    const { send } = await filledService(route);
    expectRate(await expectAnswer(route, await send(route, ask), 409, code));
  });

  test.each(posts)('of %s while the request that came first with its key is served', async (route, { again }) => {
    const { send, parts } = await serviceFor(route);
    const headers = { 'idempotency-key': 'k-1' };
    expect((await send(route, { headers })).ok).toBe(true);
    // As it was before it was answered.
    const { query } = parts.database;
    await query.update(idempotencyKeys).set({ status: null, owner: 'call_1', lockedUntil: Date.now() + 10_000 });
    expectRetryAfter(await expectAnswer(route, await send(route, { headers }), 409, 'idempotency-key-in-flight'));
    await query.update(idempotencyKeys).set({ lockedUntil: 0 });
    const last = await send(route, { headers });
    if (again === undefined) expect(last.ok).toBe(true);
    else await expectAnswer(route, last, 409, again);
  });
});

describe('413', () => {
  test.each([...withBody, ...bodyless])('of %s', async (route) => {
    const { send } = await service({ maxBodyBytes: 1000 });
    const body = JSON.stringify({ name: 'x'.repeat(1000) });
    await expectAnswer(route, await send(route, { body }), 413, 'body-too-large');
  });
});

describe('415', () => {
  test.each(withBody)('of %s', async (route) => {
    const { send } = await service();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ]) {
      const response = await send(route, { headers: { 'content-type': type } });
      expectRate(await expectAnswer(route, response, 415, 'unsupported-media-type'));
    }
  });

  test.each(bodyless)('of %s, asked by a page', async (route) => {
    const { send } = await service();
    for (const type of ['text/plain', '']) {
      const response = await send(route, { headers: { origin: 'http://localhost:3000', 'content-type': type } });
      expectRate(await expectAnswer(route, response, 415, 'unsupported-media-type'));
    }
  });
});

describe('422', () => {
  test.each(asksOf('invalid'))('of %s %j', async (route, ask) => {
    const { send } = await filledService(route);
    const response = await send(route, ask);
    const { errors = [] } = Object(await response.clone().json());
    expect(errors.length).toBeGreaterThan(0);
    expectRate(await expectAnswer(route, response, 422, 'invalid-request'));
  });

  test.each(posts)('of %s for another request with the same Idempotency-Key', async (route) => {
    const { send } = await serviceFor(route);
    const headers = { 'idempotency-key': 'k-1' };
    expect((await send(route, { headers })).ok).toBe(true);
    await expectAnswer(route, await send(route, { headers, body: { other: 1 } }), 422, 'idempotency-key-reused');
  });
});

describe('429', () => {
  test.each(keyed)('of %s beyond the rate', async (route) => {
    const { send, keyFor } = await service({ app: { rate: { requests: 1, seconds: 60 } } });
    const first = await send(route);
    expect(first.status).not.toBe(429);
    expect(first.headers.get('ratelimit')).toBe('"default";r=0;t=60');
    const response = await expectAnswer(route, await send(route), 429, 'too-many-requests');
    expectRate(response);
    expectRetryAfter(response);
    // It is the tenant's: neither the key's, nor the service's.
    expect((await send(route, {}, await keyFor('own', ...SCOPES))).status).toBe(429);
    expect((await send(route, {}, await keyFor('other', ...SCOPES))).status).toBe(first.status);
  });

  test('of POST /v1/digests where as many are under way as may be', async () => {
    const { send, keyFor } = await service({ slots: 0, app: { limits: { ...TEST_LIMITS, digestsPerTenant: 2 } } });
    const route = 'POST /v1/digests';
    const headers = { prefer: 'respond-async' };
    const [first] = [await send(route, { headers }), await send(route, { headers })];
    const response = await expectAnswer(route, await send(route, { headers }), 429, 'too-many-digests');
    expectRate(response);
    expectRetryAfter(response);
    expect((await send(route, { headers }, await keyFor('other', 'digests'))).status).toBe(202);
    await send('DELETE /v1/digests/{id}', { path: String(first.headers.get('location')) });
    expect((await send(route, { headers })).status).toBe(202);
  });

  test('of POST /v1/digests/{id}/retry where as many are under way as may be', async () => {
    const route = 'POST /v1/digests/{id}/retry';
    const { send, parts } = await filledService(route, { app: { limits: { ...TEST_LIMITS, digestsPerTenant: 1 } } });
    const response = await expectAnswer(route, await send(route), 429, 'too-many-digests');
    expectRate(response);
    expectRetryAfter(response);
    const states = (await parts.database.query.query.jobs.findMany()).map(({ state }) => state);
    expect(states.sort()).toEqual(['failed', 'queued']);
  });

  test('of POST /v1/digests where more than may be come at once', async () => {
    const { send } = await service({ slots: 0, app: { limits: { ...TEST_LIMITS, digestsPerTenant: 2 } } });
    const asks = Array.from({ length: 8 }, async () =>
      send('POST /v1/digests', { headers: { prefer: 'respond-async' } }),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 202, 429, 429, 429, 429, 429, 429]);
  });
});

describe('503', () => {
  const asks = keyed.flatMap(([route, { overloaded = [] }]) =>
    overloaded.map((options): [string, TestOptions] => [route, options]),
  );
  test.each(asks)('of %s where too much is asked', async (route, options) => {
    const shed: string[] = [];
    const metrics = { ...NO_METRICS, count: (name: string) => void (name === 'sheds' && shed.push(name)) };
    const { send, parts } = await serviceFor(route, { ...options, app: { ...options.app, metrics } });
    const jobs = await parts.database.query.query.jobs.findMany();
    const response = await expectAnswer(route, await send(route), 503, 'overloaded');
    expectRate(response);
    expectRetryAfter(response);
    expect(shed).toHaveLength(1);
    expect(await parts.database.query.query.jobs.findMany()).toEqual(jobs);
    expect(parts.errors).toEqual([]);
  });
});

describe('500', () => {
  test('of GET /readyz where the database does not answer', async () => {
    const { send, parts } = await service();
    parts.database.close();
    await expectAnswer('GET /readyz', await send('GET /readyz'), 500, 'internal-error');
    await expectAnswer('GET /healthz', await send('GET /healthz'), 200);
  });
});

describe('507', () => {
  const writing = keyed.filter(([route]) => !route.startsWith('GET '));
  test.each([...writing, ['GET /readyz', ROUTES['GET /readyz']] as const])('of %s', async (route) => {
    const { send, parts } = await filledService(route);
    await parts.database.query.delete(encodings); // a map makes those again that are gone
    const full = () => Promise.reject(new StorageFullError(new Error('SQLITE_FULL')));
    Object.assign(parts.database, { commit: full, write: full, ready: full });
    const headers = route.startsWith('POST ') ? { headers: { 'idempotency-key': 'k-1' } } : {};
    await expectAnswer(route, await send(route, headers), 507, 'insufficient-storage');
    expect(parts.errors.length).toBeGreaterThan(0);
  });
});

test('every status that is documented was seen, of every route', async () => {
  const contract = await published();
  /** Of what lies behind the service; seen in `problems.test.ts` and `language-models/`. */
  const behind = [500, 502];
  for (const route of Object.keys(ROUTES)) {
    const statuses = Object.keys(documented(contract, route) ?? { 200: {} }).map(Number);
    const tried = [...(seen.get(route) ?? [])].filter((status) => !behind.includes(status));
    expect(tried.sort(), route).toEqual(statuses.filter((status) => !behind.includes(status)).sort());
  }
});
