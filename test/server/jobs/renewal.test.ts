import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { CITY } from '../../support/documents.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { until } from '../../support/until.ts';
import { hand, jobRows } from './hand.ts';

test('a job that begins while leases wait for the database to be renewed is not taken for lost', async () => {
  const plain = memoryDatabase();
  let waiting = 0;
  let isHeld = false;
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const write: OpenDatabase['write'] = async (statement) => {
    if (isHeld) {
      waiting++;
      await gate;
    }
    return plain.write(statement);
  };
  // A heartbeat each 200 ms: a machine that is busy needs a while to come to the next line.
  const worker = hand({ ...plain, write }, { slots: 2, leaseMilliseconds: 600 });
  const ranked = worker.engine.hold('rank');
  const order = { documents: CITY.slice(0, 2) };
  await worker.accept(order, true);
  await ranked.reached;
  isHeld = true; // another process writes
  await until('a heartbeat', () => waiting > 0);
  await worker.accept(order, true);
  isHeld = false;
  letGo();
  await new Promise((resolve) => setTimeout(resolve, 50)); // what was held up is answered
  ranked.open();
  await until('the ends', async () => (await jobRows(plain)).every(({ state }) => state === 'done'));
  expect((await jobRows(plain)).map(({ attempt, crashes }) => [attempt, crashes])).toEqual([
    [1, 0],
    [1, 0],
  ]);
  expect(worker.happenings.filter((happening) => happening !== 'done')).toEqual(['started', 'started']);
});
