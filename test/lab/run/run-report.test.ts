import { expect, test } from 'vitest';
import type { OutputRun } from '../../../src/lab/run/run-outputs.ts';
import { setReport } from '../../../src/lab/run/run-report.ts';
import type { RunSet, System } from '../../../src/lab/run/system.ts';
import fc from '../../support/seeded-fast-check.ts';
import { scoredOutput as scored } from './scored-output.ts';

const ORDERS = ['top', 'bottom', 'random'] as const;
const SYSTEMS: readonly System[] = [
  { name: 'left out', options: {}, needsModel: true },
  ...ORDERS.map((order) => ({
    name: `read, ${order}`,
    options: {},
    needsModel: false,
    family: { family: 'read', order },
  })),
  { name: 'file', outputs: new Map() },
];
const REPORTED = { systems: SYSTEMS, baseline: 'left out', metrics: null, skipped: ['left out'] };

const set = (count: number): RunSet => ({
  name: 'set',
  collections: [{ id: 'c', documents: [{ id: 'd', text: 'words' }] }],
  cases: Array.from({ length: count }, (_, place) => ({
    id: `case ${place}`,
    collection: 'c',
    domain: place % 3 === 0 ? undefined : `domain ${place % 3}`,
  })),
  made: [],
});

type Made = OutputRun['made'][number];
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Joint scores of every case by order, and of the file; some of a case are missing. */
const joints = fc
  .array(
    fc.record({
      top: fc.option(fc.nat(100)),
      bottom: fc.option(fc.nat(100)),
      random: fc.option(fc.nat(100)),
      file: fc.option(fc.nat(100)),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .filter((cases) => ORDERS.every((order) => cases.some((each) => each[order] !== null)));

function madeOf(cases: readonly Readonly<Record<string, number | null>>[], kind: string): Made[] {
  return cases.flatMap((each, place) =>
    ['top', 'bottom', 'random', 'file'].flatMap((order): Made[] => {
      const joint = each[order];
      const arm = order === 'file' ? 'file' : `read, ${order}`;
      const figures = { [`${kind}.joint`]: joint, [`${kind}.coverage`]: 50 };
      return joint === null ? [] : [{ item: { arm, datum: `case ${place}` }, result: scored(figures), known: false }];
    }),
  );
}

test('sensitivity is the largest change of the mean joint score from random order', () => {
  fc.assert(
    fc.property(joints, fc.constantFrom('labelled', 'summhay'), (cases, kind) => {
      const { sensitivities, baseline, arms } = setReport(set(cases.length), REPORTED, {
        made: madeOf(cases, kind),
        failed: [],
      });
      const [top, bottom, random] = ORDERS.map((order) => mean(cases.flatMap((each) => each[order] ?? [])));
      expect(sensitivities.map(({ system }) => system)).toEqual(['read']);
      const expected = Math.max(Math.abs(top - random), Math.abs(bottom - random));
      expect(sensitivities[0].sensitivity.value).toBeCloseTo(expected, 9);
      // The baseline is left out: the first that is not takes its place.
      expect(baseline).toBe('read, top');
      expect(arms[0].differences).toBeNull();
      expect(arms[1].differences).not.toBeNull();
    }),
    { numRuns: 20 },
  );
});

test('a report is the same whatever the order of what was made, and its means are means', () => {
  fc.assert(
    fc.property(joints, (cases) => {
      const made = madeOf(cases, 'labelled');
      const whole = set(cases.length);
      const report = setReport(whole, REPORTED, { made, failed: [] });
      const turned = { ...whole, cases: whole.cases.toReversed() };
      expect(setReport(turned, REPORTED, { made: made.toReversed(), failed: [] })).toEqual(report);
      for (const { rows } of report.breakdowns) {
        for (const { value, name, figures } of rows) {
          const there = cases.filter((_, place) => (whole.cases[place].domain ?? null) === value);
          const own = there.flatMap(({ file }) => file ?? []);
          if (name === 'file') expect(figures['labelled.joint'].value).toBeCloseTo(mean(own), 9);
        }
      }
    }),
    { numRuns: 15 },
  );
});
