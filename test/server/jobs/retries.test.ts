import { expect, test } from 'vitest';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { HOOK, hand, onlyJob, told } from './hand.ts';

const order = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };
const START = 1_800_000_000_000;
const SECRET = 'a detail that is nobody’s business';

/** A worker whose ranking fails so often. */
function failing(times: number, failure: Error = new Error(SECRET)) {
  const clock = { now: START };
  const [one, two] = twoConnections(clock);
  const only = hand(one);
  only.engine.rankFailures.push(...Array.from({ length: times }, () => failure));
  const types = async () =>
    (await two.query.select().from(schema.webhooks)).map(({ payload }) => JSON.parse(payload).type);
  /** Waits until the attempt has failed; then nothing happens before its pause is over. */
  const paused = async (attempt: number, pause: number): Promise<void> => {
    await until('the failure', async () => {
      const job = await onlyJob(two);
      return job.state === 'queued' && job.attempt === attempt;
    });
    expect(await onlyJob(two)).toMatchObject({
      notBefore: clock.now + pause,
      retries: 3 - attempt,
      crashes: 0,
      owner: null,
    });
    clock.now += pause - 1;
    only.worker.wake();
    await new Promise((resolve) => setTimeout(resolve, 30)); // it looks every 10 ms
    expect(await onlyJob(two)).toMatchObject({ state: 'queued', attempt });
    expect(await types()).toEqual([]);
    clock.now += 1;
  };
  const ended = () =>
    until('the end', async () => {
      const job = await onlyJob(two);
      return job.endedAt !== null && job;
    });
  return { only, two, types, paused, ended };
}

test('what nobody waits for is begun again after pauses, and then done', async () => {
  const { only, two, types, paused, ended } = failing(3);
  const id = await only.accept(order);
  await paused(1, 1_000);
  await paused(2, 5_000);
  await paused(3, 30_000);
  expect(await ended()).toMatchObject({ state: 'done', attempt: 4, retries: 0, crashes: 0, problem: null });
  expect(only.made).toEqual([id]);
  expect(only.happenings.join(' ')).toBe(`${'started retried '.repeat(3)}started done`);
  expect(only.engine.extracted).toHaveLength(order.documents.length); // each goes on from what was read
  expect(only.failures).toHaveLength(3);
  expect(await types()).toEqual(['digest.completed']);
  expect((await told(two)).filter((event) => event === 'error' || event === 'digest')).toEqual(['digest']);
});
