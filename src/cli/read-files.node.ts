import { readFileSync } from 'node:fs';
import type { TextFile } from '../lab/index.ts';
import { UnreadableFileError } from '../text/index.ts';

/** Reads files as UTF-8. @throws UnreadableFileError for the first unreadable file */
export function readTextFiles(paths: readonly string[]): TextFile[] {
  return paths.map((path) => ({ path, text: textOf(path, readBytes(path)) }));
}

export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UnreadableFileError(`${path}: ${whyNot(cause)}.`, { cause });
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadableFileError(`${path}: not UTF-8 text; save it as UTF-8.`, { cause });
  }
}

export function whyNot(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'no such file';
  if (code === 'EISDIR') return 'a folder; name a file';
  if (code === 'EACCES' || code === 'EPERM') return 'you may not read it; change its permissions, or leave it out';
  if (code === 'ENAMETOOLONG') return 'no such file, for names are not that long; name another';
  if (code === 'ELOOP') return 'a link that leads back to itself; name the file that is meant';
  return `cannot be read (${code})`;
}
