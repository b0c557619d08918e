import type { z } from 'zod';
import type { RecordProblem } from '../bulk/split-records.ts';
import type { Arm, Comparison } from '../comparison/arm.ts';
import type { Datum } from '../comparison/datum.ts';
import { expandSweeps } from '../comparison/expand-sweeps.ts';
import { invalidBody } from '../../server/problem.ts';
import { BadRecordsError } from './bad-records-error.ts';
import { checkRecords, type TextFile } from './check-records.ts';
import { armOptionsSchema, comparisonSchema, datumSchema } from './comparison-schemas.ts';

export interface ComparisonFiles {
  readonly comparison: Comparison;
  readonly data: readonly Datum[];
}

type ArmOrder = z.output<typeof comparisonSchema>['arms'][number];
type Checked<Value> = { readonly values: readonly Value[]; readonly problems: readonly RecordProblem[] };

/**
 * What a configuration and its data ask for, sweeps expanded.
 *
 * @throws BadRecordsError with everything that is wrong with either
 */
export function readComparison(configuration: TextFile, data: TextFile): ComparisonFiles {
  const { placed, problems: ofFile } = checkRecords([configuration], comparisonSchema);
  const read = checkRecords([data], datumSchema);
  const repeated = repetitions(read.placed.map(({ where, record }) => ({ where, pointer: '/id', name: record.id })));
  const problems = [...ofFile, ...read.problems, ...repeated];
  const [order, ...more] = placed;
  if (more.length > 0) {
    problems.push({ where: configuration.path, pointer: '', detail: 'holds more than one configuration' });
  }
  if (order === undefined || more.length > 0) throw new BadRecordsError(problems, 'compared');
  const { where, record } = order;
  const arms = armsOf(record.arms, where);
  const baseline = record.baseline ?? arms.values[0]?.name ?? '';
  if (arms.problems.length === 0 && arms.values.every(({ name }) => name !== baseline)) {
    problems.push({ where, pointer: '/baseline', detail: `names "${baseline}", which is none of the arms` });
  }
  if (problems.length + arms.problems.length > 0) {
    throw new BadRecordsError([...problems, ...arms.problems], 'compared');
  }
  return {
    comparison: { name: record.name, arms: arms.values, baseline, metrics: record.metrics ?? null },
    data: read.placed.map((each) => each.record),
  };
}

function armsOf(orders: readonly ArmOrder[], where: string): Checked<Arm> {
  const values: Arm[] = [];
  const problems: RecordProblem[] = [];
  const places: { where: string; pointer: string; name: string }[] = [];
  for (const [place, { name, options, sweep, requires }] of orders.entries()) {
    for (const { suffix, options: swept } of expandSweeps(options, sweep)) {
      const checked = armOptionsSchema.safeParse(swept);
      if (checked.success) {
        values.push({ name: name + suffix, options: checked.data, needsModel: requires === 'model' });
        places.push({ where, pointer: `/arms/${place}/name`, name: name + suffix });
        continue;
      }
      const told = suffix === '' ? '' : ` (of "${name}${suffix}")`;
      for (const { pointer, detail } of invalidBody(checked.error).errors ?? []) {
        problems.push({ where, pointer: `/arms/${place}/options${pointer}`, detail: detail + told });
      }
    }
  }
  return { values, problems: [...problems, ...repetitions(places)] };
}

/** Names that came before: what is told by them would be ambiguous. */
function repetitions(
  named: readonly { readonly where: string; readonly pointer: string; readonly name: string }[],
): RecordProblem[] {
  const seen = new Set<string>();
  return named.flatMap(({ where, pointer, name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew ? [] : [{ where, pointer, detail: `gives "${name}", which is there already` }];
  });
}
