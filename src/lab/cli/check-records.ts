import type { ZodType } from 'zod';
import { invalidBody } from '../../server/index.ts';
import { type RecordProblem, splitRecords } from '../bulk/split-records.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A record, and how a person finds it in its file. */
export interface Placed<Item> {
  readonly where: string;
  readonly record: Item;
}

export interface CheckedRecords<Item> {
  readonly placed: readonly Placed<Item>[];
  readonly problems: readonly RecordProblem[];
}

/** The records of files, in their order, and everything that is wrong with any of them. */
export function checkRecords<Item>(files: readonly TextFile[], schema: ZodType<Item>): CheckedRecords<Item> {
  const placed: Placed<Item>[] = [];
  const problems: RecordProblem[] = [];
  for (const { path, text } of files) {
    const split = splitRecords(path, text);
    problems.push(...split.problems);
    for (const { where, value } of split.records) {
      const read = schema.safeParse(value);
      if (read.success) placed.push({ where, record: read.data });
      else problems.push(...(invalidBody(read.error).errors ?? []).map((error) => ({ where, ...error })));
    }
  }
  return { placed, problems };
}
