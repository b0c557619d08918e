import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { Label } from '../../annotation/label.ts';
import { BadRecordsError } from '../../cli/check-records.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { readLabels } from './read-labels.node.ts';

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
