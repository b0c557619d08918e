import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RateLimit, tokenBuckets } from '../../../../src/server/middleware/rate-limit.ts';
import { sharedBuckets, TenantRate } from '../../../../src/server/runtime/worker/app-deps.worker.ts';
import type { TenantRates } from '../../../../src/server/runtime/worker/service.worker.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const LIMIT: RateLimit = { requests: 5, seconds: 10 };

/** Objects as the platform keeps them: one for each name, asked from anywhere, answering copies. */
function objects(): TenantRates {
  const known = new Map<string, TenantRate>();
  return {
    idFromName: (name) => ({ name }),
    get(id) {
      const { name } = id as { readonly name: string };
      const object = known.get(name) ?? new TenantRate();
      known.set(name, object);
      return { take: async (limit) => structuredClone(object.take(structuredClone(limit))) };
    },
  };
}

/** The buckets of an isolate, whose own count nobody else sees. */
function isolate(rates: TenantRates, limit = LIMIT, failures: unknown[] = []) {
  return sharedBuckets(
    rates,
    limit,
    tokenBuckets(limit, () => Date.now()),
    (failure) => failures.push(failure),
  );
}

test('whatever isolates a tenant reaches, it gets as many requests as one isolate would give, and others get theirs', async () => {
  const rates = objects();
  const isolates = Array.from({ length: 4 }, () => isolate(rates));
  const alone = tokenBuckets(LIMIT, () => Date.now());
  for (let second = 0; second < 30; second++) {
    for (let n = 0; n < 3; n++) {
      expect(await isolates[(second + n) % isolates.length].take('acme')).toEqual(alone.take('acme'));
    }
    if (second === 3) expect(await isolates[0].take('other')).toMatchObject({ allowed: true, remaining: 4 });
    vi.advanceTimersByTime(1000);
  }
});

test('it stays awake until all tokens are back, and no longer', async () => {
  const rates = objects();
  await isolate(rates).take('acme');
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(5_000);
  await isolate(rates).take('acme');
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(9_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('where it does not answer, the isolate counts for itself and says so', async () => {
  const failures: unknown[] = [];
  const away: TenantRates = {
    idFromName: () => ({}),
    get: () => ({ take: () => Promise.reject(new Error('overloaded')) }),
  };
  const own = isolate(away, LIMIT, failures);
  const allowed = [];
  for (let n = 0; n < 6; n++) allowed.push((await own.take('acme')).allowed);
  expect(allowed).toEqual([true, true, true, true, true, false]);
  expect(failures).toHaveLength(6);
});
