import type { ZodType } from 'zod';
import { invalidBody } from '../server/index.ts';
import { TesseraError } from '../text/index.ts';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface Placed<Item> {
  readonly where: string;
  readonly record: Item;
}

export interface CheckedRecords<Item> {
  readonly placed: readonly Placed<Item>[];
  readonly problems: readonly RecordProblem[];
}

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

interface RawRecord {
  readonly where: string;
  readonly value: unknown;
}

export interface RecordProblem {
  readonly where: string;
  /** JSON pointer into the record; empty for the whole record. */
  readonly pointer: string;
  readonly detail: string;
}

interface SplitRecords {
  readonly records: readonly RawRecord[];
  readonly problems: readonly RecordProblem[];
}

/** Splits a JSON array, one JSON object, or JSON Lines into values. */
export function splitRecords(file: string, text: string): SplitRecords {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') return { records: [], problems: [{ where: file, pointer: '', detail: 'holds no records' }] };
  const whole = parseJson(body);
  if (Array.isArray(whole?.value)) {
    const records = whole.value.map((value: unknown, index) => ({ where: `${file} record ${index}`, value }));
    const problems = records.length === 0 ? [{ where: file, pointer: '', detail: 'holds no records' }] : [];
    return { records, problems };
  }
  if (whole !== null) return { records: [{ where: `${file} record 0`, value: whole.value }], problems: [] };
  if (body.trimStart().startsWith('[')) {
    return { records: [], problems: [{ where: file, pointer: '', detail: 'is not valid JSON' }] };
  }
  const lines = body.split(/\r?\n/).map((line, index) => ({ where: `${file} line ${index + 1}`, line }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  const parsed = filled.map(({ where, line }) => ({ where, read: parseJson(line) }));
  return {
    records: parsed.flatMap(({ where, read }) => (read === null ? [] : [{ where, value: read.value }])),
    problems: parsed.flatMap(({ where, read }) =>
      read === null ? [{ where, pointer: '', detail: 'is not valid JSON' }] : [],
    ),
  };
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

const MAX = 40;

export class BadRecordsError extends TesseraError {
  readonly code = 'bad-records';

  /** @param undone the action that the problems prevented */
  constructor(problems: readonly RecordProblem[], undone = 'scored') {
    const lines = problems
      .slice(0, MAX)
      .map(({ where, pointer, detail }) => `  ${where}: ${pointer === '' ? '' : `${pointer} `}${detail}`);
    if (problems.length > MAX) lines.push(`  and ${problems.length - MAX} more`);
    const places = new Set(problems.map(({ where }) => where)).size;
    super(
      `Nothing was ${undone}, as ${places} ${places === 1 ? 'place is' : 'places are'} wrong:\n${lines.join('\n')}`,
    );
  }
}
