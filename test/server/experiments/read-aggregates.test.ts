import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Experiment } from '../../../src/contract/index.ts';
import { readAggregates } from '../../../src/server/experiments/aggregates.ts';
import { assign, recordExposure } from '../../../src/server/experiments/assignment.ts';
import { recordOutcomes } from '../../../src/server/experiments/outcomes.ts';
import { evenly, laboratory, namedSums, override, running, START, sent } from './laboratory.ts';

const SUBJECTS = ['ann', 'ben', 'cem', 'dot', 'eve', 'fay'];
const METRICS = ['won', 'spent', 'visits', 'rate'] as const;

type TimedOutcome = Parameters<typeof sent>[0];

/** Outcomes of the subjects, each with an id of its own. Cents, so that sums round. */
const outcomes: fc.Arbitrary<TimedOutcome[]> = fc
  .array(
    fc.record({
      subject: fc.constantFrom(...SUBJECTS),
      metric: fc.constantFrom(...METRICS),
      cents: fc.integer({ min: 1, max: 100_000 }),
      denominator: fc.integer({ min: 0, max: 9 }),
      at: fc.constantFrom(START - 1, START, START + 3, START + 7),
    }),
    { minLength: 20, maxLength: 60 },
  )
  .map((rows) =>
    rows.map(({ subject, metric, cents, denominator, at }, index) => {
      const value = metric === 'won' ? cents % 2 : metric === 'visits' ? 1 : cents / 100;
      return { eventId: `e${index}`, subject, metric, value, at, ...(metric === 'rate' && { denominator }) };
    }),
  );

/** The experiment with all subjects exposed at `START`, some of them overridden. */
async function exposed(overridden: readonly string[]) {
  const { database, clock } = laboratory();
  const experiment = await running(database, { variants: evenly(3) });
  for (const subject of SUBJECTS) {
    const expose = overridden.includes(subject) ? override : recordExposure;
    await expose(database, experiment, subject);
  }
  clock.time = START + 10;
  return { database, experiment };
}

async function aggregatesAfter(batches: readonly (readonly TimedOutcome[])[], overridden: readonly string[] = []) {
  const { database, experiment } = await exposed(overridden);
  for (const batch of batches) await recordOutcomes(database, 'exp', batch.map(sent));
  const { dataVersion: _, ...aggregates } = await readAggregates(database, experiment);
  return { aggregates, experiment };
}

/** The same without a database: per subject, then over subjects, from the events. */
function naive(experiment: Experiment, events: readonly TimedOutcome[], overridden: readonly string[]) {
  const clean = SUBJECTS.filter((subject) => !overridden.includes(subject));
  const variantOf = (subject: string) => assign(experiment, subject).variant;
  const counting = events.filter(({ at = 0, subject }) => at >= START && clean.includes(subject));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const sums = METRICS.flatMap((metric) =>
    experiment.variants.map(({ name: variant }) => {
      const own = counting.filter((event) => event.metric === metric && variantOf(event.subject) === variant);
      const totals = [...new Set(own.map(({ subject }) => subject))].map((subject) => {
        const mine = own.filter((event) => event.subject === subject);
        const x = sum(mine.map(({ value = 1 }) => value));
        return { x, y: sum(mine.map(({ denominator = 0 }) => denominator)) };
      });
      return {
        metric,
        variant,
        x: sum(totals.map(({ x }) => x)),
        xx: sum(totals.map(({ x }) => x * x)),
        y: sum(totals.map(({ y }) => y)),
        yy: sum(totals.map(({ y }) => y * y)),
        xy: sum(totals.map(({ x, y }) => x * y)),
        events: own.length,
        positive: totals.filter(({ x }) => x > 0).length,
      };
    }),
  );
  return {
    exposed: experiment.variants.map(
      ({ name: variant }) => clean.filter((subject) => variantOf(subject) === variant).length,
    ),
    overridden: overridden.length,
    sums,
    ignored: {
      beforeExposure: events.filter(({ at = 0 }) => at < START).length,
      overridden: events.filter(({ at = 0, subject }) => at >= START && overridden.includes(subject)).length,
      afterStop: 0,
      duplicates: 0,
    },
  };
}

const RUNS = { numRuns: 12 };
const some = fc.subarray(SUBJECTS);

test('aggregates are what the events come to, worked out a second way', async () => {
  await fc.assert(
    fc.asyncProperty(outcomes, some, async (events, overridden) => {
      const { aggregates, experiment } = await aggregatesAfter([events], overridden);
      const expected = naive(experiment, events, overridden);
      const { sums, ...rest } = aggregates;
      const named = namedSums(experiment, sums);
      expect({ exposed: rest.exposed, overridden: rest.overridden, ignored: rest.ignored }).toEqual({
        exposed: expected.exposed,
        overridden: expected.overridden,
        ignored: expected.ignored,
      });
      for (const own of expected.sums) {
        const found = named.find(({ metric, variant }) => metric === own.metric && variant === own.variant);
        expect(found === undefined).toBe(own.events === 0);
        if (found === undefined) continue;
        for (const [field, value] of Object.entries(own)) {
          const actual = Object.entries(found).find(([name]) => name === field)?.[1];
          if (typeof value === 'number') expect(actual).toBeCloseTo(value, 4);
          else expect(actual).toBe(value);
        }
      }
    }),
    RUNS,
  );
});
