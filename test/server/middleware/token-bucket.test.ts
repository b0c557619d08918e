import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenBuckets } from '../../../src/server/middleware/token-bucket.ts';

function bucketsAt({ capacity, seconds }: { readonly capacity: number; readonly seconds: number }) {
  const clock = { time: 1_700_000_000_000 };
  return { clock, buckets: tokenBuckets({ capacity, seconds, now: () => clock.time }) };
}

const rates = fc.record({
  capacity: fc.integer({ min: 1, max: 1000 }),
  seconds: fc.oneof(fc.integer({ min: 1, max: 3600 }), fc.constantFrom(0.001, 0.25, 1.5)),
});

/** A rate, and a caller who takes now and then: often by the millisecond, sometimes after a pause about as long as the window. */
const histories = rates.chain((rate) =>
  fc.record({
    rate: fc.constant(rate),
    takes: fc.array(
      fc.record({
        pause: fc.oneof(
          fc.integer({ min: 0, max: 3 }),
          fc.integer({ min: 0, max: Math.ceil((2000 * rate.seconds) / rate.capacity) }),
          fc.integer({ min: 0, max: Math.ceil(1500 * rate.seconds) }),
        ),
        cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: rate.capacity })),
        key: fc.constantFrom('a', 'b', 'c'),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  }),
);

describe('whatever is taken when', () => {
  test('between 0 and all tokens remain, and no window lets more through than the capacity and what was refilled', () => {
    fc.assert(
      fc.property(histories, ({ rate, takes }) => {
        const { clock, buckets } = bucketsAt(rate);
        const admitted: { time: number; cost: number }[] = [];
        for (const { pause, cost } of takes) {
          clock.time += pause;
          const { allowed, remaining } = buckets.take('a', cost);
          expect(Number.isInteger(remaining) && remaining >= 0 && remaining <= rate.capacity).toBe(true);
          if (allowed) admitted.push({ time: clock.time, cost });
        }
        for (const [first, { time: start }] of admitted.entries()) {
          let sum = 0;
          for (const { time, cost } of admitted.slice(first)) {
            sum += cost;
            // Multiplied out, so that it holds to the token.
            expect(sum * rate.seconds * 1000).toBeLessThanOrEqual(
              rate.capacity * rate.seconds * 1000 + (time - start) * rate.capacity,
            );
          }
        }
      }),
    );
  });

  test('the same is let through as by virtual scheduling (GCRA) in exact integers', () => {
    fc.assert(
      fc.property(histories, ({ rate, takes }) => {
        const { clock, buckets } = bucketsAt(rate);
        const capacity = BigInt(rate.capacity);
        const window = BigInt(Math.round(rate.seconds * 1000));
        const due = new Map<string, bigint>(); // in milliseconds × capacity
        for (const { pause, cost, key } of takes) {
          clock.time += pause;
          const time = BigInt(clock.time) * capacity;
          const from = due.get(key) ?? 0n;
          const next = (from > time ? from : time) + BigInt(cost) * window;
          const fits = next - time <= window * capacity;
          if (fits) due.set(key, next);
          const debt = (due.get(key) ?? time) - time;
          const { allowed, remaining } = buckets.take(key, cost);
          expect(allowed).toBe(fits);
          expect(remaining).toBe(Number((window * capacity - (debt > 0n ? debt : 0n)) / window));
        }
      }),
    );
  });

  test('after as long as was told a request passes, and a second sooner it would not', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), ({ rate, takes }, sooner) => {
        const { clock, buckets } = bucketsAt(rate);
        for (const { pause, cost } of takes) {
          clock.time += pause;
          const { allowed, retryAfterSeconds } = buckets.take('a', cost);
          expect(retryAfterSeconds === 0).toBe(allowed);
          if (allowed) continue;
          const wait = sooner ? retryAfterSeconds - 1 : retryAfterSeconds;
          clock.time += wait * 1000;
          expect(buckets.take('a', cost).allowed).toBe(!sooner);
          return;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('there is one more token when it was told, and a second sooner there is not', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), ({ rate, takes }, sooner) => {
        const { clock, buckets } = bucketsAt(rate);
        const results = takes.map(({ pause, cost }) => {
          clock.time += pause;
          return buckets.take('a', cost);
        });
        const { remaining, resetSeconds } = results[results.length - 1];
        expect(resetSeconds).toBeGreaterThanOrEqual(1);
        clock.time += (sooner ? resetSeconds - 1 : resetSeconds) * 1000;
        const then = buckets.take('a');
        const available = then.remaining + (then.allowed ? 1 : 0);
        if (sooner) expect(available).toBe(remaining);
        else expect(available).toBeGreaterThan(remaining);
      }),
    );
  });

  test('what others take does not matter', () => {
    fc.assert(
      fc.property(histories, ({ rate, takes }) => {
        const shared = bucketsAt(rate);
        const alone = bucketsAt(rate);
        for (const { pause, cost, key } of takes) {
          shared.clock.time += pause;
          alone.clock.time += pause;
          const taken = shared.buckets.take(key, cost);
          if (key === 'a') expect(taken).toEqual(alone.buckets.take('a', cost));
        }
      }),
    );
  });

  test('after a window of quiet no bucket is remembered', () => {
    fc.assert(
      fc.property(histories, fc.boolean(), ({ rate, takes }, another) => {
        const { clock, buckets } = bucketsAt(rate);
        for (const { pause, cost, key } of takes) {
          clock.time += pause;
          buckets.take(key, cost);
        }
        expect(buckets.size).toBeGreaterThan(0);
        clock.time += rate.seconds * 1000;
        if (another) buckets.take('z');
        else buckets.forgetFull();
        expect(buckets.size).toBe(another ? 1 : 0);
      }),
    );
  });
});

test('as many buckets are remembered as keys were seen within a window', () => {
  const { clock, buckets } = bucketsAt({ capacity: 10, seconds: 1 });
  for (let key = 0; key < 20_000; key++) {
    clock.time += 10;
    buckets.take('always');
    buckets.take(String(key), key % 10 === 0 ? 10 : 1);
    expect(buckets.size).toBeLessThanOrEqual(102);
  }
});

test('a full bucket lets all through at once, and then as many as are refilled', () => {
  const { clock, buckets } = bucketsAt({ capacity: 600, seconds: 60 });
  const many = (count: number) => Array.from({ length: count }, () => buckets.take('a').allowed);
  expect(buckets.take('a')).toEqual({ allowed: true, remaining: 599, resetSeconds: 1, retryAfterSeconds: 0 });
  expect(many(599)).not.toContain(false);
  expect(buckets.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 });
  clock.time += 1000;
  expect(many(12)).toEqual([...Array(10).fill(true), false, false]);
  expect(buckets.take('a', 600)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 60 });
  clock.time += 3_600_000;
  expect(buckets.take('a', 600).allowed).toBe(true);
});

test('a clock that is set back neither refills nor locks out', () => {
  const { clock, buckets } = bucketsAt({ capacity: 2, seconds: 2 });
  buckets.take('a', 2);
  clock.time -= 3_600_000;
  expect(buckets.take('a')).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
  clock.time += 1000;
  expect(buckets.take('a').allowed).toBe(true);
  clock.time -= 86_400_000;
  buckets.forgetFull();
  clock.time += 2000;
  buckets.forgetFull();
  expect(buckets.size).toBe(0);
});

test('what is no rate, or no number of tokens, is refused', () => {
  for (const [capacity, seconds] of [
    [0, 1],
    [1.5, 1],
    [1, 0],
    [1, -1],
    [1, 0.0001],
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
    [2 ** 40, 86_400],
  ]) {
    expect(() => bucketsAt({ capacity, seconds }), `${capacity} in ${seconds}`).toThrow(RangeError);
  }
  const { buckets } = bucketsAt({ capacity: 5, seconds: 1 });
  for (const cost of [0, -1, 6, 0.5, Number.NaN]) expect(() => buckets.take('a', cost)).toThrow(RangeError);
  expect(buckets.take('a', 5).allowed).toBe(true);
});
