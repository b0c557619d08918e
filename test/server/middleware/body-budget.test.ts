import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { OverloadedError } from '../../../src/server/errors.ts';
import { bodyBudget } from '../../../src/server/middleware/bodies.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';

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
  app.post('/', async (context) => {
    await new Promise<void>((resolve) => held.push(resolve));
    if (context.req.header('x-fail') !== undefined) throw new Error('failed');
    return context.text('');
  });
  const post = (tenant: string, length: number | null, more = {}) =>
    Promise.resolve(
      app.request('/', {
        method: 'POST',
        headers: {
          'x-tenant': tenant,
          ...(length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }),
          ...more,
        },
      }),
    );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    post,
    turn,
    /** Ends the request that came first. */
    end: async () => {
      held.shift()?.();
      await turn();
    },
    under: () => held.length,
  };
}

test('a tenant has half of the bytes, however it parts them, and all tenants three of the largest bodies', async () => {
  const { post, turn, end, under } = service();
  const first = post('a', 4 * MEGABYTE);
  void post('a', 2 * MEGABYTE);
  await turn();
  expect((await post('a', MEGABYTE)).status).toBe(503);
  void post('b', 4 * MEGABYTE);
  void post('c', 2 * MEGABYTE);
  await turn();
  expect(under()).toBe(4);
  expect((await post('d', MEGABYTE)).status).toBe(503);
  await end();
  expect((await first).status).toBe(200);
  void post('d', MEGABYTE);
  await turn();
  expect(under()).toBe(4);
});

test('small bodies pass whatever is under way; one that does not say its length counts for the largest', async () => {
  const { post, turn, under } = service();
  for (const tenant of ['a', 'b', 'c']) void post(tenant, null);
  await turn();
  expect((await post('d', null)).status).toBe(503);
  expect((await post('d', 300 * 1024)).status).toBe(503);
  for (let each = 0; each < 50; each++) void post('a', 256 * 1024);
  await turn();
  expect(under()).toBe(53);
});

test('what failed gives its bytes back', async () => {
  const { post, turn, end, under } = service();
  for (let each = 0; each < 5; each++) {
    const failed = post('a', 4 * MEGABYTE, { 'x-fail': 'yes' });
    await turn();
    expect(under()).toBe(1);
    await end();
    expect((await failed).status).toBe(500);
  }
});
