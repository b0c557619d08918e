import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { eventsIn } from '../../support/model-app.ts';
import { until } from '../../support/until.ts';
import { type Service, type Suite, told } from '../service.ts';
import { freshOrder } from './jobs.ts';

const LONG_AGO = 10 * 60_000;

/** Looks after the service until a digest is there: a minute of the platform passes at each look. */
async function lookedAfter({ runtime, get }: Service, id: string) {
  return until(
    `digest ${id}`,
    async () => {
      await runtime.everyMinute();
      const found = await told<{ readonly summary?: object }>(get(`/v1/digests/${id}`));
      return found.summary === undefined ? null : found;
    },
    { every: 100 },
  );
}

async function endsOf({ get }: Service, id: string): Promise<number> {
  const all = eventsIn(await (await get(`/v1/digests/${id}`, { accept: 'text/event-stream' })).text());
  expect(all.map((event) => event.id)).toEqual(all.map((_, i) => i + 1));
  return all.filter(({ event }) => event === 'digest').length;
}

/** Jobs that lost whoever was to do them: what was accepted is made, once. */
export const orphanedJobs: Suite = (holds) => {
  holds('a job whose maker is gone is taken up, and who comes back late writes nothing', async (service) => {
    const { runtime, submit } = service;
    runtime.ai.hold();
    const before = runtime.ai.calls;
    const id = await submit(freshOrder());
    await until('the encoder to be asked', () => runtime.ai.calls > before);
    // Its maker gave no sign of life for long, and another was at it who is gone as well.
    await runtime.connection.query.run(
      sql`update jobs set owner = 'gone', attempt = attempt + 1, lease_until = ${Date.now() - LONG_AGO} where id = ${id}`,
    );
    runtime.ai.release();
    expect(await lookedAfter(service, id)).toMatchObject({ id, status: 'completed' });
    expect(await endsOf(service, id)).toBe(1);
  });

  holds('a job whose message was lost is found', async (service) => {
    const { runtime, digest } = service;
    const { query } = runtime.connection;
    const made = await digest(freshOrder());
    const id = `dig_${'0'.repeat(31)}1`;
    const time = Date.now() - LONG_AGO;
    // As it stands where nobody was told of it.
    await query.run(sql`insert into digests (id, tenant, status, request, created_at)
      select ${id}, tenant, 'queued', request, ${time} from digests where id = ${made.id}`);
    await query.run(sql`insert into digest_documents (tenant, digest_id, document_id, document_hash)
      select tenant, ${id}, document_id, document_hash from digest_documents where digest_id = ${made.id}`);
    await query.run(sql`insert into jobs (id, tenant, state, priority, retries, not_before, created_at)
      select ${id}, tenant, 'queued', 0, retries, ${time}, ${time} from jobs where id = ${made.id}`);
    await query.run(sql`insert into job_events (tenant, job_id, number, event, data)
      select tenant, ${id}, number, event, data from job_events where job_id = ${made.id} and number = 1`);
    expect(await lookedAfter(service, id)).toMatchObject({ id, status: 'completed' });
    expect(await endsOf(service, id)).toBe(1);
  });

  holds('looking after what is in order changes nothing', async (service) => {
    const id = await service.submit(freshOrder());
    const made = await service.ended(id);
    await service.runtime.everyMinute();
    await service.runtime.everyMinute();
    expect(await (await service.get(`/v1/digests/${id}`)).json()).toEqual(made);
    expect(await endsOf(service, id)).toBe(1);
  });
};
