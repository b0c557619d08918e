import { expect, test } from 'vitest';
import type { ExperimentChanges } from '../../../src/contract/index.ts';
import { ExperimentNotFoundError } from '../../../src/server/errors.ts';
import { assign } from '../../../src/server/experiments/assignment.ts';
import {
  changeExperiment,
  defineExperiment,
  startExperiment,
  stopExperiment,
} from '../../../src/server/experiments/definition.ts';
import { listExperiments, readExperiment } from '../../../src/server/experiments/experiment.ts';
import { iso, laboratory, metric, PLAIN, running, START } from './laboratory.ts';

test('an experiment is a draft with its defaults', async () => {
  const { database, clock } = laboratory();
  const made = await defineExperiment(database, PLAIN);
  expect(made).toEqual({
    ...PLAIN,
    guardrails: [],
    traffic: 1,
    salt: 'exp',
    version: 1,
    status: 'draft',
    createdAt: iso(START),
    startedAt: null,
    stoppedAt: null,
  });
  clock.time++;
  expect(await readExperiment(database, 'exp')).toEqual(made);
});

test('a key is taken once, by each tenant', async () => {
  const { database } = laboratory('one');
  const { database: other } = laboratory('two', database);
  await defineExperiment(database, PLAIN);
  await expect(defineExperiment(database, { ...PLAIN, hypothesis: 'Other.' })).rejects.toMatchObject({
    code: 'experiment-exists',
    pointer: '/key',
  });
  await expect(readExperiment(other, 'exp')).rejects.toThrow(ExperimentNotFoundError);
  await defineExperiment(other, { ...PLAIN, hypothesis: 'Theirs.' });
  expect((await readExperiment(database, 'exp')).hypothesis).toBe('It helps.');
  expect((await listExperiments(other, { limit: 10 })).rows.map(({ hypothesis }) => hypothesis)).toEqual(['Theirs.']);
});

const CHANGES: [string, ExperimentChanges][] = [
  [
    'variants',
    {
      variants: [
        { ...PLAIN.variants[0], weight: 0.4 },
        { ...PLAIN.variants[1], weight: 0.6 },
      ],
    },
  ],
  ['metrics', { metrics: [metric('other')] }],
  ['guardrails', { guardrails: [{ ...metric('slow'), margin: 0.1 }] }],
  ['traffic', { traffic: 0.5 }],
  ['salt', { salt: 'other' }],
];

test.each(CHANGES)('%s of a draft change, of a running or stopped experiment not', async (field, changes) => {
  const { database } = laboratory();
  await defineExperiment(database, PLAIN);
  expect(await changeExperiment(database, 'exp', changes)).toMatchObject({ ...changes, version: 1, status: 'draft' });
  await running(database, { key: 'second' });
  const before = await readExperiment(database, 'second');
  const refused = { code: 'experiment-running', pointer: `/${field}` };
  await expect(changeExperiment(database, 'second', changes)).rejects.toMatchObject(refused);
  expect(await readExperiment(database, 'second')).toEqual(before);
  await stopExperiment(database, 'second');
  await expect(changeExperiment(database, 'second', changes)).rejects.toMatchObject(refused);
});

test('a new version runs from now on, with subjects assigned afresh; the old one stays as it was', async () => {
  const { database, clock } = laboratory();
  const old = await running(database);
  clock.time = START + 5;
  const next = await changeExperiment(database, 'exp', { traffic: 0.9, newVersion: true });
  expect(next).toEqual({ ...old, version: 2, traffic: 0.9, salt: 'exp:2', startedAt: iso(START + 5) });
  expect(await readExperiment(database, 'exp')).toEqual(next);
  expect(await readExperiment(database, 'exp', 1)).toEqual({ ...old, status: 'stopped', stoppedAt: iso(START + 5) });
  const subjects = Array.from({ length: 2000 }, (_, index) => `s${index}`);
  const moved = subjects.filter((s) => assign({ ...next, traffic: 1 }, s).variant !== assign(old, s).variant).length;
  expect(moved).toBeGreaterThan(900);
  expect(moved).toBeLessThan(1100);
  const kept = await changeExperiment(database, 'exp', { salt: 'exp', traffic: 1, newVersion: true });
  expect(kept).toMatchObject({ version: 3, salt: 'exp', createdAt: iso(START) });
  expect(subjects.every((s) => assign(kept, s).variant === assign(old, s).variant)).toBe(true);
});

test('from draft to running to stopped, and no way back', async () => {
  const { database, clock } = laboratory();
  await defineExperiment(database, PLAIN);
  await expect(stopExperiment(database, 'exp')).rejects.toThrow('The experiment has not begun.');
  clock.time = START + 1;
  expect(await startExperiment(database, 'exp')).toMatchObject({ status: 'running', startedAt: iso(START + 1) });
  await expect(startExperiment(database, 'exp')).rejects.toThrow('The experiment is running already.');
  clock.time = START + 2;
  expect(await stopExperiment(database, 'exp')).toMatchObject({ status: 'stopped', stoppedAt: iso(START + 2) });
  await expect(stopExperiment(database, 'exp')).rejects.toMatchObject({ code: 'experiment-state' });
  await expect(startExperiment(database, 'exp')).rejects.toMatchObject({ code: 'experiment-state' });
  await expect(startExperiment(database, 'nobody')).rejects.toThrow(ExperimentNotFoundError);
  await expect(stopExperiment(database, 'nobody')).rejects.toThrow(ExperimentNotFoundError);
});
