import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { type Digest, digestSchema } from '../../../src/contract/index.ts';
import { type OpenDatabase, openDatabase } from '../../../src/store/index.node.ts';
import * as schema from '../../../src/store/schema.ts';
import { embeddingServer, openAiSpecFor } from '../../models/encoders/embedding-server.ts';
import type { Environment } from '../../support/cli.ts';
import { expectSound } from '../../support/promises.ts';
import { type ServiceProcess, settingsOf, startProcess } from '../../support/service-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { expectConsistent } from './expect-consistent.ts';
import { jobRows } from './hand.ts';
import { post, smallRequest } from './posted-digests.ts';

/** A server that makes nothing itself, two workers beside it, and a look into their database. */
async function start(workers: Environment, all: Environment = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.sqlite');
  const server = await startProcess('serve', folder, settingsOf(file, { ...all, TESSERA_JOBS: '0' }));
  const work = () => startProcess('work', folder, settingsOf(file, { ...all, ...workers }));
  const working = await Promise.all([work(), work()]);
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return { url: String(server.ready.url), server, workers: working, database };
}

const ENDED = { exit: [0, null], other: [] };
/** How a process ended, and what it said that is no log. */
const endOf = async ({ exited, other }: ServiceProcess) => ({ exit: await exited, other });
const ownerOf = ({ ready }: ServiceProcess): string => String(ready.worker);
/** Posts digests and returns their requests by id. */
async function postAll(url: string, requests: readonly ReturnType<typeof smallRequest>[]) {
  const posted = new Map<string, ReturnType<typeof smallRequest>>();
  await Promise.all(
    requests.map(async (request) => {
      const answer = await post(url, JSON.stringify(request), null, new AbortController().signal);
      if (typeof answer === 'string') throw new Error(answer);
      expect(answer.status).toBe(202);
      posted.set(String(answer.json.id), request);
    }),
  );
  return posted;
}

/** Begins to note who is seen at which job; the function that is returned ends it and tells. */
function watchOwners({ query }: OpenDatabase): () => Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>();
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const running = await query
        .select({ id: schema.jobs.id, owner: schema.jobs.owner })
        .from(schema.jobs)
        .where(eq(schema.jobs.state, 'running'));
      for (const { id, owner } of running) seen.set(id, (seen.get(id) ?? new Set()).add(String(owner)));
      await pause(5);
    }
  };
  const watching = watch();
  const end = async () => {
    isOver = true;
    await watching;
    return seen;
  };
  onTestFinished(async () => {
    await end();
  });
  return end;
}

const areDone = (database: OpenDatabase) =>
  until('all', async () => (await jobRows(database)).every(({ state }) => state === 'done'), {
    within: 120_000,
    every: 50,
  });

async function expectRead(url: string, posted: ReadonlyMap<string, ReturnType<typeof smallRequest>>): Promise<void> {
  for (const [id, { documents }] of posted) {
    const digest = digestSchema.parse(await (await fetch(`${url}/v1/digests/${id}`)).json()) as Digest;
    expect(digest).toMatchObject({ id, status: 'completed' });
    expectSound(digest, documents);
  }
}

function expectNoFailures(processes: readonly ServiceProcess[]): void {
  for (const { log } of processes) expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
}

test('two workers beside a server share its digests, and none is done twice', { timeout: 180_000 }, async () => {
  const { url, server, workers, database } = await start({ TESSERA_JOBS: '1' });
  const owners = watchOwners(database);
  const posted = await postAll(
    url,
    Array.from({ length: 16 }, (_, n) => smallRequest(n)),
  );
  expect(posted.size).toBe(16);
  await areDone(database);
  const seen = [...(await owners()).values()].map((each) => [...each]);
  expect(seen.filter((each) => each.length > 1)).toEqual([]);
  expect([...new Set(seen.flat())].sort()).toEqual(workers.map(ownerOf).sort());
  await expectConsistent(database);
  const jobs = await jobRows(database);
  expect(jobs.map(({ id }) => id)).toEqual([...posted.keys()].sort());
  expect(jobs.filter(({ attempt, crashes, retries }) => attempt !== 1 || crashes !== 0 || retries !== 3)).toEqual([]);
  await expectRead(url, posted);
  for (const { child } of [...workers, server]) child.kill('SIGTERM');
  for (const each of [...workers, server]) expect(await endOf(each)).toEqual(ENDED);
  expectNoFailures([server, ...workers]);
});

test('a worker that is told to end hands its work back, and the other does it', { timeout: 180_000 }, async () => {
  // No digest is done before the vectors come.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const vectors = await embeddingServer(0, held);
  const { url, server, workers, database } = await start(
    { TESSERA_JOBS: '2', TESSERA_SHUTDOWN_SECONDS: '0' },
    { TESSERA_ENCODERS: JSON.stringify({ held: openAiSpecFor(vectors) }), TESSERA_ENCODER: 'held' },
  );
  const [ending, staying] = workers;
  const owner = ownerOf(ending);
  const owners = watchOwners(database);
  const posted = await postAll(
    url,
    Array.from({ length: 10 }, (_, n) => smallRequest(n)),
  );
  await until('both to wait for vectors', () => vectors.asked.length >= 4, { within: 60_000 });
  ending.child.kill('SIGTERM');
  expect(await endOf(ending)).toEqual(ENDED);
  expect((await jobRows(database)).filter((row) => row.owner === owner)).toEqual([]);
  release();
  await areDone(database);
  const seen = await owners();
  await expectConsistent(database);
  const jobs = await jobRows(database);
  expect(jobs).toHaveLength(posted.size);
  const handedBack = jobs.filter(({ attempt }) => attempt === 2);
  expect(handedBack).toHaveLength(2);
  for (const { id, crashes, retries } of handedBack) {
    expect([crashes, retries]).toEqual([0, 3]);
    expect([...(seen.get(id) ?? [])]).toEqual([owner, ownerOf(staying)]);
  }
  const others = jobs.filter((job) => !handedBack.includes(job));
  expect(others.filter(({ attempt, crashes }) => attempt !== 1 || crashes !== 0)).toEqual([]);
  await expectRead(url, posted);
  for (const { child } of [staying, server]) child.kill('SIGTERM');
  for (const each of [staying, server]) expect(await endOf(each)).toEqual(ENDED);
  expectNoFailures([server, ...workers]);
});
