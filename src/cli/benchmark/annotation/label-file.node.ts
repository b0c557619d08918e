import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { MAX_NAME_LENGTH, text } from '../../../contract/index.ts';
import {
  type Answer,
  BadRecordsError,
  checkRecords,
  FIELDS,
  type Label,
  levelOf,
  type RecordProblem,
  SCALES,
} from '../../../lab/index.ts';
import { UnreadableFileError } from '../../../text/index.ts';

import { UsageError } from '../../usage-error.ts';

/** What a person goes by; control characters would tear what is printed. */
export const annotatorSchema = text(MAX_NAME_LENGTH)
  .trim()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must be a name without control characters');

const decision = {
  item: text(200).min(1),
  annotator: annotatorSchema,
  field: z.enum(FIELDS),
  value: z.enum(FIELDS.flatMap((field): readonly Answer[] => SCALES[field])).nullable(),
};

/** A decision as the page sends it. */
export const newLabelSchema = z.strictObject(decision).superRefine(checkScale);

/** A line of a file of labels. */
const labelSchema: z.ZodType<Label> = z
  .strictObject({ ...decision, at: z.iso.datetime({ offset: true }) })
  .superRefine(checkScale);

function checkScale({ field, value }: Pick<Label, 'field' | 'value'>, context: z.RefinementCtx): void {
  if (value === null || levelOf(field, value) >= 0) return;
  context.addIssue({ code: 'custom', path: ['value'], message: `must be ${SCALES[field].join(', ')} or null` });
}

/** How every line begins that is written here: what begins so and is no JSON was cut short. */
const LINE_START = '{"item":"';
const LINE_END = 0x0a;

interface ReadLabels {
  /** In the order of the file. */
  readonly labels: readonly Label[];
  /** Lines that were cut short when they were written, as a person finds them: `labels.jsonl line 7`. */
  readonly torn: readonly string[];
  readonly problems: readonly RecordProblem[];
}

/**
 * The labels of a file. A line that a crash cut short is left out and told of; whatever else is no label is a problem.
 *
 * @throws UnreadableFileError
 */
export function readLabels(path: string): ReadLabels {
  const lines = linesOf(bytesOf(path)).map(readLine);
  const torn = lines.flatMap((line, index) => (line === null ? [`${path} line ${index + 1}`] : []));
  // Empty lines keep the numbers of the others.
  const text = lines.map((line) => line ?? '').join('\n');
  if (torn.length > 0 && text.trim() === '') return { labels: [], torn, problems: [] };
  const { placed, problems } = checkRecords([{ path, text }], labelSchema);
  return { labels: placed.map(({ record }) => record), torn, problems };
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UnreadableFileError(`${path} cannot be read.`, { cause });
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Null for a line that was cut short, perhaps within a character. */
function readLine(bytes: Buffer): string | null {
  const line = bytes.toString('utf8');
  const begins = line.startsWith(LINE_START) || (line !== '' && LINE_START.startsWith(line));
  return begins && !isJson(line) ? null : line;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A file that labels are added to, and nothing is ever taken from. */
export interface LabelFile {
  /** All lines of the file, now and as it was opened. */
  labels(): readonly Label[];
  /** Lines that were cut short when they were written. */
  readonly torn: readonly string[];
  /**
   * Adds a line.
   *
   * @throws what the system says, where it is not surely on disk when this returns
   */
  add(label: Label): void;
  close(): void;
}

const NEWLINE = '\n';

/**
 * Opens a file of labels, or makes it.
 *
 * @throws BadRecordsError where it holds anything else: nothing is added to such a file; UsageError where it cannot be written
 */
export function openLabelFile(path: string): LabelFile {
  const isEmpty = !existsSync(path) || sizeOf(path) === 0;
  const { labels: read, torn, problems } = isEmpty ? { labels: [], torn: [], problems: [] } : readLabels(path);
  if (problems.length > 0) throw new BadRecordsError(problems, 'annotated');
  const file = openFile(path, 'a+');
  const labels = [...read];
  return {
    labels: () => labels,
    torn,
    add({ item, annotator, field, value, at }) {
      // In this order, which tells a line that was cut short.
      const line = `${JSON.stringify({ item, annotator, field, value, at })}${NEWLINE}`;
      // What a crash, or another writer, cut short ends with its line.
      const bytes = Buffer.from(endsLine(file) ? line : NEWLINE + line);
      // Appended as one: what others append to the same file comes before or behind.
      const written = writeSync(file, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes of a label were written`);
      fsyncSync(file);
      labels.push({ item, annotator, field, value, at });
    },
    close: () => closeSync(file),
  };
}

function openFile(path: string, flags: string): number {
  try {
    return openSync(path, flags);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written.`, { cause });
  }
}

function sizeOf(path: string): number {
  const file = openFile(path, 'r');
  try {
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

function endsLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString('latin1') === NEWLINE;
}
