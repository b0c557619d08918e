import { type EvaluationRecord, recordKey } from './record.ts';
import type { RecordProblem } from './split-records.ts';

/** Records that share id, system, order and metric with one before them: their figures would count twice. */
export function repeatedRecords(
  placed: readonly { readonly where: string; readonly record: EvaluationRecord }[],
): RecordProblem[] {
  const seen = new Map<string, string>();
  return placed.flatMap(({ where, record }) => {
    const key = recordKey(record);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, where);
      return [];
    }
    return [{ where, pointer: '/id', detail: `has the id, system, order and metric of ${before}` }];
  });
}
