import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  claimWebhooks,
  type Database,
  insertWebhook,
  nextDue,
  settleWebhook,
  tenants,
  waitingWebhooks,
} from '../../src/store/index.ts';
import { webhooks } from '../../src/store/schema.ts';
import { type Clock, keepWebhook, rowsOf } from '../server/webhooks/kept-webhooks.ts';
import { onBothStores } from './stores.ts';

const WEBHOOK = {
  tenant: 'acme',
  digestId: 'dig_1',
  url: 'https://hooks.example/in?a=1',
  payload: '{"a":"ä\\u0000\'"}',
};
const LEASE = 60_000;

onBothStores(({ name, open, openTwo }) => {
  /** The same database by another clock. */
  const withClock = (database: Database, clock: Clock): Database => ({ ...database, now: () => clock.now });
  const databaseAt = async (clock: Clock = { now: 0 }) => withClock(await open(), clock);

  test('a message is kept as it was given, to be sent at once', async () => {
    const database = await databaseAt({ now: 1000 });
    await database.commit([insertWebhook(database, WEBHOOK)]);
    expect(await rowsOf(database)).toEqual([
      {
        ...WEBHOOK,
        id: 'msg_1',
        state: 'waiting',
        attempt: 0,
        notBefore: 1000,
        outcome: null,
        createdAt: 1000,
        endedAt: null,
      },
    ]);
  });

  test('the guard decides, in the same commit as what it looks at; a message that is there already stays', async () => {
    const database = await databaseAt();
    const tenant = { tenant: "o'neill", webhookSecret: 'whsec_x', createdAt: 1 };
    const guard = sql`exists (select 1 from ${tenants} where ${eq(tenants.tenant, tenant.tenant)}) or ${0}`;
    await database.commit([insertWebhook(database, WEBHOOK, guard)]);
    expect(await rowsOf(database)).toEqual([]);
    await database.commit([database.query.insert(tenants).values(tenant), insertWebhook(database, WEBHOOK, guard)]);
    await database.commit([insertWebhook(database, { ...WEBHOOK, payload: 'other' })]);
    expect(await rowsOf(database)).toMatchObject([WEBHOOK]);
  });

  test('only what is due is taken, what waited longest first', async () => {
    const clock = { now: 100 };
    const database = await databaseAt(clock);
    for (const name of ['c', 'a', 'b', 'later']) {
      clock.now = name === 'later' ? 5000 : clock.now + 1;
      await keepWebhook(database, `dig_${name}`);
    }
    clock.now = 4999;
    const first = await claimWebhooks(database, 2, LEASE);
    expect(first.map(({ id, attempt }) => `${id} ${attempt}`).sort()).toEqual(['msg_a 1', 'msg_c 1']);
    expect((await claimWebhooks(database, 10, LEASE)).map(({ id }) => id)).toEqual(['msg_b']);
    expect(await claimWebhooks(database, 10, LEASE)).toEqual([]);
    clock.now = 5000;
    expect((await claimWebhooks(database, 10, LEASE)).map(({ id }) => id)).toEqual(['msg_later']);
  });

  test('whatever two processes do and when they die: one holder at a time, nothing lost', async () => {
    const [one, two] = await openTwo();
    const step = fc.oneof(
      fc.record({ do: fc.constant('claim' as const), by: fc.boolean(), limit: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant('end' as const), which: fc.nat(9), wait: fc.option(fc.nat(100)) }),
      fc.record({ do: fc.constant('pass' as const), time: fc.constantFrom(1, 49, 50, 60) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        const clock = { now: 0 };
        const hands = [withClock(one, clock), withClock(two, clock)];
        await hands[0].query.delete(webhooks).returning();
        for (let i = 0; i < 4; i++) await keepWebhook(hands[0], `dig_${i}`);
        // The same by hand: when each message may be taken, and who holds it.
        const model = new Map([0, 1, 2, 3].map((i) => [`msg_${i}`, { due: 0, attempt: 0, isEnded: false }]));
        const held: { id: string; attempt: number }[] = [];
        for (const now of steps) {
          if (now.do === 'pass') clock.now += now.time;
          else if (now.do === 'claim') {
            for (const { id, attempt } of await claimWebhooks(hands[Number(now.by)], now.limit, 50)) {
              const known = model.get(id);
              if (known === undefined) throw new Error(`${id} was never kept`);
              expect(known.isEnded || known.due > clock.now).toBe(false);
              expect(attempt).toBe(known.attempt + 1);
              Object.assign(known, { due: clock.now + 50, attempt });
              held.push({ id, attempt });
            }
          } else if (held.length > 0) {
            const attempt = held[now.which % held.length];
            const known = model.get(attempt.id);
            const counts = known?.attempt === attempt.attempt && !known.isEnded;
            const [state, due] =
              now.wait === null ? (['delivered', null] as const) : (['waiting', clock.now + now.wait] as const);
            const verdict = { state, outcome: '200', waitMilliseconds: now.wait };
            expect(await settleWebhook(hands[now.which % 2], attempt, verdict)).toBe(counts);
            if (counts) Object.assign(known, due === null ? { isEnded: true } : { due });
          }
          const open = [...model.values()].filter(({ isEnded }) => !isEnded);
          expect(await waitingWebhooks(hands[0])).toBe(open.length);
          expect(await nextDue(hands[1])).toBe(open.length === 0 ? null : Math.min(...open.map(({ due }) => due)));
        }
      }),
      { numRuns: name === 'D1' ? 12 : 60, seed: 6 },
    );
  });
});
