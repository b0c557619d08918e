import { expect, test } from 'vitest';
import { changeExperiment } from '../../../src/server/experiments/change-experiment.ts';
import { readAggregates } from '../../../src/server/experiments/read-aggregates.ts';
import { readExperiment } from '../../../src/server/experiments/read-experiment.ts';
import { recordExposure } from '../../../src/server/experiments/record-exposure.ts';
import { type ReceivedOutcome, recordOutcomes } from '../../../src/server/experiments/record-outcomes.ts';
import { stopExperiment } from '../../../src/server/experiments/stop-experiment.ts';
import type { Database } from '../../../src/store/index.ts';
import { experimentEvents } from '../../../src/store/schema.ts';
import { laboratory, metric, running, START } from './laboratory.ts';

const DAY = 86_400_000;
const NONE = { beforeExposure: 0, afterStop: 0, overridden: 0 };

/** An experiment with a subject `s` that was exposed at `START`. */
async function exposed(tenant?: string, database?: Database) {
  const own = laboratory(tenant, database);
  const experiment = await running(own.database);
  await recordExposure(own.database, experiment, 's');
  return { ...own, experiment };
}

let events = 0;
function outcome(change: Partial<ReceivedOutcome> = {}): ReceivedOutcome {
  return { eventId: `e${events++}`, subject: 's', metric: 'spent', value: 2, ...change };
}

/** What the metrics with outcomes come to. */
async function sumsOf(database: Database, version?: number) {
  const { sums } = await readAggregates(database, await readExperiment(database, 'exp', version));
  return Object.fromEntries(
    sums
      .filter(({ subjects }) => subjects > 0)
      .map(({ metric: name, x, xx, y, yy, xy, events: n }) => [name, [x, xx, y, yy, xy, n]]),
  );
}

test('each type of metric adds up in its own way', async () => {
  const { database } = await exposed();
  const batch = [
    { metric: 'won', value: undefined },
    { metric: 'won', value: 1 },
    { metric: 'won', value: 0 },
    { metric: 'spent', value: 2.5 },
    { metric: 'spent', value: -1 },
    { metric: 'visits', value: undefined },
    { metric: 'visits', value: 1 },
    { metric: 'rate', value: 3, denominator: 4 },
    { metric: 'rate', value: 2 },
  ];
  const recorded = await recordOutcomes(database, 'exp', batch.map(outcome));
  expect(recorded).toEqual({ accepted: 9, duplicates: 0, ignored: NONE, problems: [] });
  expect(await sumsOf(database)).toEqual({
    won: [1, 1, 0, 0, 0, 3],
    spent: [1.5, 2.25, 0, 0, 0, 2],
    visits: [2, 4, 0, 0, 0, 2],
    rate: [5, 25, 5, 25, 25, 2],
  });
});

test('a subject that lost did not win', async () => {
  const { database } = await exposed();
  await recordOutcomes(database, 'exp', [outcome({ metric: 'won', value: 0 })]);
  expect(await sumsOf(database)).toEqual({ won: [0, 0, 0, 0, 0, 1] });
});

test.each<[string, Partial<ReceivedOutcome>, string, RegExp]>([
  ['an unknown subject', { subject: 'nobody' }, 'subject', /not exposed/],
  ['an empty subject', { subject: '' }, 'subject', /not empty/],
  ['an unknown metric', { metric: 'lost' }, 'metric', /is not a metric/],
  ['a metric of the service', { metric: 'digest.latency' }, 'metric', /by the service/],
  ['no event id', { eventId: '' }, 'eventId', /not empty/],
  ['an endless event id', { eventId: 'x'.repeat(201) }, 'eventId', /200/],
  ['a value that is no number', { value: Number.NaN }, 'value', /finite/],
  ['an infinite value', { value: Number.NEGATIVE_INFINITY }, 'value', /finite/],
  ['a value whose square overflows', { value: 1e200 }, 'value', /at most/],
  ['no value', { value: undefined }, 'value', /is missing/],
  ['no value of a ratio', { metric: 'rate', value: undefined }, 'value', /is missing/],
  ['half a conversion', { metric: 'won', value: 0.5 }, 'value', /0 or 1/],
  ['a count of two', { metric: 'visits', value: 2 }, 'value', /counts events/],
  ['a negative denominator', { metric: 'rate', denominator: -1 }, 'denominator', /from 0/],
  ['a denominator that is no number', { metric: 'rate', denominator: Number.NaN }, 'denominator', /from 0/],
  ['a denominator of a mean', { denominator: 1 }, 'denominator', /ratio/],
  ['a time that is none', { at: Number.NaN }, 'at', /not a valid time/],
  ['a time far ahead', { at: START + DAY + 1 }, 'at', /a day in the future/],
])('%s is told, and does not cost the others', async (_, change, field, detail) => {
  const { database } = await exposed();
  const recorded = await recordOutcomes(database, 'exp', [outcome(), outcome(change), outcome()]);
  expect(recorded).toEqual({
    accepted: 2,
    duplicates: 0,
    ignored: NONE,
    problems: [{ index: 1, pointer: `/outcomes/1/${field}`, detail: expect.stringMatching(detail) }],
  });
  expect(await sumsOf(database)).toEqual({ spent: [4, 16, 0, 0, 0, 2] });
});

test('what JSON makes of NaN is no 0', async () => {
  const { database } = await exposed();
  for (const field of ['value', 'denominator']) {
    const sent: ReceivedOutcome = JSON.parse(JSON.stringify(outcome({ metric: 'rate', [field]: Number.NaN })));
    const { problems } = await recordOutcomes(database, 'exp', [sent]);
    expect(problems).toMatchObject([{ pointer: `/outcomes/0/${field}` }]);
  }
});

test('a refused event may come again as it should be', async () => {
  const { database } = await exposed();
  await recordOutcomes(database, 'exp', [outcome({ eventId: 'again', value: Number.NaN })]);
  expect(await recordOutcomes(database, 'exp', [outcome({ eventId: 'again' })])).toMatchObject({ accepted: 1 });
});

test('an event counts once, whatever comes with it again', async () => {
  const { database, experiment } = await exposed();
  const first = outcome({ eventId: 'e' });
  expect(await recordOutcomes(database, 'exp', [first, first])).toMatchObject({ accepted: 1, duplicates: 1 });
  const again = [first, { ...first, value: 9 }, { ...first, metric: 'visits', value: 1 }];
  expect(await recordOutcomes(database, 'exp', again)).toMatchObject({ accepted: 0, duplicates: 3 });
  expect(await sumsOf(database)).toEqual({ spent: [2, 4, 0, 0, 0, 1] });
  expect((await readAggregates(database, experiment)).ignored.duplicates).toBe(4);
});

test('the same event at the same time from many callers counts once', async () => {
  const { database, experiment } = await exposed();
  const batch = [outcome(), outcome()];
  await Promise.all([1, 2, 3, 4].map(() => recordOutcomes(database, 'exp', batch)));
  expect(await sumsOf(database)).toEqual({ spent: [4, 16, 0, 0, 0, 2] });
  expect((await readAggregates(database, experiment)).ignored.duplicates).toBe(6);
});

test('what was before the exposure is left out and counted, once', async () => {
  const { database, experiment } = await exposed();
  const early = outcome({ at: START - 1 });
  const recorded = await recordOutcomes(database, 'exp', [early, outcome({ at: START }), outcome({ at: -5 })]);
  expect(recorded).toMatchObject({ accepted: 1, ignored: { ...NONE, beforeExposure: 2 }, problems: [] });
  expect(await recordOutcomes(database, 'exp', [early])).toMatchObject({ duplicates: 1, ignored: NONE });
  const { ignored } = await readAggregates(database, experiment);
  expect(ignored).toEqual({ beforeExposure: 2, afterStop: 0, overridden: 0, duplicates: 1 });
});

test('events up to the end count, however late they arrive', async () => {
  const { database, clock, experiment } = await exposed();
  clock.time = START + 10;
  await stopExperiment(database, 'exp');
  clock.time = START + 400 * DAY;
  const batch = [outcome({ at: START + 10 }), outcome({ at: START + 11 }), outcome()];
  expect(await recordOutcomes(database, 'exp', batch)).toMatchObject({ accepted: 1, ignored: { afterStop: 2 } });
  expect(await sumsOf(database)).toEqual({ spent: [2, 4, 0, 0, 0, 1] });
  expect((await readAggregates(database, experiment)).ignored).toMatchObject({ afterStop: 2 });
});

test('a clock that is ahead is no harm: the end cannot come before what has happened', async () => {
  const { database, clock } = await exposed();
  expect(await recordOutcomes(database, 'exp', [outcome({ at: START + DAY })])).toMatchObject({ accepted: 1 });
  expect(await database.query.select({ at: experimentEvents.at }).from(experimentEvents)).toEqual([{ at: START }]);
  clock.time = START + 10;
  await stopExperiment(database, 'exp');
  expect(await sumsOf(database)).toEqual({ spent: [2, 4, 0, 0, 0, 1] });
});

test('outcomes belong to the version that their subject saw last before', async () => {
  const { database, clock } = await exposed();
  clock.time = START + 10;
  const next = await changeExperiment(
    database,
    'exp',
    { metrics: [metric('new'), metric('spent')] },
    { newVersion: true },
  );
  clock.time = START + 20;
  await recordExposure(database, next, 's');
  await recordExposure(database, next, 't');
  clock.time = START + 30;
  const recorded = await recordOutcomes(database, 'exp', [
    outcome({ at: START + 5, value: 1 }),
    outcome({ at: START + 15, value: 2 }), // after the first version, before the second
    outcome({ at: START + 20, value: 4 }),
    outcome({ at: START + 25, metric: 'new', value: 8 }),
    outcome({ at: START + 5, metric: 'new' }),
    outcome({ at: START + 25, metric: 'won', value: 1 }),
    outcome({ at: START + 5, subject: 't' }),
  ]);
  expect(recorded).toMatchObject({ accepted: 3, ignored: { beforeExposure: 1, afterStop: 1, overridden: 0 } });
  expect(recorded.problems.map(({ pointer }) => pointer)).toEqual(['/outcomes/4/metric', '/outcomes/5/metric']);
  expect(await sumsOf(database, 1)).toEqual({ spent: [1, 1, 0, 0, 0, 1] });
  expect(await sumsOf(database, 2)).toEqual({ new: [8, 64, 0, 0, 0, 1], spent: [4, 16, 0, 0, 0, 1] });
});

test('an experiment of another tenant is none', async () => {
  const { database } = await exposed('one');
  const { database: other } = laboratory('two', database);
  const none = { name: 'ExperimentNotFoundError', code: 'not-found' };
  await expect(recordOutcomes(other, 'exp', [outcome()])).rejects.toMatchObject(none);
  const { experiment } = await exposed('three', database);
  await recordOutcomes(database, 'exp', [outcome({ eventId: 'e' })]);
  const theirs = { ...database, tenant: 'three' };
  expect(await recordOutcomes(theirs, 'exp', [outcome({ eventId: 'e', value: 7 })])).toMatchObject({ accepted: 1 });
  expect(await sumsOf(database)).toEqual({ spent: [2, 4, 0, 0, 0, 1] });
  expect((await readAggregates(theirs, experiment)).sums.reduce((sum, { x }) => sum + x, 0)).toBe(7);
});

test('a thousand at once, and not one more', async () => {
  const { database } = await exposed();
  const batch = Array.from({ length: 1000 }, () => outcome());
  expect((await recordOutcomes(database, 'exp', batch)).accepted).toBe(1000);
  await expect(recordOutcomes(database, 'exp', [...batch, outcome()])).rejects.toMatchObject({ pointer: '/outcomes' });
  expect(await recordOutcomes(database, 'exp', [])).toMatchObject({ accepted: 0, problems: [] });
});

test('ids are what they are: quotes, numbers, any script', async () => {
  const { database, experiment } = await exposed();
  for (const subject of ["'; drop table experiments; --", '007', '7', '用户😀', '"a"', 'null']) {
    await recordExposure(database, experiment, subject);
    const recorded = await recordOutcomes(database, 'exp', [outcome({ subject, eventId: `${subject}!` })]);
    expect(recorded).toMatchObject({ accepted: 1, problems: [] });
    expect(await recordOutcomes(database, 'exp', [outcome({ subject, eventId: `${subject}!` })])).toMatchObject({
      duplicates: 1,
    });
  }
  expect((await sumsOf(database)).spent[5]).toBe(6);
});
