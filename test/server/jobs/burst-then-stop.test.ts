import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/index.node.ts';
import * as schema from '../../../src/store/schema.ts';
import { groupBy } from '../../../src/text/index.ts';
import { settingsOf, startProcess } from '../../support/service-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { expectConsistent } from './expect-consistent.ts';
import { eventRows, jobRows } from './hand.ts';
import { post, smallRequest } from './posted-digests.ts';

const DIGESTS = 30;
/** Accepted digests after which the process is told to end. */
const ENOUGH = 5;

test('SIGTERM while a burst is accepted: nothing that was accepted is lost, or made twice', {
  timeout: 240_000,
}, async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.sqlite');
  const settings = settingsOf(file, { TESSERA_SHUTDOWN_SECONDS: '1' });
  const first = await startProcess('serve', folder, settings);
  const url = String(first.ready.url);
  const { signal } = new AbortController();
  let accepted = 0;
  const answers = await Promise.all(
    Array.from({ length: DIGESTS }, async (_, n) => {
      const answer = await post(url, JSON.stringify(smallRequest(n)), null, signal);
      if (typeof answer !== 'string' && ++accepted === ENOUGH) first.child.kill('SIGTERM');
      return answer;
    }),
  );
  expect(await first.exited).toEqual([0, null]);
  const ids = answers.flatMap((answer) => (typeof answer === 'string' ? [] : [String(answer.json.id)]));
  for (const answer of answers) if (typeof answer !== 'string') expect(answer.status).toBe(202);
  const broken = answers.filter((answer) => answer === 'broken').length;
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(ENOUGH);

  const database = openDatabase(file);
  onTestFinished(() => database.close());
  await expectConsistent(database);
  const left = await jobRows(database);
  // It ended in order: nobody holds anything, and the next process need not wait for a lease to end.
  expect(left.filter(({ state }) => state === 'running')).toEqual([]);
  expect(left.some(({ state }) => state === 'queued')).toBe(true);
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  expect(left.length).toBeLessThanOrEqual(ids.length + broken);

  const second = await startProcess('serve', folder, settings);
  await until('all digests', async () => (await jobRows(database)).every(({ state }) => state === 'done'), {
    within: 120_000,
    every: 200,
  });
  await expectConsistent(database);
  const digests = await database.query.select().from(schema.digests);
  expect(digests.map(({ status }) => status)).toEqual(digests.map(() => 'completed'));
  const byIntent = groupBy(digests, ({ request }) => String(JSON.parse(request ?? '{}').intent));
  expect([...byIntent.values()].filter(({ length }) => length > 1)).toEqual([]);
  const ends = (await eventRows(database)).filter(({ event }) => event === 'digest').map(({ jobId }) => jobId);
  expect(ends.sort()).toEqual(digests.map(({ id }) => id).sort());
  for (const { crashes } of await jobRows(database)) expect(crashes).toBe(0);
  for (const id of ids) {
    const read = await fetch(`${second.ready.url}/v1/digests/${id}`);
    expect([read.status, Object(await read.json()).status]).toEqual([200, 'completed']);
  }
  second.child.kill('SIGTERM');
  expect([await second.exited, first.other, second.other]).toEqual([[0, null], [], []]);
});
