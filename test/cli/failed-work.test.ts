import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listFailed, NotFailedError, retryFailed } from '../../src/cli/failed-work.node.ts';
import type { OpenDatabase } from '../../src/store/index.node.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { jobs, webhooks } from '../../src/store/schema.ts';
import { callCli } from '../support/call-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-deps.ts';

const PROBLEM = { type: 't', title: 'Language model request failed', status: 502, detail: 'It did not respond.' };
const AT = Date.UTC(2026, 10, 23, 9, 30);

/** Rows as the service leaves them: each named by its end, `acme` and `other` in turns. */
async function fill(database: OpenDatabase, states: readonly string[]): Promise<void> {
  for (const [n, state] of states.entries()) {
    const tenant = n % 2 === 0 ? 'acme' : 'other';
    const ends = state === 'queued' || state === 'waiting' ? null : AT + n * 60_000;
    await database.query.run(
      sql`insert into digests (id, tenant, status, created_at) values (${`dig_${n}`}, ${tenant}, ${state}, 0)`,
    );
    await database.query.insert(jobs).values({
      id: `dig_${n}`,
      tenant,
      state,
      priority: 1,
      attempt: 4,
      retries: 0,
      notBefore: 0,
      problem: state === 'failed' ? JSON.stringify(PROBLEM) : null,
      createdAt: 0,
      endedAt: ends,
    });
    await database.query.insert(webhooks).values({
      id: `msg_${n}`,
      tenant,
      digestId: `dig_${n}`,
      url: `https://user-${n}.example:8443/in?secret=${n}`,
      payload: '{}',
      state: state === 'queued' ? 'waiting' : state === 'done' ? 'delivered' : state,
      attempt: 10,
      notBefore: 0,
      outcome: '503',
      createdAt: 0,
      endedAt: ends,
    });
  }
}

const statesOf = async (database: OpenDatabase, table: typeof jobs | typeof webhooks) =>
  (await database.query.select({ state: table.state }).from(table).orderBy(table.id)).map(({ state }) => state);

test('what failed is listed with why, the last first, and nothing else', async () => {
  const database = memoryDatabase();
  expect(await listFailed('jobs', database)).toBe('No digest has failed for good.\n');
  expect(await listFailed('webhooks', database)).toBe('Every webhook was delivered or is still waiting.\n');
  await fill(database, ['failed', 'failed', 'done', 'queued', 'cancelled']);
  expect(await listFailed('jobs', database)).toBe(
    [
      'digest  tenant  attempts  failed             why',
      'dig_1   other   4         2026-11-23T09:31Z  Language model request failed: It did not respond.',
      'dig_0   acme    4         2026-11-23T09:30Z  Language model request failed: It did not respond.',
      '',
    ].join('\n'),
  );
  const acme = await listFailed('webhooks', database, 'acme');
  expect(acme).toBe(
    [
      'webhook  tenant  target                       attempts  failed             last outcome',
      'msg_0    acme    https://user-0.example:8443  10        2026-11-23T09:30Z  503',
      '',
    ].join('\n'),
  );
  expect(acme + (await listFailed('webhooks', database))).not.toContain('secret');
});

test('a long list is cut, and says so', async () => {
  const database = memoryDatabase();
  await fill(
    database,
    Array.from({ length: 101 }, () => 'failed'),
  );
  for (const list of [await listFailed('jobs', database), await listFailed('webhooks', database)]) {
    expect(list.split('\n')).toHaveLength(103);
    expect(list).toMatch(/\nOnly the last 100 are listed\.\n$/);
  }
  expect(await retryFailed('jobs', database, { ids: null })).toBe('101 of 101 failed digests are queued again.\n');
});

test('those that are named are retried, and no others', async () => {
  const database = memoryDatabase();
  await fill(database, ['failed', 'failed', 'failed', 'done']);
  const ids = ['dig_2', 'dig_1', 'dig_2'];
  expect(await retryFailed('jobs', database, { ids })).toBe('2 of 3 failed digests are queued again.\n');
  expect(await statesOf(database, jobs)).toEqual(['failed', 'queued', 'queued', 'done']);
  expect(await retryFailed('webhooks', database, { ids: ['msg_0'] })).toBe('1 of 3 failed webhooks are sent again.\n');
  expect(await statesOf(database, webhooks)).toEqual(['waiting', 'failed', 'failed', 'delivered']);
  const [row] = await database.query.select().from(webhooks).where(eq(webhooks.id, 'msg_0'));
  expect(row).toMatchObject({ attempt: 0, endedAt: null, outcome: '503' });
});

test('all of a tenant are retried', async () => {
  const database = memoryDatabase();
  await fill(database, ['failed', 'failed', 'failed', 'done']);
  const chosen = { ids: null, tenant: 'acme' };
  expect(await retryFailed('jobs', database, chosen)).toBe('2 of 2 failed digests are queued again.\n');
  expect(await statesOf(database, jobs)).toEqual(['queued', 'failed', 'queued', 'done']);
  expect(await retryFailed('webhooks', database, chosen)).toBe('2 of 2 failed webhooks are sent again.\n');
  expect(await statesOf(database, webhooks)).toEqual(['waiting', 'failed', 'waiting', 'delivered']);
});

test.each(['dig_3', 'dig_9', ''])(
  'where one of those that are named has not failed (%j), none is retried',
  async (id) => {
    const database = memoryDatabase();
    await fill(database, ['failed', 'failed', 'failed', 'done']);
    const message = `There is no failed digest ${id}; "tessera jobs list" shows all.`;
    const retried = retryFailed('jobs', database, { ids: ['dig_0', id] });
    await expect(retried).rejects.toThrow(NotFailedError);
    await expect(retried).rejects.toThrow(message);
    await expect(retryFailed('webhooks', database, { ids: ['msg_0', id] })).rejects.toThrow(NotFailedError);
    expect(await statesOf(database, jobs)).toEqual(['failed', 'failed', 'failed', 'done']);
  },
);

test('the commands, and how they may be called', async () => {
  const folder = temporaryFolder();
  const settings = { TESSERA_DB: `${folder}/t.sqlite` };
  const database = openDatabase(settings.TESSERA_DB);
  await fill(database, ['failed', 'failed']);
  database.close();
  const call = async (line: string) => callCli(line.split(' '), folder, settings);
  expect(await call('jobs list --tenant other')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^digest .*\ndig_1 .*\n$/),
  });
  expect(await call('jobs retry dig_1')).toMatchObject({
    code: 0,
    stdout: '1 of 2 failed digests are queued again.\n',
  });
  expect(await call('webhooks retry --all')).toMatchObject({
    code: 0,
    stdout: '2 of 2 failed webhooks are sent again.\n',
  });
  expect(await call('jobs retry')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name the digests, or say --all.'),
  });
  for (const line of [
    'jobs retry --all dig_0',
    'webhooks retry',
    'jobs retry dig_0 --tenant acme',
    'jobs list dig_0',
  ]) {
    expect(await call(line), line).toMatchObject({ code: 2, stdout: '' });
  }
  expect(await call('jobs retry dig_1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no failed digest'),
  });
});
