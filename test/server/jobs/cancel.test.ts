import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cancelDigest } from '../../../src/server/jobs/accept-digest.ts';
import type { Connection } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { goodBut } from '../../support/good-model.ts';
import { NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { until } from '../../support/until.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { type Hand, HOOK, hand, LEASE, written } from './hand.ts';

const order = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };
const connections = () => twoConnections({ now: 1_800_000_000_000 });

async function jobOf({ query }: Connection, id: string) {
  const [job] = await query.select().from(schema.jobs).where(eq(schema.jobs.id, id));
  return job;
}

/** It is cancelled, was told so once, and left no answer. */
async function expectCancelled(connection: Connection, id: string): Promise<void> {
  const { query } = connection;
  expect(await jobOf(connection, id)).toMatchObject({ state: 'cancelled', owner: null, leaseUntil: null, crashes: 0 });
  const [digest] = await query.select().from(schema.digests).where(eq(schema.digests.id, id));
  expect(digest.answer).toBeNull();
  const events = await query.select().from(schema.jobEvents).where(eq(schema.jobEvents.jobId, id));
  expect(events.map(({ number }) => number)).toEqual(events.map((_, i) => i + 1));
  expect(events.filter(({ event }) => ['cancelled', 'digest', 'error'].includes(event))).toEqual([events.at(-1)]);
  expect(events.at(-1)).toMatchObject({ event: 'cancelled', data: JSON.stringify({ id, status: 'cancelled' }) });
  const webhooks = await query.select().from(schema.webhooks).where(eq(schema.webhooks.digestId, id));
  expect(webhooks.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { type: 'digest.cancelled', data: { id } },
  ]);
}

/** The worker has its hand free again: it does another digest. */
async function expectFree(worker: Hand): Promise<void> {
  const id = await worker.accept({ documents: CITY.slice(3, 4), intent: CITY_INTENT });
  await until('another digest', () => worker.made.includes(id));
}

const cancel = (id: string, by: Hand): Promise<boolean> => cancelDigest(id, by.deps, by.worker);

test('a digest that runs in this process is cancelled and stops', async () => {
  const [one, two] = connections();
  const only = hand(one);
  const gate = only.engine.hold('rank');
  const id = await only.accept(order);
  await gate.reached;
  expect(await cancel(id, only)).toBe(true);
  await expectCancelled(two, id);
  const before = await written(two);
  gate.open();
  await until('its end', () => only.happenings.includes('cancelled'));
  await expectFree(only);
  const after = await written(two);
  const ofIt = (rows: unknown): string => JSON.stringify(rows).split(id).length.toString();
  expect(ofIt(after)).toBe(ofIt(before));
  await expectCancelled(two, id);
  expect(only.made).not.toContain(id);
  expect(only.failures).toEqual([]);
});

const hanging: Script = goodBut(['write'], () => ({ hang: 'before-headers' }));

/** A worker whose digest waits for a model that writes. */
async function writing(leaseMilliseconds: number) {
  const [one, two] = connections();
  const scripted = await scriptedModel(hanging);
  const models = { model: scripted.model, prompts: PROMPTS, extractor: 'llm', writer: 'llm' } as const;
  const worker = hand(one, { models, leaseMilliseconds });
  const background = 'The reader knows of the bridge.';
  const id = await worker.accept({
    documents: NOTES,
    intent: { problem: NOTES_INTENT, background },
    selection: { strategy: 'llm', relevance: { facets: 'llm' } },
    callbackUrl: HOOK,
  });
  const { server } = scripted;
  await until('the writer', () => server.inFlight === 1 && server.requests.at(-1)?.body.stream === true);
  return { id, worker, two, server, background };
}

test('nothing that its stages left, nor what its reader knows, outlives a cancelled digest', async () => {
  const { id, worker, two, background } = await writing(LEASE);
  const { query } = two;
  expect((await query.select().from(schema.jobCheckpoints)).length).toBeGreaterThan(0);
  await cancel(id, worker);
  await worker.worker.stop(10_000);
  const [{ request }] = await query.select().from(schema.digests);
  expect(request).not.toContain(background);
  const left = await query.select().from(schema.jobCheckpoints);
  expect(left.filter(({ value }) => value.includes(background))).toEqual([]);
  expect(left.map(({ stage }) => stage)).toEqual([]);
});
