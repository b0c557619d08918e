import { accessSync, constants, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BenchmarkSet } from '../../benchmarks/benchmark-set.ts';
import { BadRecordsError } from '../bad-records-error.ts';
import { checkRecords } from '../check-records.ts';
import { readFiles } from '../read-files.node.ts';
import { UsageError } from '../usage-error.ts';
import { benchmarkSetSchema } from './set-schema.ts';

/**
 * The benchmark set of a file.
 *
 * @throws UnreadableFileError; BadRecordsError with everything that is wrong with it
 */
export function readSet(path: string): BenchmarkSet {
  const [{ text }] = readFiles([path]);
  const { placed, problems } = checkRecords([{ path, text }], benchmarkSetSchema);
  const more = placed.length > 1 ? [{ where: path, pointer: '', detail: 'holds more than one set' }] : [];
  const [first] = placed;
  if (first === undefined || problems.length + more.length > 0)
    throw new BadRecordsError([...problems, ...more], 'made');
  return first.record;
}

/**
 * Writes what was made: to a file, whole or not at all, or to standard output without one. The same value gives the same
 * bytes.
 *
 * @throws UsageError where the file cannot be written
 */
export function writeJson(path: string | undefined, value: unknown, stdout: Pick<NodeJS.WriteStream, 'write'>): void {
  const text = `${JSON.stringify(value, null, 1)}\n`;
  if (path === undefined) {
    stdout.write(text);
    return;
  }
  writeWhole(path, text);
}

/**
 * Finds out whether a file can be written, before what goes into it is paid for.
 *
 * @throws UsageError where it cannot
 */
export function checkWritable(path: string): void {
  const trial = `${path}.${process.pid}.part`;
  try {
    writeFileSync(trial, '');
    rmSync(trial);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written.`, { cause });
  }
}

/** @throws UsageError where the file cannot be written */
export function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}.part`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written.`, { cause });
  }
}
