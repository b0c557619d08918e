import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admission } from '../../../src/server/middleware/admission.ts';
import { testApp } from '../../support/test-deps.ts';
import { HeldEngine } from '../jobs/held-engine.ts';

/** An admission with a clock that stands still until it is moved. */
function atTime({ concurrency, most }: { concurrency: number; most: number }) {
  let time = 0;
  const { enter, isFull } = admission(concurrency, most, () => time);
  return {
    enter: (tenant = 'a') => enter(tenant),
    isFull: (tenant = 'a') => isFull(tenant),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('admission', () => {
  test('lets in as many as may be served at once, however long they take', () => {
    const { enter, pass } = atTime({ concurrency: 3, most: 10 });
    for (let round = 0; round < 5; round++) {
      const all = [enter(), enter(), enter()];
      expect(all).not.toContain(null);
      pass(60_000);
      for (const leave of all) leave?.();
    }
  });

  test('a tenant with a long line turns only itself away', () => {
    const { enter, isFull, pass } = atTime({ concurrency: 2, most: 5000 });
    const line = [enter(), enter(), enter()];
    for (let second = 0; second < 2; second++) {
      pass(1000);
      line.shift()?.();
    }
    while (!isFull()) line.push(enter());
    expect(isFull('b')).toBe(false);
    const leave = enter('b');
    expect(leave).not.toBeNull();
    expect(isFull()).toBe(true);
    leave?.();
  });

  test('who is let in waits no longer than what was asked for, where callers leave steadily', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 10, max: 1000 }),
        fc.integer({ min: 0, max: 60 }),
        (concurrency, gap, arrivals) => {
          const most = 10 * gap;
          const { enter, pass } = atTime({ concurrency, most });
          const line: (() => void)[] = [];
          for (let i = 0; i < concurrency; i++) line.push(enter() ?? (() => {}));
          for (let i = 0; i < 20; i++) {
            pass(gap);
            line.shift()?.();
            line.push(enter() ?? (() => {}));
          }
          for (let i = 0; i < arrivals; i++) {
            const ahead = line.length - concurrency;
            const leave = enter();
            if (leave === null) expect((ahead + 1) * gap).toBeGreaterThan(most);
            else {
              expect((ahead + 1) * gap).toBeLessThanOrEqual(most);
              line.push(leave);
            }
          }
        },
      ),
      { seed: 6, numRuns: 60 },
    );
  });
});

test('who is turned away is told so before the body is read, but for those who do not wait', async () => {
  const engine = new HeldEngine();
  const concurrency = { digests: 1, others: 1, maxWaitMilliseconds: 0 };
  const { post, parts } = testApp({ engine, slots: 1, app: { concurrency } });
  const body = { documents: [{ id: 'a', text: 'The council approved the charge.' }] };
  expect((await post('/v1/digests', body)).status).toBe(201); // how long a digest takes is known now
  const gate = engine.hold('rank');
  const served = post('/v1/digests', body);
  await gate.reached;
  const refused = await post('/v1/digests', 'no JSON at all');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await post('/v1/digests', body, { prefer: 'respond-async' })).status).toBe(202);
  gate.open();
  expect((await served).status).toBe(201);
  expect(parts.errors).toEqual([]);
});
