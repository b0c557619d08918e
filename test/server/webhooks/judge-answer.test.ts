import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeAnswer, waitAfter } from '../../../src/server/webhooks/deliver-webhook.ts';

const HOUR = 3_600_000;
const middle = () => 0.5;
/** Of each of the ten attempts, the time since the first: the table of the specification. */
const SINCE_START = '00:00:00 00:00:05 00:05:05 00:35:05 02:35:05 07:35:05 17:35:05 31:35:05 51:35:05 75:35:05'.split(
  ' ',
);

const clock = (milliseconds: number): string =>
  [HOUR, 60_000, 1000]
    .map((unit, i) => Math.floor(milliseconds / unit) % (i === 0 ? 1000 : 60))
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

test('the schedule is that of the specification', () => {
  const times = [0];
  for (let attempt = 1; ; attempt++) {
    const wait = waitAfter(attempt, null, middle);
    if (wait === null) break;
    times.push(times[times.length - 1] + wait);
  }
  expect(times.map(clock)).toEqual(SINCE_START);
});

test('jitter keeps within a tenth, and reaches both ends', () => {
  for (let attempt = 1; attempt < 10; attempt++) {
    const wait = Number(waitAfter(attempt, null, middle));
    expect(waitAfter(attempt, null, () => 0)).toBe(Math.round(0.9 * wait));
    expect(waitAfter(attempt, null, () => 1)).toBe(Math.round(1.1 * wait));
  }
});

test.each([
  ['shorter than the step', 1, 1000, 5000],
  ['longer than the step', 1, 60_000, 60_000],
  ['longer than the step after it', 1, 24 * HOUR, 300_000],
  ['not a finite time', 3, Number.POSITIVE_INFINITY, 2 * HOUR],
  ['at the last step but one', 8, 1000 * HOUR, 24 * HOUR],
  ['at the last step', 9, 1000 * HOUR, 24 * HOUR],
])('what the receiver asks for: %s', (_, attempt, asked, wait) => {
  expect(waitAfter(attempt, asked, middle)).toBe(wait);
});

test('nothing that is asked brings an attempt forward or back for ever', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.option(fc.double({ min: 0, noNaN: true })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, asked, at) => {
        const plain = Number(waitAfter(attempt, null, () => at));
        const wait = Number(waitAfter(attempt, asked, () => at));
        expect(wait).toBeGreaterThanOrEqual(plain);
        expect(wait).toBeLessThanOrEqual(1.1 * 24 * HOUR);
      },
    ),
    { seed: 6 },
  );
});

test.each([200, 201, 202, 204, 299])('%i is delivered', (status) => {
  expect(judgeAnswer({ status, retryAfter: 99 }, 1, middle)).toEqual({ state: 'delivered', outcome: String(status) });
});

test.each([100, 101, 199, 300, 301, 302, 307, 308, 400, 401, 404, 409, 429, 500, 502, 503, 504, 599, 0])(
  '%i is tried again, until the last attempt',
  (status) => {
    const outcome = String(status);
    expect(judgeAnswer({ status, retryAfter: 7000 }, 1, middle)).toEqual({
      state: 'waiting',
      outcome,
      waitMilliseconds: 7000,
    });
    expect(judgeAnswer({ status, retryAfter: 7000 }, 10, middle)).toEqual({ state: 'failed', outcome });
    // A process that died during the last attempt leaves it to be made once more.
    expect(judgeAnswer({ status, retryAfter: null }, 11, middle)).toEqual({ state: 'failed', outcome });
  },
);

test('410 ends at once', () => {
  expect(judgeAnswer({ status: 410, retryAfter: 5 }, 1, middle)).toEqual({ state: 'failed', outcome: '410' });
});

test('no answer is tried again', () => {
  expect(judgeAnswer({ failure: 'ECONNREFUSED' }, 2, middle)).toEqual({
    state: 'waiting',
    outcome: 'ECONNREFUSED',
    waitMilliseconds: 300_000,
  });
  expect(judgeAnswer({ failure: 'timeout' }, 10, middle)).toEqual({ state: 'failed', outcome: 'timeout' });
});
