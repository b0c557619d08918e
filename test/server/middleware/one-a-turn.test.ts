import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { oneATurn } from '../../../src/server/middleware/bodies.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';

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

test('one that comes alone, or has no body, does not wait', async () => {
  const { app, end } = noting();
  const alone = app.request('/alone', { method: 'PUT' });
  await Promise.resolve();
  const reads = Array.from({ length: 5 }, (_, i) => app.request(`/read${i}`));
  await Promise.all([alone, ...reads]);
  expect(end()).toEqual([['alone', 'read0', 'read1', 'read2', 'read3', 'read4']]);
});
