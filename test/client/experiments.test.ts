import { expect, expectTypeOf, test } from 'vitest';
import { NotFoundError, type RecordedOutcomes, ValidationError } from '../../src/client/client.ts';
import {
  type Assignment,
  type Client,
  createClient,
  type DigestInput,
  type Experiment,
  type ExperimentHistory,
  type ExperimentInput,
  type ExperimentResults,
  TesseraClientError,
} from '../../src/client/index.ts';
import { testApp } from '../support/test-deps.ts';

const DOCUMENTS = [
  { id: 'council', text: 'Traffic in the centre fell by 18 percent. The charge raised 40 million euros.' },
];
const NEW: ExperimentInput = {
  key: 'sizes',
  hypothesis: 'Short digests are read.',
  variants: [
    { name: 'long', weight: 0.5 },
    { name: 'short', weight: 0.5, options: { selection: { size: { keyPoints: 1 } } } },
  ],
  metrics: [{ key: 'read', type: 'binomial', direction: 'increase' }],
  status: 'running',
};

/** Requests that are to compile as they are written; the compiler is the test. */
const REQUESTS: readonly (ExperimentInput | DigestInput)[] = [
  NEW,
  { documents: DOCUMENTS, experiment: { key: 'sizes', subject: 'u1' } },
  // @ts-expect-error a guardrail without a margin
  { ...NEW, guardrails: [{ key: 'late', type: 'mean', direction: 'decrease' }] },
  // @ts-expect-error no such type of metric
  { ...NEW, metrics: [{ key: 'read', type: 'median', direction: 'increase' }] },
  // @ts-expect-error documents are no option of a variant
  { ...NEW, variants: [{ name: 'a', weight: 1, options: { documents: DOCUMENTS } }] },
  // @ts-expect-error what became of the subject is the service's to say
  { documents: DOCUMENTS, experiment: { key: 'sizes', subject: 'u1', variant: 'long' } },
];

/** A client of an app in this process. */
function client(): Client {
  const { app } = testApp();
  const fetch = async (url: string, init: RequestInit) => app.request(url, init);
  return createClient({ baseUrl: 'http://localhost', fetch, maxRetries: 0 });
}

test('an experiment from its start to its results', async () => {
  expect(REQUESTS).toHaveLength(6);
  const { experiments, digests } = client();
  const made = await experiments.create(NEW);
  expectTypeOf(made).toEqualTypeOf<Experiment>();
  expect(made).toMatchObject({ version: 1, status: 'running', traffic: 1 });

  const digest = await digests.create({ documents: DOCUMENTS, experiment: { key: 'sizes', subject: 'u 1' } });
  const assigned = await experiments.assignment('sizes', 'u 1');
  expectTypeOf(assigned).toEqualTypeOf<Assignment>();
  expect(digest.experiment).toEqual({ key: 'sizes', version: 1, variant: assigned.variant, overridden: false });
  expect(await experiments.expose('sizes', 'u 1')).toEqual(assigned);

  const recorded = await experiments.recordOutcomes('sizes', [
    { eventId: 'e1', subject: 'u 1', metric: 'read' },
    { eventId: 'e1', subject: 'u 1', metric: 'read', value: 1, at: new Date().toISOString() },
  ]);
  expectTypeOf(recorded).toEqualTypeOf<RecordedOutcomes>();
  expect(recorded).toMatchObject({ accepted: 1, duplicates: 1, problems: [] });

  const shown = await experiments.results('sizes', { alpha: 0.1 });
  expectTypeOf(shown).toEqualTypeOf<ExperimentResults>();
  expect(shown).toMatchObject({ alpha: 0.1, exposed: 1, status: 'running' });

  expect(await experiments.update('sizes', { traffic: 0.5, newVersion: true })).toMatchObject({ version: 2 });
  expect(await experiments.stop('sizes')).toMatchObject({ status: 'stopped' });
  const read = await experiments.get('sizes', { version: 1 });
  expectTypeOf(read).toEqualTypeOf<ExperimentHistory>();
  expect(read.versions.map(({ version, status }) => [version, status])).toEqual([
    [2, 'stopped'],
    [1, 'stopped'],
  ]);
  const listed: string[] = [];
  for await (const { key, version } of experiments.list({ limit: 1 })) listed.push(`${key} ${version}`);
  expect(listed).toEqual(['sizes 2']);
});

test('problems are errors of their kind, with pointers', async () => {
  const { experiments } = client();
  await expect(experiments.get('none')).rejects.toThrow(NotFoundError);
  const [long] = NEW.variants;
  const wrong = experiments.create({ ...NEW, variants: [long, { ...long, name: 'other', weight: 0.4 }] });
  await expect(wrong).rejects.toThrow(ValidationError);
  await expect(wrong).rejects.toMatchObject({ problem: { errors: [{ pointer: '/variants' }] } });
  await experiments.create(NEW);
  const again = experiments.start('sizes');
  await expect(again).rejects.toThrow(TesseraClientError);
  await expect(again).rejects.toMatchObject({ status: 409, problem: { type: 'urn:tessera:problem:experiment-state' } });
  const edited = experiments.update('sizes', { traffic: 0.5 });
  await expect(edited).rejects.toMatchObject({ status: 409, problem: { errors: [{ pointer: '/traffic' }] } });
});
