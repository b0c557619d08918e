import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { assign, assignSubject } from '../../../src/server/experiments/assign-subject.ts';
import { changeExperiment } from '../../../src/server/experiments/change-experiment.ts';
import { readAggregates } from '../../../src/server/experiments/read-aggregates.ts';
import { readExperiment } from '../../../src/server/experiments/read-experiment.ts';
import { exposureStatements, recordExposure } from '../../../src/server/experiments/record-exposure.ts';
import { recordOutcomes } from '../../../src/server/experiments/record-outcomes.ts';
import { stopExperiment } from '../../../src/server/experiments/stop-experiment.ts';
import type { Database } from '../../../src/store/index.ts';
import { experimentExposures, experiments } from '../../../src/store/schema.ts';
import { laboratory, running, START } from './laboratory.ts';

const exposuresOf = ({ query }: Database) => query.select().from(experimentExposures);
const exposedOf = async (database: Database, version?: number) => {
  const { exposed, overridden } = await readAggregates(database, await readExperiment(database, 'exp', version));
  return { exposed: exposed.map(({ subjects }) => subjects), overridden };
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

test('an exposed subject keeps its variant, whatever assigns it', async () => {
  const { database } = laboratory();
  const experiment = await running(database);
  const { variant } = await recordExposure(database, experiment, 's');
  const salts = Array.from({ length: 20 }, (_, salt) => `other-${salt}`);
  const salt = salts.find((each) => assign({ ...experiment, salt: each }, 's').variant !== variant) ?? '';
  const moved = { ...experiment, salt };
  expect(assign(moved, 's').variant).not.toBe(variant);
  expect((await assignSubject(database, moved, 's')).variant).toBe(variant);
  expect((await assignSubject(database, { ...experiment, traffic: 0 }, 's')).variant).toBe(variant);
  expect((await assignSubject(database, { ...experiment, traffic: 0 }, 'new')).reason).toBe('traffic');
});

test('nothing is kept of who takes no part', async () => {
  const { database } = laboratory();
  const experiment = await running(database, { traffic: 1e-9 });
  expect(await recordExposure(database, experiment, 's')).toMatchObject({ variant: null, reason: 'traffic' });
  expect(exposureStatements(database, experiment, { subject: 's', variant: null, overridden: false })).toEqual([]);
  expect(await exposuresOf(database)).toEqual([]);
});

test('nothing is kept after the end, be the experiment read before it', async () => {
  const { database } = laboratory();
  const experiment = await running(database);
  await stopExperiment(database, 'exp');
  await recordExposure(database, experiment, 's');
  expect(await recordExposure(database, await readExperiment(database, 'exp'), 's')).toMatchObject({
    reason: 'stopped',
  });
  expect(await exposuresOf(database)).toEqual([]);
});

test('statements are written with others or not at all', async () => {
  const { database } = laboratory();
  const experiment = await running(database);
  const statements = exposureStatements(database, experiment, { subject: 's', variant: 'control', overridden: false });
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
  await recordExposure(database, experiment, 'early', { overridden: true });
  await recordExposure(database, experiment, 'early');
  await recordExposure(database, experiment, 'late');
  await recordExposure(database, experiment, 'never');
  expect(await total()).toBe(2);
  expect((await exposedOf(database)).overridden).toBe(1);
  const each = ['early', 'late', 'never'];
  const batch = each.flatMap((subject) => [outcome(subject, 1), outcome(subject, 2), outcome(subject, 1, 'won')]);
  expect(await recordOutcomes(database, 'exp', batch)).toMatchObject({ accepted: 6, ignored: { overridden: 3 } });
  await recordExposure(database, experiment, 'late', { overridden: true });
  await recordExposure(database, experiment, 'late', { overridden: true });
  await recordExposure(database, experiment, 'late');
  expect(await total()).toBe(1);
  expect((await exposedOf(database)).overridden).toBe(2);
  await recordOutcomes(database, 'exp', [outcome('late', 3)]);
  const { sums, ignored } = await readAggregates(database, experiment);
  expect(ignored).toEqual({ beforeExposure: 0, afterStop: 0, overridden: 7, duplicates: 0 });
  const counted = sums.filter(({ events }) => events > 0);
  expect(counted.map(({ metric, x, events, subjects }) => [metric, x, events, subjects])).toEqual([
    ['won', 1, 1, 1],
    ['spent', 2, 2, 1],
  ]);
});

test('versions and tenants know their own subjects only', async () => {
  const { database } = laboratory('one');
  const { database: other } = laboratory('two', database);
  const experiment = await running(database);
  await running(other);
  await recordExposure(database, experiment, 's');
  expect((await exposedOf(other)).exposed).toEqual([0, 0]);
  const next = await changeExperiment(database, 'exp', {}, { newVersion: true });
  expect((await exposedOf(database, 2)).exposed).toEqual([0, 0]);
  await recordExposure(database, next, 's', { overridden: true });
  expect(await exposedOf(database, 2)).toEqual({ exposed: [0, 0], overridden: 1 });
  expect(await exposedOf(database, 1)).toMatchObject({ overridden: 0 });
  expect((await exposedOf(database, 1)).exposed.reduce((sum, each) => sum + each)).toBe(1);
  expect((await readAggregates(other, experiment)).dataVersion).toBe(0);
});

test.each([
  ['', 'is empty'],
  ['x'.repeat(201), 'is too long'],
  ['a\u0000b', 'holds a control character'],
  ['a\ud800', 'holds half a pair'],
])('a subject %j that %s is refused', async (subject) => {
  const { database } = laboratory();
  const experiment = await running(database);
  await expect(recordExposure(database, experiment, subject)).rejects.toMatchObject({ pointer: '/subject' });
});
