import { expect, test } from 'vitest';
import { bindKey, giveKeyBack, keepAnswer, renewKey, takeKey } from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const LOCK = 1000;
const DAY = 86_400_000;
const ANSWER = { status: 201, headers: { location: '/v1/x' }, body: '{"a":"“\u0000😀”"}' };

onBothStores(({ name, open }) => {
  async function withClock() {
    const clock = { time: 1_000_000 };
    const opened = await open();
    return { clock, database: { ...opened, now: () => clock.time } };
  }

  test('a key is one request’s until it has its answer, which those that come again get for a day', async () => {
    const { database, clock } = await withClock();
    expect(await takeKey(database, 'k', 'f', 'one', LOCK)).toBeNull();
    expect(await takeKey(database, 'k', 'f', 'two', LOCK)).toMatchObject({ isInFlight: true, answer: null });
    await keepAnswer(database, 'k', 'another', { ...ANSWER, status: 500 });
    await keepAnswer(database, 'k', 'one', ANSWER);
    expect(await takeKey(database, 'k', 'other', 'two', LOCK)).toMatchObject({ fingerprint: 'f', answer: ANSWER });
    clock.time += DAY;
    expect(await takeKey(database, 'k', 'f', 'two', LOCK)).toMatchObject({ answer: ANSWER, isInFlight: false });
    clock.time += 1;
    expect(await takeKey(database, 'k', 'other', 'two', LOCK)).toBeNull();
  });

  test('who is gone without an answer loses it, with what it made', async () => {
    const { database, clock } = await withClock();
    await takeKey(database, 'k', 'f', 'one', LOCK);
    await database.commit([bindKey(database, 'k', 'one', 'dig_1'), bindKey(database, 'k', 'another', 'dig_2')]);
    clock.time += LOCK - 1;
    await renewKey(database, 'k', 'one', LOCK);
    clock.time += LOCK - 1;
    expect(await takeKey(database, 'k', 'f', 'two', LOCK)).toMatchObject({ isInFlight: true });
    clock.time += 1;
    expect(await takeKey(database, 'k', 'f', 'two', LOCK)).toMatchObject({ digestId: 'dig_1', isInFlight: false });
    await giveKeyBack(database, 'k', 'two');
    expect(await takeKey(database, 'k', 'f', 'three', LOCK)).toMatchObject({ digestId: 'dig_1', isInFlight: false });
  });

  test('an answer that is too long for a row is not kept: the same request is done again', async () => {
    const { database } = await withClock();
    for (const [key, body] of Object.entries({ bytes: 'x'.repeat(1_600_000), characters: '字'.repeat(533_333) })) {
      await takeKey(database, key, 'f', 'one', LOCK);
      await keepAnswer(database, key, 'one', { ...ANSWER, body });
      expect(await takeKey(database, key, 'f', 'two', LOCK)).toBeNull();
    }
    await takeKey(database, 'fits', 'f', 'one', LOCK);
    await keepAnswer(database, 'fits', 'one', { ...ANSWER, body: 'x'.repeat(1_599_000) });
    expect((await takeKey(database, 'fits', 'f', 'two', LOCK))?.answer?.body).toHaveLength(1_599_000);
  });

  test(`of ten at once one gets it on ${name}`, async () => {
    const { database } = await withClock();
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => takeKey(database, 'k', 'f', `${i}`, LOCK)));
    expect(all.filter((known) => known === null)).toHaveLength(1);
    expect(all.filter((known) => known?.isInFlight)).toHaveLength(9);
  });
});
