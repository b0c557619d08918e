import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readConfiguration } from '../../../../src/server/index.ts';
import { type EdgeEnv, type JobMessage, runScheduled } from '../../../../src/server/index.worker.ts';
import type { EdgeService } from '../../../../src/server/runtime/worker/service.worker.ts';
import type { OpenDatabase } from '../../../../src/store/index.node.ts';
import {
  claimJob,
  insertSubscription,
  noteAddition,
  saveCollection,
  saveCollectionDocument,
  saveDocuments,
} from '../../../../src/store/index.ts';
import * as schema from '../../../../src/store/schema.ts';
import { contentHash } from '../../../../src/text/index.ts';
import { CITY } from '../../../support/documents.ts';
import { memoryDatabase } from '../../../support/test-deps.ts';
import { attended, left } from '../../jobs/hand.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SUBSCRIPTION = { collection: 'col_1', intent: 'What changed?', minDocuments: 1, sendEmpty: false };
const order = (text: string) => ({ documents: [{ id: 'd', text }] });

/** What a run by the clock is given; workflows are only named. */
function edge(variables: Record<string, string> = {}) {
  const clock = { now: NOON };
  const failing = { workflows: false, deliver: false, database: false };
  const memory = memoryDatabase();
  const database: OpenDatabase = {
    ...memory,
    now: () => clock.now,
    get query() {
      if (failing.database) throw new Error('D1 is away');
      return memory.query;
    },
  };
  const own = attended(database);
  const logged: {
    readonly level: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly message: string;
  }[] = [];
  const batches: { readonly id: string; readonly params: JobMessage }[][] = [];
  const names = new Set<string>();
  let deliveries = 0;
  const service: EdgeService = {
    configuration: readConfiguration({ TESSERA_LEASE_SECONDS: '60', ...variables }),
    log: (level, fields, message) => logged.push({ level, fields, message }),
    deps: own.deps,
    jobs: own.deps,
    deliver: async () => {
      deliveries++;
      if (failing.deliver) throw new Error('no delivery');
    },
  };
  const DIGESTS = {
    createBatch: async (batch: { readonly id: string; readonly params: JobMessage }[]) => {
      if (failing.workflows) throw new Error('no workflows');
      batches.push(batch);
      // As the platform does: what is there already is left alone, and not among those that it answers.
      const begun = batch.filter(({ id }) => !names.has(id));
      for (const { id } of begun) names.add(id);
      return begun;
    },
  };
  // All of the bindings that is used here.
  const sent: JobMessage[] = [];
  const JOBS = { send: async (message: JobMessage) => void sent.push(message) };
  const env = { DIGESTS, JOBS } as unknown as EdgeEnv;
  return {
    clock,
    database,
    batches,
    sent,
    logged,
    failing,
    deliveries: () => deliveries,
    accept: (text: string) => left(order(text), own.deps),
    run: (at = clock.now) => runScheduled(service, env, at),
  };
}

test('jobs that nobody took for a minute get a workflow each; what is fresh, held or has ended does not', async () => {
  const { clock, database, batches, logged, accept, run } = edge();
  const forgotten = await accept(CITY[0].text);
  const ended = await accept(CITY[1].text);
  await database.query.update(schema.jobs).set({ state: 'done' }).where(eq(schema.jobs.id, ended));
  clock.now += MINUTE - 1;
  await run();
  expect(batches).toEqual([]); // its message may be on its way
  const fresh = await accept(CITY[2].text);
  clock.now += 1;
  await run();
  const [[{ id }]] = batches;
  expect(batches).toEqual([[{ id, params: { id: forgotten } }]]);
  expect(id.startsWith(`${forgotten}-0-`)).toBe(true);
  expect(id).toMatch(/^[\w-]{1,64}$/); // what a workflow may be called
  expect(logged.filter(({ level }) => level !== 'info')).toMatchObject([{ level: 'warn', fields: { jobs: 1 } }]);

  await claimJob(database, 'workflow_a', MINUTE); // the oldest
  clock.now += MINUTE;
  await run();
  expect(batches.slice(1).map((batch) => batch.map(({ params }) => params.id))).toEqual([[fresh]]);
});

test('a due subscription is run: its digest is handed over as other jobs are', async () => {
  const { clock, database, sent, logged, run } = edge({ TESSERA_QUIET_SECONDS: '60' });
  await saveCollection(database, { id: 'col_1', name: null });
  await insertSubscription(database, { id: 'sub_1', collectionId: 'col_1', request: JSON.stringify(SUBSCRIPTION) }, 1);
  const { text } = CITY[0];
  await saveDocuments(database, [{ hash: contentHash(text), text }]);
  const facts = { title: null, url: null, publishedAt: null, weight: null, characters: text.length, keyPoints: 0 };
  const row = { ...facts, documentId: 'a', documentHash: contentHash(text), updatedAt: clock.now };
  await saveCollectionDocument(database, 'col_1', row, 10);
  await noteAddition(database, 'col_1');
  clock.now += MINUTE - 1;
  await run();
  expect(sent).toEqual([]);
  clock.now += 1;
  await run();
  await run();
  const [job, ...more] = await database.query.select().from(schema.jobs);
  expect([sent, job.state, more]).toEqual([[{ id: job.id }], 'queued', []]);
  expect(logged.filter(({ level }) => level !== 'info')).toEqual([]);
});

test('every run delivers what is due; the one at the full hour clears away', async () => {
  const { clock, database, deliveries, logged, run } = edge({ TESSERA_RETENTION_DAYS: '1' });
  const old = { tenant: 'default', hash: 'a', text: 'old', createdAt: NOON - 3 * DAY, usedAt: NOON - 3 * DAY };
  const kept = async () => (await database.query.select().from(schema.documents)).length;
  await database.query.insert(schema.documents).values(old);
  for (let minute = 1; minute < 60; minute++) {
    clock.now = NOON + minute * MINUTE;
    await run();
  }
  expect([deliveries(), logged, await kept()]).toEqual([59, [], 1]);
  clock.now = NOON + 60 * MINUTE;
  await run(clock.now + 30); // a run begins a little late
  expect([deliveries(), await kept()]).toEqual([60, 0]);
  expect(logged).toMatchObject([{ level: 'info', message: 'swept', fields: { documents: 1, isFinished: true } }]);
  await database.query.insert(schema.documents).values(old);
  await run(NOON + 61 * MINUTE);
  expect(await kept()).toBe(1);
});

test('where one part fails the others are done, and it is logged', async () => {
  const failures = (logged: { readonly level: string; readonly fields: object; readonly message: string }[]) =>
    logged.filter(({ level }) => level === 'error').map(({ message, fields }) => [message, String(Object(fields).err)]);
  const { clock, logged, failing, batches, deliveries, accept, run } = edge();
  await accept(CITY[0].text);
  clock.now += 60 * MINUTE;
  failing.workflows = true;
  await run();
  expect(failures(logged)).toEqual([['forgotten jobs failed', 'Error: no workflows']]);
  expect([deliveries(), logged.map(({ message }) => message)]).toEqual([1, ['forgotten jobs failed', 'swept']]);
  failing.workflows = false;
  failing.deliver = true;
  await run();
  expect(batches).toHaveLength(1);
  expect(failures(logged).slice(1)).toEqual([['webhooks failed', 'Error: no delivery']]);
  expect(logged.filter(({ message }) => message === 'swept')).toHaveLength(2);
});
