import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readAggregates } from '../../../src/server/experiments/aggregates.ts';
import { assign, exposureStatements, recordExposure } from '../../../src/server/experiments/assignment.ts';
import { readExperiment } from '../../../src/server/experiments/experiment.ts';
import { recordOutcomes } from '../../../src/server/experiments/outcomes.ts';
import type { Database } from '../../../src/store/index.ts';
import { experimentExposures, experiments } from '../../../src/store/schema.ts';
import { laboratory, namedSums, override, running, START } from './laboratory.ts';

const exposuresOf = ({ query }: Database) => query.select().from(experimentExposures);
const exposedOf = async (database: Database, version?: number) => {
  const { exposed, overridden } = await readAggregates(database, await readExperiment(database, 'exp', version));
  return { exposed, overridden };
};

test('a subject is exposed once, at its first time', async () => {
  const { database, clock } = laboratory();
  const experiment = await running(database);
  const first = await recordExposure(database, experiment, 's');
  expect(first).toEqual(assign(experiment, 's'));
  const { dataVersion } = await readAggregates(database, experiment);
  clock.time++;
  expect(await recordExposure(database, experiment, 's')).toEqual(first);
  expect(await exposuresOf(database)).toMatchObject([{ subject: 's', version: 1, exposedAt: START, overridden: 0 }]);
  expect((await readAggregates(database, experiment)).dataVersion).toBe(dataVersion);
  await recordExposure(database, experiment, 't');
  expect((await readAggregates(database, experiment)).dataVersion).toBeGreaterThan(dataVersion);
});

test('statements are written with others or not at all', async () => {
  const { database } = laboratory();
  const experiment = await running(database);
  const statements = exposureStatements(database, experiment, 's', { variant: 'control', overridden: false });
  const impossible = database.query.update(experiments).set({ key: sql`null` });
  await expect(database.commit([...statements, impossible])).rejects.toThrow();
  expect(await exposuresOf(database)).toEqual([]);
  await database.commit(statements);
  expect(await exposedOf(database)).toEqual({ exposed: [1, 0], overridden: 0 });
});

test('who was overridden at first stays so, and who is later is taken out with all it did', async () => {
  const { database } = laboratory();
  const experiment = await running(database);
  const total = async () => (await exposedOf(database)).exposed.reduce((sum, each) => sum + each);
  const outcome = (subject: string, number: number, metric = 'spent') => ({
    eventId: `${subject}-${metric}-${number}`,
    subject,
    metric,
    value: 1,
  });
  await override(database, experiment, 'early');
  await recordExposure(database, experiment, 'early');
  await recordExposure(database, experiment, 'late');
  await recordExposure(database, experiment, 'never');
  expect(await total()).toBe(2);
  expect((await exposedOf(database)).overridden).toBe(1);
  const each = ['early', 'late', 'never'];
  const batch = each.flatMap((subject) => [outcome(subject, 1), outcome(subject, 2), outcome(subject, 1, 'won')]);
  expect(await recordOutcomes(database, 'exp', batch)).toMatchObject({ accepted: 6, ignored: { overridden: 3 } });
  await override(database, experiment, 'late');
  await override(database, experiment, 'late');
  await recordExposure(database, experiment, 'late');
  expect(await total()).toBe(1);
  expect((await exposedOf(database)).overridden).toBe(2);
  await recordOutcomes(database, 'exp', [outcome('late', 3)]);
  const { sums, ignored } = await readAggregates(database, experiment);
  expect(ignored).toEqual({ beforeExposure: 0, afterStop: 0, overridden: 7, duplicates: 0 });
  const counted = namedSums(experiment, sums);
  expect(counted.map(({ metric, x, events, active }) => [metric, x, events, active])).toEqual([
    ['won', 1, 1, 1],
    ['spent', 2, 2, 1],
  ]);
});

test.each([
  ['a\u0000b', 'holds a control character'],
  ['a\ud800', 'holds half a pair'],
])('a subject %j that %s is refused', async (subject) => {
  const { database } = laboratory();
  const experiment = await running(database);
  await expect(recordExposure(database, experiment, subject)).rejects.toMatchObject({ pointer: '/subject' });
});
