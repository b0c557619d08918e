import type { BenchmarkSet } from '../benchmark-set.ts';
import type { Loaded } from '../loaders/loaded.ts';
import type { RecordProblem } from '../bulk/split-records.ts';
import { invalidBody } from '../../server/problem.ts';
import type { Placed } from '../cli/check-records.ts';
import { benchmarkSetSchema } from './set-schema.ts';

/**
 * What is wrong with a set that records gave, each with the record that it came from: ids that two of them give, and
 * whatever a set may not hold. The pointer is one into the set.
 */
export function setProblems(set: BenchmarkSet, placed: readonly Placed<Loaded>[]): RecordProblem[] {
  const repeated = [
    ...again(
      'collection',
      placed.map(({ where, record }) => ({ where, id: record.collection.id })),
    ),
    ...again(
      'case',
      placed.flatMap(({ where, record }) => record.cases.map(({ id }) => ({ where, id }))),
    ),
  ];
  if (repeated.length > 0) return repeated;
  const read = benchmarkSetSchema.safeParse(set);
  if (read.success) return [];
  const origins = {
    collections: placed.map(({ where }) => where),
    cases: placed.flatMap(({ where, record }) => record.cases.map(() => where)),
  };
  return (invalidBody(read.error).errors ?? []).map(({ pointer, detail }) => {
    const [, part, index] = pointer.split('/');
    const where = part === 'collections' || part === 'cases' ? origins[part][Number(index)] : undefined;
    return { where: where ?? 'the set', pointer: '', detail: `would give ${pointer} of a set, which ${detail}` };
  });
}

function again(what: string, ids: readonly { readonly where: string; readonly id: string }[]): RecordProblem[] {
  const first = new Map<string, string>();
  return ids.flatMap(({ where, id }) => {
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, where);
      return [];
    }
    return [{ where, pointer: '', detail: `gives the ${what} "${id}", as ${before} does` }];
  });
}
