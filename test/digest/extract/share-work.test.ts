import { expect, test } from 'vitest';
import { singleFlight } from '../../../src/digest/extract/read-documents.ts';
import { storeCache } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

test('work asked for at the same time is done once', async () => {
  const database = memoryDatabase();
  let done = 0;
  const work = async () => ++done;
  expect(await Promise.all([1, 2, 3].map(() => singleFlight(storeCache(database), 'a', work)))).toEqual([1, 1, 1]);
  expect(await singleFlight(storeCache(database), 'a', work)).toBe(2);
  expect(await Promise.all(['a', 'b'].map((key) => singleFlight(storeCache(database), key, work)))).toEqual([3, 4]);
  expect(
    await Promise.all([database, memoryDatabase()].map((each) => singleFlight(storeCache(each), 'a', work))),
  ).toEqual([5, 6]);
});

test('who waits for work that fails does it again, one after the other', async () => {
  const database = memoryDatabase();
  let done = 0;
  const work = async () => {
    done++;
    if (done === 1) throw new Error('gone');
    return done;
  };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => singleFlight(storeCache(database), 'a', work)));
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    'gone',
    2,
    2,
  ]);
});
