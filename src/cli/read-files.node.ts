import { readFileSync } from 'node:fs';
import type { SourceDocument } from '../documents/document.ts';
import { titleOf } from '../documents/title-of.ts';
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
    return { id: path, title: titleOf(path, text), text };
  });
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new UnreadableFileError(`${path} cannot be read as UTF-8 text.`, { cause });
  }
}
