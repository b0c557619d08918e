import { expect, test } from 'vitest';
import {
  beginVersion,
  type Database,
  endVersion,
  insertExperiment,
  insertExposure,
  insertOutcomes,
  insertVersion,
  listVersions,
  type NewOutcome,
  readDataState,
  readExposures,
  readKnownEvents,
  readSums,
  readVersion,
  readVersions,
  replaceDefinition,
} from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const definition = (traffic = 1) => JSON.stringify({ traffic, text: '“\u0000😀”' });

onBothStores(({ open }) => {
  async function withClock() {
    const clock = { time: 1000 };
    const opened = await open();
    return { clock, database: { ...opened, now: () => clock.time } };
  }

  async function made(database: Database, key: string) {
    return (await readVersion(database, key)) ?? expect.fail(key);
  }

  test('experiments are kept once by key and listed from the newest on, page by page', async () => {
    const { database, clock } = await withClock();
    for (const key of ['a', 'b', 'c']) {
      clock.time += 1;
      expect(await insertExperiment(database, { key, definition: definition() })).toBe(true);
    }
    expect(await insertExperiment(database, { key: 'b', definition: '{}' })).toBe(false);
    const first = await listVersions(database, { limit: 2 });
    const second = await listVersions(database, { limit: 2, cursor: first.next ?? '' });
    expect([...first.rows, ...second.rows].map(({ key }) => key)).toEqual(['c', 'b', 'a']);
    expect((await made(database, 'b')).definition).toBe(definition());
    expect(await listVersions({ ...database, tenant: 'other' }, { limit: 2 })).toEqual({ rows: [], next: null });
  });

  test('a version begins once, is changed as it was read, and followed by one other', async () => {
    const { database, clock } = await withClock();
    await insertExperiment(database, { key: 'a', definition: definition() });
    await insertExperiment(database, { key: 'b', definition: definition() });
    const [a, b] = [await made(database, 'a'), await made(database, 'b')];
    expect([await beginVersion(database, a), await beginVersion(database, a)]).toEqual([true, false]);
    expect(await replaceDefinition(database, b, definition(0.5))).toBe(true);
    expect(await replaceDefinition(database, b, definition(0.6))).toBe(false);
    expect(await beginVersion(database, b)).toBe(false);
    expect(await beginVersion(database, await made(database, 'b'))).toBe(true);
    clock.time += 5;
    const running = await made(database, 'a');
    // Of two at once one makes the next version; the other ends nothing.
    const next = () => insertVersion(database, running, definition(0.2));
    await Promise.all([next(), next()]);
    expect(await readVersions(database, 'a')).toMatchObject([
      { version: 2, startedAt: 1005, stoppedAt: null, createdAt: 1000 },
      { version: 1, startedAt: 1000, stoppedAt: 1005 },
    ]);
    expect([await endVersion(database, 'b', 1), await endVersion(database, 'b', 1)]).toEqual([true, false]);
  });

  test('exposures count once, outcomes once, and sums are exact', async () => {
    const { database } = await withClock();
    await insertExperiment(database, { key: 'a', definition: definition() });
    await beginVersion(database, await made(database, 'a'));
    const exposure = { version: 1, variant: 0, overridden: false };
    for (const subject of ['ann', 'ben', 'ann']) {
      await database.commit(insertExposure(database, 'a', { ...exposure, subject }, 1));
    }
    expect((await readExposures(database, 'a', ['ann', 'cem'])).map(({ subject }) => subject)).toEqual(['ann']);
    expect((await readDataState(database, 'a', 1))?.dataVersion).toBe(2);
    const outcome = (event: string, value: number, more: Partial<NewOutcome> = {}): NewOutcome => ({
      event,
      subject: 'ann',
      version: 1,
      metric: 0,
      value,
      denominator: 0,
      at: 1000,
      falls: 'within',
      ...more,
    });
    // Added as they come, doubles would make 0 of it: 1 is smaller than their rounding.
    const values = [1e100, 1, -1e100];
    for (const [i, value] of values.entries()) {
      await database.commit(insertOutcomes(database, 'a', [outcome(`e${i}`, value)]));
    }
    await database.commit(insertOutcomes(database, 'a', [outcome('e0', 5), outcome('late', 5, { falls: 'after' })]));
    expect(await readKnownEvents(database, 'a', ['e0', 'late', 'none'])).toEqual(new Set(['e0', 'late']));
    expect(await readDataState(database, 'a', 1)).toMatchObject({ duplicates: 1, afterStop: 1, dataVersion: 6 });
    const { sums, exposed } = await readSums(database, 'a', 1, 1);
    expect(exposed).toEqual([2]);
    expect(sums).toMatchObject([{ metric: 0, variant: 0, x: 1, xx: 1, events: 3, positive: 1 }]);
    // Who is overridden counts no more.
    await database.commit(insertExposure(database, 'a', { ...exposure, subject: 'ann', overridden: true }, 1));
    expect(await readSums(database, 'a', 1, 1)).toMatchObject({ exposed: [1], overridden: 1, sums: [] });
    expect(await readDataState(database, 'a', 1)).toMatchObject({ overridden: 3 });
  });
});
