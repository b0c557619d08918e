import { readFileSync } from 'node:fs';
import type { Label } from '../../annotation/label.ts';
import type { RecordProblem } from '../../cli/check-records.ts';
import { checkRecords } from '../../cli/check-records.ts';
import { UnreadableFileError } from '../../cli/read-files.node.ts';
import { labelSchema } from './label-schema.ts';

/** How every line begins that is written here: what begins so and is no JSON was cut short. */
const LINE_START = '{"item":"';
const NEWLINE = 0x0a;

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
    const found = bytes.indexOf(NEWLINE, start);
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
