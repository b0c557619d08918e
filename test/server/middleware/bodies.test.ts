import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { OverloadedError } from '../../../src/server/errors.ts';
import { bodyBudget, countFields, MAX_FIELDS, oneATurn } from '../../../src/server/middleware/bodies.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { testApp } from '../../support/test-deps.ts';

const MEGABYTE = 1024 * 1024;

/** A service with bodies of at most 4 MB, whose requests end when they are let go. */
function service() {
  const held: (() => void)[] = [];
  const app = new Hono<ServiceEnv>();
  app.onError((error, context) => context.text('', error instanceof OverloadedError ? 503 : 500));
  app.use(async (context, next) => {
    context.set('caller', { tenant: context.req.header('x-tenant') ?? 'a', key: null, scopes: [] });
    await next();
  });
  app.use(bodyBudget(4 * MEGABYTE));
  app.post('/', async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    throw new Error('failed');
  });
  const post = async (tenant: string, length: number | null) => {
    const size = length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
    return app.request('/', { method: 'POST', headers: { 'x-tenant': tenant, ...size } });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { post, turn, held };
}

test('a tenant has half of the bytes, all tenants three of the largest bodies, and what failed gives its bytes back', async () => {
  const { post, turn, held } = service();
  const first = post('a', 4 * MEGABYTE);
  void post('a', 2 * MEGABYTE);
  await turn();
  expect((await post('a', MEGABYTE)).status).toBe(503);
  void post('b', 4 * MEGABYTE);
  void post('c', 2 * MEGABYTE);
  await turn();
  expect(held).toHaveLength(4);
  expect((await post('d', MEGABYTE)).status).toBe(503);
  held[0]();
  expect((await first).status).toBe(500);
  void post('d', MEGABYTE);
  await turn();
  expect(held).toHaveLength(5);
});

test('small bodies pass whatever is under way; one that does not say its length counts for the largest', async () => {
  const { post, turn, held } = service();
  for (const tenant of ['a', 'b', 'c']) void post(tenant, null);
  await turn();
  for (const size of [null, 300 * 1024]) expect((await post('d', size)).status).toBe(503);
  for (let each = 0; each < 50; each++) void post('a', 256 * 1024);
  await turn();
  expect(held).toHaveLength(53);
});

/** Fields of a value, counted in the value itself. */
function fieldsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + fieldsOf(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + 1 + fieldsOf(each), 0);
}

test('counts the fields of any JSON, however it is laid out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.jsonValue({ depthSize: 'medium' }),
        fc.dictionary(fc.string(), fc.constantFrom('":', '\\', 'a"b":', '\\":')),
      ),
      fc.constantFrom(undefined, 1, '\t', '  '),
      async (value, space) => {
        const json = JSON.stringify(value, null, space);
        expect(await countFields(json, Number.POSITIVE_INFINITY)).toBe(fieldsOf(JSON.parse(json)));
      },
    ),
    { seed: 8, numRuns: 100 },
  );
});

test('a body of too many fields is refused before it is parsed, one of many documents is not', async () => {
  const { post } = testApp();
  const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"field${i}":1`).join()}}`;
  const refused = await post('/v1/digests', fields(MAX_FIELDS + 1));
  expect([refused.status, await refused.json()]).toMatchObject([422, { type: 'urn:tessera:problem:too-many-fields' }]);
  expect(await (await post('/v1/digests', fields(MAX_FIELDS))).json()).toMatchObject({
    type: 'urn:tessera:problem:invalid-request',
  });
});

/** An app that notes who begins, by the turn of the event loop. */
function noting() {
  const turns = new Map<number, string[]>();
  let turn = 0;
  const count = (): void => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const end = (): string[][] => {
    clearImmediate(counting);
    return [...turns.values()];
  };
  const app = new Hono<ServiceEnv>();
  app.use(async (context, next) => {
    context.set('caller', { tenant: context.req.header('tenant') ?? '' } as never);
    await next();
  });
  app.use(oneATurn());
  app.all('/:name', (context) => {
    turns.set(turn, [...(turns.get(turn) ?? []), context.req.param('name')]);
    return context.text('done');
  });
  return { app, end };
}

test('of requests with bodies that come together one begins in each turn, tenants in turn, each in its order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 25 }), async (tenants) => {
      const { app, end } = noting();
      const all = tenants.map((tenant, i) => app.request(`/${tenant}${i}`, { method: 'POST', headers: { tenant } }));
      expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
      const turns = end();
      expect(turns.every((turn) => turn.length === 1)).toBe(true);
      const begun = turns.flat();
      expect(begun.toSorted()).toEqual(tenants.map((tenant, i) => `${tenant}${i}`).toSorted());
      const waited = begun.slice(1).map((name) => name[0]);
      for (const tenant of new Set(tenants)) {
        const own = begun.filter((name) => name.startsWith(tenant)).map((name) => Number(name.slice(1)));
        expect(own).toEqual(own.toSorted((x, y) => x - y));
        // Between two of one tenant that wait, each other that waits begins once.
        for (const other of new Set(waited)) {
          const places = [...waited.keys()].filter((i) => waited[i] === tenant);
          for (const [i, place] of places.slice(1).entries())
            expect(waited.slice(places[i], place).filter((name) => name === other).length).toBeLessThanOrEqual(1);
        }
      }
    }),
    { seed: 11, numRuns: 30 },
  );
});
