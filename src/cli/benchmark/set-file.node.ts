import { accessSync, constants, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type BenchmarkSet, benchmarkSetSchema, oneRecord } from '../../lab/index.ts';
import { UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';

/** @throws UnreadableFileError; BadRecordsError with every problem */
export function readSet(path: string): BenchmarkSet {
  return oneRecord(readTextFiles([path]), benchmarkSetSchema, 'made');
}

/**
 * Writes JSON to a file, atomically, or to standard output. Equal values give equal bytes.
 * @throws UsageError if the file cannot be written
 */
export function writeJson(path: string | undefined, value: unknown, stdout: Pick<NodeJS.WriteStream, 'write'>): void {
  const text = `${JSON.stringify(value, null, 1)}\n`;
  if (path === undefined) stdout.write(text);
  else writeWhole(path, text);
}

/**
 * Checks that a file can be written, before its content is paid for.
 * @throws UsageError if it cannot
 */
export function checkWritable(path: string): void {
  const trial = unfinishedOf(path);
  try {
    writeFileSync(trial, '');
    rmSync(trial);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch (cause) {
    throw unwritable(path, trial, cause);
  }
}

/** @throws UsageError if the file cannot be written */
export function writeWhole(path: string, text: string | Uint8Array): void {
  const unfinished = unfinishedOf(path);
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (cause) {
    throw unwritable(path, unfinished, cause);
  }
}

/**
 * Writes lines as they come; the file appears whole or not at all.
 * @param lines without line ends
 * @throws UsageError if the file cannot be written; errors of `lines`
 */
export async function writeLines(path: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const unfinished = unfinishedOf(path);
  async function* ended() {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    await writeFile(unfinished, ended());
    renameSync(unfinished, path);
  } catch (cause) {
    throw unwritable(path, unfinished, cause);
  }
}

function unfinishedOf(path: string): string {
  return `${path}.${process.pid}.part`;
}

/** Removes the unfinished file; gives back what is no error of the file system. */
function unwritable(path: string, unfinished: string, cause: unknown): unknown {
  rmSync(unfinished, { force: true });
  const isOfFile = cause instanceof Error && 'syscall' in cause;
  return isOfFile ? new UsageError(`${path} cannot be written.`, { cause }) : cause;
}
