import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { BadRecordsError, checkRecords, type Decision, decisionsOf, type Label, labelSchema } from '../../lab/index.ts';
import { UnreadableFileError } from '../../text/index.ts';
import { UsageError } from '../command.node.ts';

const NEWLINE = '\n';

interface ReadLabels {
  readonly labels: readonly Label[];
  /** A note on each line that was cut short and is ignored. */
  readonly torn: readonly string[];
}

function readLabels(path: string, undone: string): ReadLabels {
  let lines: readonly string[];
  try {
    // A line may be cut within a character; the others are still read.
    lines = readFileSync(path, 'utf8').split(NEWLINE);
  } catch (cause) {
    throw new UnreadableFileError(`${path} cannot be read.`, { cause });
  }
  const isTorn = (line: string) => line.startsWith('{') && !line.trimEnd().endsWith('}');
  const note = 'was cut short when it was written, and is left out.';
  const torn = lines.flatMap((line, index) => (isTorn(line) ? [`${path} line ${index + 1} ${note}`] : []));
  // Empty lines keep the line numbers.
  const text = lines.map((line) => (isTorn(line) ? '' : line)).join(NEWLINE);
  if (torn.length > 0 && text.trim() === '') return { labels: [], torn };
  const { placed, problems } = checkRecords([{ path, text }], labelSchema);
  if (problems.length > 0) throw new BadRecordsError(problems, undone);
  return { labels: placed.map(({ record }) => record), torn };
}

/** Reads the valid decisions and reports ignored lines. @param undone the action that a bad line prevents */
export function readDecisions(
  paths: readonly string[],
  undone: string,
  stderr: Pick<NodeJS.WriteStream, 'write'>,
): Decision[] {
  const files = paths.map((path) => readLabels(path, undone));
  for (const note of files.flatMap(({ torn }) => torn)) stderr.write(`${note}\n`);
  return decisionsOf(files.flatMap(({ labels }) => labels));
}

export type LabelFile = ReturnType<typeof openLabelFile>;

/**
 * Opens or creates a file of labels.
 * @throws BadRecordsError if it holds anything else; UsageError if it cannot be written
 */
export function openLabelFile(path: string) {
  const isEmpty = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const { labels: read, torn } = isEmpty ? { labels: [], torn: [] } : readLabels(path, 'annotated');
  const labels = [...read];
  let file: number;
  try {
    file = openSync(path, 'a+');
  } catch (cause) {
    throw new UsageError(`${path} cannot be written.`, { cause });
  }
  return {
    /** Includes labels that other writers added before opening. */
    labels: (): readonly Label[] => labels,
    torn,
    /** @throws system errors, after which the line may be missing from the disk */
    add(label: Label) {
      const line = `${JSON.stringify(label)}${NEWLINE}`;
      // Ends a line cut short by a crash or another writer.
      const bytes = Buffer.from(endsLine(file) ? line : NEWLINE + line);
      // One write: other writers' lines come before or after.
      const written = writeSync(file, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes of a label were written`);
      fsyncSync(file);
      labels.push(label);
    },
    close: () => closeSync(file),
  };
}

function endsLine(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.from(NEWLINE);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  return last.toString('latin1') === NEWLINE;
}
