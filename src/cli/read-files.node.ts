import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SourceDocument } from '../documents/document.ts';
import { TesseraError } from '../tessera-error.ts';

/** A file on the command line cannot be read as text. */
export class UnreadableFileError extends TesseraError {
  readonly code = 'unreadable-file';
}

/**
 * Reads text and Markdown files as documents; the path is the id, the first heading or the file's name the title.
 *
 * @throws UnreadableFileError for a file that is missing or is not UTF-8
 */
export function readFiles(paths: readonly string[]): SourceDocument[] {
  return paths.map((path) => {
    const text = readText(path);
    const heading = /^#\s+(.+)$/m.exec(text.slice(0, 2000))?.[1];
    return { id: path, title: heading?.trim() ?? basename(path), text };
  });
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new UnreadableFileError(`${path} cannot be read as UTF-8 text.`, { cause });
  }
}
