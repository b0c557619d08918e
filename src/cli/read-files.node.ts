import { readFileSync, statSync } from 'node:fs';
import type { TextFile } from '../lab/index.ts';
import { UnreadableFileError } from '../text/index.ts';

/** Reads files as UTF-8. @throws UnreadableFileError for the first unreadable file */
export function readTextFiles(paths: readonly string[]): TextFile[] {
  return paths.map((path) => ({ path, text: textOf(path, readBytes(path)) }));
}

function readBytes(path: string): Uint8Array {
  try {
    sizeOf(path);
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** A pipe that the shell opened for this process, as for `<(…)`; of others nobody knows whether anything will come. */
const OWN_PIPE = /^\/(?:dev|proc\/self)\/(?:fd\/\d+|stdin)$/;

/** @throws UnreadableFileError for devices, pipes and sockets, which may be silent or endless */
export function sizeOf(path: string): number {
  const stats = statSync(path);
  if (stats.isFile() || stats.isDirectory() || (stats.isFIFO() && OWN_PIPE.test(path))) return stats.size;
  throw new UnreadableFileError(`${path}: a device, pipe or socket; name a file, or pipe the text in for "-".`);
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadableFileError(`${path}: not UTF-8 text; save it as UTF-8.`, { cause });
  }
}

export function unreadable(path: string, cause: unknown): UnreadableFileError {
  if (cause instanceof UnreadableFileError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return new UnreadableFileError(`${path}: ${WHY_NOT[code] ?? `cannot be read (${code})`}.`, { cause });
}

const FORBIDDEN = 'you may not read it; change its permissions, or leave it out';
const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'a folder; name a file',
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ENAMETOOLONG: 'no such file, for names are not that long; name another',
  ELOOP: 'a link that leads back to itself; name the file that is meant',
};
