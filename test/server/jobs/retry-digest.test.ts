import { expect, test } from 'vitest';
import { cancelDigest, retryDigest } from '../../../src/server/jobs/accept-digest.ts';
import { followDigest } from '../../../src/server/jobs/follow-digest.ts';
import { forTenant, readDigest, readDigestRequest } from '../../../src/store/index.ts';
import { TesseraError } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { until } from '../../support/until.ts';
import { type Hand, HOOK, hand, noHand, onlyJob } from './hand.ts';

const BACKGROUND = 'The reader knows of the bridge.';
const order = {
  documents: CITY.slice(0, 3),
  intent: { problem: CITY_INTENT, background: BACKGROUND },
  callbackUrl: HOOK,
};

class Refused extends TesseraError {
  readonly code = 'refused';
}

/** A digest that failed for good; whoever looks next can make it. */
async function failed(): Promise<Hand & { readonly id: string }> {
  const only = hand(memoryDatabase());
  only.engine.rankFailures.push(new Refused('There is no way to rank this.'));
  const id = await only.accept(order);
  await until('the failure', async () => (await onlyJob(only.deps.database)).state === 'failed');
  return { ...only, id };
}

const ended = ({ deps, id }: { deps: Hand['deps']; id: string }) =>
  until('the end', async () => {
    const digest = await readDigest(deps.database, id);
    return digest?.answer != null && digest;
  });

/** Events as a reader gets them who has all up to one. */
async function readFrom(after: number, { deps, worker, id }: Hand & { readonly id: string }) {
  const events: [number, string][] = [];
  const over = new AbortController();
  for await (const told of followDigest(deps.database, id, worker, after, over.signal)) {
    if (told !== null) events.push([told.number, told.event]);
  }
  return events;
}

test('it is made from the request as it was, under its id, and what the reader knows is forgotten only then', async () => {
  const only = await failed();
  const { database } = only.deps;
  expect(await readDigestRequest(database, only.id)).toContain(BACKGROUND);
  expect(await retryDigest(only.id, database, 1000)).toBe(2);
  only.worker.wake(only.id, 2);
  const { answer } = await ended(only);
  expect(JSON.parse(answer ?? '')).toMatchObject({ id: only.id, status: 'completed' });
  expect(await onlyJob(database)).toMatchObject({ state: 'done', run: 2, attempt: 2, problem: null, crashes: 0 });
  expect(await readDigestRequest(database, only.id)).not.toContain(BACKGROUND);
  const read = only.engine.extracted.filter((text) => text !== BACKGROUND);
  expect(read).toHaveLength(order.documents.length); // what was read is not read again
});

test('a reader from the beginning, and one who had read of the failure, both get to the digest', async () => {
  const only = await failed();
  const before = await readFrom(0, only);
  const [failure] = before.slice(-1);
  expect(failure[1]).toBe('error');
  await retryDigest(only.id, only.deps.database, 1000);
  only.worker.wake();
  await ended(only);
  const after = await readFrom(failure[0], only);
  expect(after.map(([number]) => number)).toEqual(after.map((_, place) => failure[0] + 1 + place));
  expect(after.at(-1)?.[1]).toBe('digest');
  const all = await readFrom(0, only);
  expect(all).toEqual([...before.slice(0, -1), [failure[0], 'accepted'], ...after]);
});

test('of many who retry at once one does, and it is made once', async () => {
  const only = await failed();
  const { database } = only.deps;
  const gate = only.engine.hold('rank');
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => retryDigest(only.id, database, 1000)));
  for (const each of all) {
    if (each.status === 'fulfilled') expect(each.value).toBe(2);
    else expect(each.reason).toMatchObject({ code: 'digest-not-failed' });
  }
  expect(all.some(({ status }) => status === 'fulfilled')).toBe(true);
  only.worker.wake();
  gate.open();
  await ended(only);
  expect(await onlyJob(database)).toMatchObject({ run: 2, attempt: 2 });
  expect(only.made).toEqual([only.id]);
});

test('what has not failed, is not there or is another’s is refused, and left as it is', async () => {
  const database = memoryDatabase();
  const idle = noHand(database);
  const id = await idle.accept(order);
  const before = await onlyJob(database);
  await expect(retryDigest(id, database, 1000)).rejects.toMatchObject({ code: 'digest-not-failed' });
  await expect(retryDigest('dig_0', database, 1000)).rejects.toMatchObject({ code: 'not-found' });
  await expect(retryDigest(id, forTenant(database, 'other'), 1000)).rejects.toMatchObject({ code: 'not-found' });
  expect(await onlyJob(database)).toEqual(before);
  expect(await cancelDigest(id, idle.deps, idle.worker)).toBe(true);
  await expect(retryDigest(id, database, 1000)).rejects.toMatchObject({ code: 'digest-not-failed' });
  const only = await failed();
  await expect(retryDigest(only.id, forTenant(only.deps.database, 'other'), 1000)).rejects.toMatchObject({
    code: 'not-found',
  });
  await retryDigest(only.id, only.deps.database, 1000);
  only.worker.wake();
  await ended(only);
  await expect(retryDigest(only.id, only.deps.database, 1000)).rejects.toMatchObject({ code: 'digest-not-failed' });
});
