import { getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readAggregates } from '../../../src/server/experiments/aggregates.ts';
import { recordExposure } from '../../../src/server/experiments/assignment.ts';
import { changeExperiment, stopExperiment } from '../../../src/server/experiments/definition.ts';
import { readExperiment } from '../../../src/server/experiments/experiment.ts';
import { recordOutcomes } from '../../../src/server/experiments/outcomes.ts';
import { Budget } from '../../../src/store/deletion.ts';
import type { Database } from '../../../src/store/index.ts';
import { forgetSubjects } from '../../../src/store/retention.ts';
import { experimentEvents, experimentExposures, experimentTotals } from '../../../src/store/schema.ts';
import { onBothStores } from '../../store/stores.ts';
import { type Laboratory, laboratory, override, running, START, sent } from './laboratory.ts';

/** Two versions of an experiment with subjects and outcomes; the first ends at `START + 10`, the second runs. */
async function twoVersions({ database, clock }: Laboratory, key = 'exp'): Promise<void> {
  clock.time = START;
  let experiment = await running(database, { key });
  for (const version of [1, 2]) {
    for (const subject of ['ann', 'ben', 'cem']) await recordExposure(database, experiment, subject);
    await override(database, experiment, 'dot');
    const row = { eventId: `e${version}`, subject: 'ann', metric: 'rate', value: 0.1 * version, denominator: 3 };
    const other = { eventId: `f${version}`, subject: 'dot', metric: 'spent', value: 1 };
    await recordOutcomes(database, key, [row, other, row]);
    clock.time += 10;
    if (version === 1) experiment = await changeExperiment(database, key, { newVersion: true });
  }
}

async function rowsOf({ query }: Database): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of [experimentEvents, experimentTotals, experimentExposures])
    found[getTableName(table)] = (await query.select().from(table)).length;
  return found;
}

const ALL = { experiment_events: 4, experiment_totals: 2, experiment_exposures: 8 };
const NONE = { experiment_events: 0, experiment_totals: 0, experiment_exposures: 0 };

/** Read without what is held in memory. */
async function aggregatesOf(database: Database, key: string, version: number) {
  const fresh = { ...database, query: new Proxy(database.query, {}) };
  return readAggregates(fresh, await readExperiment(database, key, version));
}

onBothStores(({ open }) => {
  test('who took part is forgotten when all versions have ended; what they come to stays', async () => {
    const lab = laboratory('default', await open());
    const { database } = lab;
    await twoVersions(lab);
    expect(await forgetSubjects(database, START + 1000)).toBe(0); // the second runs
    await stopExperiment(database, 'exp');
    expect(await forgetSubjects(database, START + 20)).toBe(0);
    expect(await rowsOf(database)).toEqual(ALL);
    const before = [await aggregatesOf(database, 'exp', 1), await aggregatesOf(database, 'exp', 2)];
    expect(before[0].sums.some(({ x }) => x === 0.1)).toBe(true);
    expect(before[1].overridden).toBe(1);
    expect(await forgetSubjects(database, START + 21)).toBe(1);
    expect(await rowsOf(database)).toEqual(NONE);
    expect([await aggregatesOf(database, 'exp', 1), await aggregatesOf(database, 'exp', 2)]).toEqual(before);
    expect(await forgetSubjects(database, START + 21)).toBe(0);
    // Outcomes that arrive still later find nobody.
    const late = sent({ eventId: 'e1', subject: 'ann', metric: 'spent', value: 1, at: START + 1 });
    expect((await recordOutcomes(database, 'exp', [late])).problems).toMatchObject([
      { pointer: '/outcomes/0/subject' },
    ]);
  });

  test('who was interrupted goes on', async () => {
    const lab = laboratory('default', await open());
    const { database } = lab;
    await twoVersions(lab);
    await stopExperiment(database, 'exp');
    const before = await aggregatesOf(database, 'exp', 2);
    let writes = 0;
    const dying = {
      ...database,
      write: <T>(work: () => PromiseLike<T>) =>
        ++writes > 2 ? Promise.reject(new Error('gone')) : database.write(work),
    };
    await expect(forgetSubjects(dying, START + 1000)).rejects.toThrow('gone');
    expect(await rowsOf(database)).toEqual({ ...NONE, experiment_exposures: 8 });
    expect(await forgetSubjects(database, START + 1000)).toBe(1);
    expect(await rowsOf(database)).toEqual(NONE);
    expect(await aggregatesOf(database, 'exp', 2)).toEqual(before);
  });

  test('with a bound of statements it goes on next time, and counts an experiment when all of it is forgotten', async () => {
    const lab = laboratory('default', await open());
    const { database } = lab;
    for (const key of ['exp', 'other']) {
      await twoVersions(lab, key);
      await stopExperiment(database, key);
    }
    const before = await aggregatesOf(database, 'exp', 2);
    const told: number[] = [];
    for (let isSpent = true; isSpent; ) {
      const budget = new Budget(18);
      told.push(await forgetSubjects(database, START + 1000, budget));
      ({ isSpent } = budget);
      expect(told.length).toBeLessThan(9);
    }
    expect(told.length).toBeGreaterThan(2);
    expect(told.reduce((sum, forgotten) => sum + forgotten)).toBe(2);
    expect(await rowsOf(database)).toEqual(NONE);
    expect(await aggregatesOf(database, 'exp', 2)).toEqual(before);
  });
});
