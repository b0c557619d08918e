import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Connection } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { groupBy } from '../../../src/text/index.ts';
import { eventRows, jobRows } from './hand.ts';

const LAST = ['digest', 'error', 'cancelled'];

/** Nothing in the database is half written, whenever whoever wrote it was killed. */
export async function expectConsistent(connection: Connection): Promise<void> {
  const { query } = connection;
  expect(await query.all(sql`pragma integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
  expect(await query.all(sql`pragma foreign_key_check`)).toEqual([]);
  const digests = await query.select().from(schema.digests);
  const jobs = new Map((await jobRows(connection)).map((job) => [job.id, job]));
  const events = groupBy(await eventRows(connection), ({ jobId }) => jobId);
  const webhooks = await query.select().from(schema.webhooks);
  const checkpoints = new Set((await query.select().from(schema.jobCheckpoints)).map(({ jobId }) => jobId));
  expect([...jobs.keys()].sort()).toEqual(digests.map(({ id }) => id).sort());
  for (const { id, answer, status } of digests) {
    const told = events.get(id) ?? [];
    const job = jobs.get(id);
    const isDone = answer !== null;
    expect(told.map(({ number }) => number)).toEqual(told.map((_, i) => i + 1));
    expect(told[0]?.event).toBe('accepted');
    expect(told.filter(({ event }) => LAST.includes(event)).map(({ event }) => event)).toEqual(
      isDone ? ['digest'] : [],
    );
    expect(LAST.includes(told.at(-1)?.event ?? '')).toBe(isDone);
    expect([isDone, status, job?.state]).toEqual(isDone ? [true, 'completed', 'done'] : [false, 'queued', job?.state]);
    expect(['queued', 'running', 'done']).toContain(job?.state);
    expect([job?.owner === null, job?.leaseUntil === null]).toEqual(Array(2).fill(job?.state !== 'running'));
    expect(isDone && checkpoints.has(id)).toBe(false);
    const wanted = isDone && job?.callbackUrl != null ? [`msg_${id.slice('dig_'.length)}`] : [];
    expect(webhooks.filter(({ digestId }) => digestId === id).map((webhook) => webhook.id)).toEqual(wanted);
  }
}
