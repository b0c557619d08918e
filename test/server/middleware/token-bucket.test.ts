import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenBuckets } from '../../../src/server/middleware/rate-limit.ts';

function bucketsAt(requests: number, seconds: number) {
  const clock = { time: 1_700_000_000_000 };
  return { clock, buckets: tokenBuckets({ requests, seconds }, () => clock.time) };
}

/** A rate, and callers with pauses of a millisecond up to about the window. */
const histories = fc
  .record({
    requests: fc.integer({ min: 1, max: 20 }),
    seconds: fc.oneof(fc.integer({ min: 1, max: 3600 }), fc.constantFrom(0.001, 0.25, 1.5)),
  })
  .chain((rate) =>
    fc.record({
      rate: fc.constant(rate),
      takes: fc.array(
        fc.record({
          pause: fc.oneof(
            fc.integer({ min: 0, max: 3 }),
            fc.integer({ min: 0, max: Math.ceil((2000 * rate.seconds) / rate.requests) }),
            fc.integer({ min: 0, max: Math.ceil(1500 * rate.seconds) }),
          ),
          tenant: fc.constantFrom('a', 'b', 'c'),
        }),
        { minLength: 1, maxLength: 60 },
      ),
    }),
  );

test('admits the same as virtual scheduling (GCRA) in exact integers, and promises no wait too short', () => {
  fc.assert(
    fc.property(histories, ({ rate: { requests, seconds }, takes }) => {
      const { clock, buckets } = bucketsAt(requests, seconds);
      const capacity = BigInt(requests);
      const window = BigInt(Math.round(seconds * 1000));
      const due = new Map<string, bigint>(); // in milliseconds × capacity
      for (const { pause, tenant } of takes) {
        clock.time += pause;
        const time = BigInt(clock.time) * capacity;
        const from = due.get(tenant) ?? 0n;
        const next = (from > time ? from : time) + window;
        const fits = next - time <= window * capacity;
        if (fits) due.set(tenant, next);
        const debt = (due.get(tenant) ?? time) - time;
        const { allowed, remaining, resetSeconds, retryAfterSeconds } = buckets.take(tenant);
        expect(allowed).toBe(fits);
        expect(remaining).toBe(Number((window * capacity - (debt > 0n ? debt : 0n)) / window));
        const wait = (after: number) => time + BigInt(Math.round(after * 1000)) * capacity;
        const isFree = (at: bigint) => (due.get(tenant) ?? at) + window - at <= window * capacity;
        expect(retryAfterSeconds === 0).toBe(allowed);
        if (!allowed)
          expect([isFree(wait(retryAfterSeconds)), isFree(wait(retryAfterSeconds - 1))]).toEqual([true, false]);
        expect(resetSeconds).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});

test('a full bucket admits all at once, then as many as are refilled', () => {
  const { clock, buckets } = bucketsAt(600, 60);
  const many = (count: number) => Array.from({ length: count }, () => buckets.take('a').allowed);
  expect(buckets.take('a')).toEqual({ allowed: true, remaining: 599, resetSeconds: 1, retryAfterSeconds: 0 });
  expect(many(599)).not.toContain(false);
  expect(buckets.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 });
  clock.time += 1000;
  expect(many(12)).toEqual([...Array(10).fill(true), false, false]);
});

test('remembers as many buckets as tenants were seen within a window', () => {
  const { clock, buckets } = bucketsAt(10, 1);
  for (let tenant = 0; tenant < 5000; tenant++) {
    clock.time += 10;
    buckets.take('always');
    buckets.take(String(tenant));
    expect(buckets.size).toBeLessThanOrEqual(102);
  }
  clock.time += 1000;
  buckets.take('last');
  expect(buckets.size).toBe(1);
});

test('a clock that is set back neither refills nor locks out', () => {
  const { clock, buckets } = bucketsAt(2, 2);
  buckets.take('a');
  buckets.take('a');
  clock.time -= 3_600_000;
  expect(buckets.take('a')).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
  clock.time += 1000;
  expect(buckets.take('a').allowed).toBe(true);
});

test('invalid rates are refused', () => {
  for (const [requests, seconds] of [
    [0, 1],
    [1.5, 1],
    [1, 0],
    [1, -1],
    [1, 0.0001],
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
    [2 ** 40, 86_400],
  ]) {
    expect(() => bucketsAt(requests, seconds), `${requests} in ${seconds}`).toThrow(RangeError);
  }
});
