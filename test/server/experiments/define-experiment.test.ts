import { expect, test } from 'vitest';
import { ExperimentExistsError, ExperimentNotFoundError, InvalidExperimentError } from '../../../src/server/errors.ts';
import { defineExperiment } from '../../../src/server/experiments/definition.ts';
import { listExperiments, type NewExperiment, readExperiment } from '../../../src/server/experiments/experiment.ts';
import { laboratory, metric, PLAIN, START } from './laboratory.ts';

async function problemsOf(change: object): Promise<readonly { pointer: string; detail: string }[]> {
  // Callers that check no types may send anything.
  const experiment = { ...PLAIN, ...change } as NewExperiment;
  const failure: unknown = await defineExperiment(laboratory().database, experiment).then(
    () => expect.fail('it was kept'),
    (error: unknown) => error,
  );
  if (!(failure instanceof InvalidExperimentError)) throw failure;
  expect(failure.problems[0]).toEqual({ pointer: failure.pointer, detail: failure.message });
  return failure.problems;
}

const [control, treatment] = PLAIN.variants;
const guardrail = { ...metric('slow'), margin: 0.1 };

test('an experiment is a draft with its defaults', async () => {
  const { database, clock } = laboratory();
  const made = await defineExperiment(database, PLAIN);
  expect(made).toEqual({
    ...PLAIN,
    guardrails: [],
    traffic: 1,
    layer: null,
    salt: 'exp',
    version: 1,
    state: 'draft',
    createdAt: START,
    startedAt: null,
    stoppedAt: null,
  });
  clock.time++;
  expect(await readExperiment(database, 'exp')).toEqual(made);
});

test.each<[string, object, string]>([
  ['no key', { key: '' }, '/key'],
  ['a key with a slash', { key: 'a/b' }, '/key'],
  ['a key that begins with a dot', { key: '.a' }, '/key'],
  ['two variants of one name', { variants: [control, control] }, '/variants/1/name'],
  ['weights that sum to less', { variants: [control, { ...treatment, weight: 0.4999 }] }, '/variants'],
  ['weights that sum to more', { variants: [control, { ...treatment, weight: 0.500001 }] }, '/variants'],
  ['a metric twice', { metrics: [metric('a'), metric('b'), metric('a')] }, '/metrics/2/key'],
  ['a metric that is a guardrail too', { guardrails: [{ ...guardrail, key: 'spent' }] }, '/guardrails/0/key'],
  ['a metric named as if the service recorded it', { metrics: [metric('digest.mood')] }, '/metrics/0/key'],
  ['an automatic metric that is no ratio', { metrics: [metric('digest.latency')] }, '/metrics/0/type'],
  ['an empty part of a layer', { layer: { key: 'l', from: 0.5, to: 0.5 } }, '/layer/to'],
  ['a layer without a name', { layer: { key: '', from: 0, to: 1 } }, '/layer/key'],
  ['a salt that nobody sees', { salt: 'a\u0000' }, '/salt'],
])('%s is refused', async (_, change, pointer) => {
  expect((await problemsOf(change)).map((problem) => problem.pointer)).toContain(pointer);
});

test('everything that is wrong is told at once', async () => {
  const problems = await problemsOf({ key: '-', salt: '\u0000', variants: [control, { ...control, weight: 0.6 }] });
  expect(problems.map(({ pointer }) => pointer)).toEqual(['/key', '/variants/1/name', '/variants', '/salt']);
  expect(problems[2].detail).toMatch(/sum to 1\.1, not to 1/);
});

test('a key is taken once, by each tenant', async () => {
  const { database } = laboratory('one');
  const { database: other } = laboratory('two', database);
  await defineExperiment(database, PLAIN);
  await expect(defineExperiment(database, { ...PLAIN, hypothesis: 'Other.' })).rejects.toThrow(ExperimentExistsError);
  await expect(readExperiment(other, 'exp')).rejects.toThrow(ExperimentNotFoundError);
  await defineExperiment(other, { ...PLAIN, hypothesis: 'Theirs.' });
  expect((await readExperiment(database, 'exp')).hypothesis).toBe('It helps.');
  expect((await listExperiments(other, { limit: 10 })).rows.map(({ hypothesis }) => hypothesis)).toEqual(['Theirs.']);
});
