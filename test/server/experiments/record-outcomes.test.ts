import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/index.ts';
import { readAggregates } from '../../../src/server/experiments/aggregates.ts';
import { recordExposure } from '../../../src/server/experiments/assignment.ts';
import { changeExperiment } from '../../../src/server/experiments/definition.ts';
import { readExperiment } from '../../../src/server/experiments/experiment.ts';
import { recordOutcomes } from '../../../src/server/experiments/outcomes.ts';
import type { Database } from '../../../src/store/index.ts';
import { laboratory, metric, namedSums, running, START, sent } from './laboratory.ts';

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
type Change = Partial<Parameters<typeof sent>[0]>;
function outcome(change: Change = {}): Outcome {
  return sent({ eventId: `e${events++}`, subject: 's', metric: 'spent', value: 2, ...change });
}

/** What the metrics with outcomes come to. */
async function sumsOf(database: Database, version?: number) {
  const experiment = await readExperiment(database, 'exp', version);
  const { sums } = await readAggregates(database, experiment);
  return Object.fromEntries(
    namedSums(experiment, sums).map(({ metric: name, x, xx, y, yy, xy, events: n }) => [name, [x, xx, y, yy, xy, n]]),
  );
}

test.each<[string, Change, string, RegExp]>([
  ['an unknown subject', { subject: 'nobody' }, 'subject', /not exposed/],
  ['a subject that no row holds', { subject: 'a\u0000' }, 'subject', /control character/],
  ['an event id that no row holds', { eventId: 'a\ud800' }, 'eventId', /surrogate/],
  ['an unknown metric', { metric: 'lost' }, 'metric', /is not a metric/],
  ['a metric of the service', { metric: 'digest.latency' }, 'metric', /by the service/],
  ['a value whose square overflows', { value: 1e200 }, 'value', /at most/],
  ['no value', { value: undefined }, 'value', /is missing/],
  ['no value of a ratio', { metric: 'rate', value: undefined }, 'value', /is missing/],
  ['half a conversion', { metric: 'won', value: 0.5 }, 'value', /0 or 1/],
  ['a count of two', { metric: 'visits', value: 2 }, 'value', /counts events/],
  ['a denominator of a mean', { denominator: 1 }, 'denominator', /ratio/],
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

test('an event counts once, whatever comes with it again', async () => {
  const { database, experiment } = await exposed();
  const first = outcome({ eventId: 'e' });
  expect(await recordOutcomes(database, 'exp', [first, first])).toMatchObject({ accepted: 1, duplicates: 1 });
  const again = [first, { ...first, value: 9 }, { ...first, metric: 'visits', value: 1 }];
  expect(await recordOutcomes(database, 'exp', again)).toMatchObject({ accepted: 0, duplicates: 3 });
  expect(await sumsOf(database)).toEqual({ spent: [2, 4, 0, 0, 0, 1] });
  expect((await readAggregates(database, experiment)).ignored.duplicates).toBe(4);
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

test('outcomes belong to the version that their subject saw last before', async () => {
  const { database, clock } = await exposed();
  clock.time = START + 10;
  const next = await changeExperiment(database, 'exp', { metrics: [metric('new'), metric('spent')], newVersion: true });
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
