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

export interface RecordProblem {
  readonly where: string;
  /** JSON pointer into the record; empty for the whole record. */
  readonly pointer: string;
  readonly detail: string;
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
    for (const { where, record } of split.placed) {
      const read = schema.safeParse(record);
      if (read.success) placed.push({ where, record: read.data });
      else problems.push(...(invalidBody(read.error).errors ?? []).map((error) => ({ where, ...error })));
    }
  }
  return { placed, problems };
}

/** @param undone the action that a problem prevents @throws BadRecordsError with every problem, or if there are several */
export function oneRecord<Item>(files: readonly TextFile[], schema: ZodType<Item>, undone: string): Item {
  const { placed, problems } = checkRecords(files, schema);
  const more = placed.slice(1).map(({ where }) => problemAt(where, 'is one record too many'));
  const [first] = placed;
  if (first === undefined || problems.length + more.length > 0)
    throw new BadRecordsError([...problems, ...more], undone);
  return first.record;
}

/** Splits a JSON array, one JSON object, or JSON Lines into values. */
export function splitRecords(file: string, text: string): CheckedRecords<unknown> {
  const body = text.replace(/^\uFEFF/, '');
  const whole = parseJson(body);
  const records: readonly unknown[] = Array.isArray(whole) ? whole : whole === undefined ? [] : [whole];
  if (records.length > 0) {
    return { placed: records.map((record, index) => ({ where: `${file} record ${index}`, record })), problems: [] };
  }
  if (whole !== undefined || body.trim() === '') return { placed: [], problems: [problemAt(file, 'holds no records')] };
  // A broken array, or an object over several lines.
  if (/^\s*(?:\[|\{[ \t]*\r?\n)/.test(body)) return { placed: [], problems: [problemAt(file, NO_JSON)] };
  const placed: Placed<unknown>[] = [];
  const problems: RecordProblem[] = [];
  for (const [index, line] of body.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [where, record] = [`${file} line ${index + 1}`, parseJson(line)];
    if (record === undefined) problems.push(problemAt(where, NO_JSON));
    else placed.push({ where, record });
  }
  return { placed, problems };
}

const NO_JSON = 'is not valid JSON';

function problemAt(where: string, detail: string): RecordProblem {
  return { where, pointer: '', detail };
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
