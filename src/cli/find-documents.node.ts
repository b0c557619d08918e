import { statSync } from 'node:fs';
import { extname, isAbsolute, join, normalize } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { UnreadableFileError } from './read-files.node.ts';
import { UsageError } from './usage-error.ts';

/** Stands for standard input. */
export const STDIN = '-';

/** Endings of the files that are taken from folders. */
export const ENDINGS: readonly string[] = ['.txt', '.md', '.markdown', '.html', '.htm', '.pdf', '.docx'];

/** A file to be read. */
export interface FoundFile {
  readonly path: string;
  /** Whether it was named itself, and not found in a folder or by a pattern. */
  readonly isNamed: boolean;
}

/**
 * The files that paths, folders and patterns name, each once: as they were named, and what a folder or a pattern holds by
 * name. Of folders files with a known ending are taken, at any depth, but not what is hidden or in `node_modules`.
 *
 * @throws UnreadableFileError for what is not there, UsageError for folders and patterns without any file
 */
export async function findDocuments(given: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const one of given) {
    for (const file of await filesOf(one)) {
      const path = file === STDIN ? file : normalize(file);
      const isNamed = file === one || found.get(path)?.isNamed === true;
      found.set(path, { path, isNamed });
    }
  }
  return [...found.values()];
}

/** Links are not followed: they lead out of the folder, and round in circles. */
const GLOBBING = { expandDirectories: false, followSymbolicLinks: false };

async function filesOf(path: string): Promise<string[]> {
  if (path === STDIN) return [path];
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    const held = await glob('**/*', { ...GLOBBING, cwd: path, ignore: '**/node_modules/**' });
    const files = held.filter((file) => ENDINGS.includes(extname(file).toLowerCase()));
    if (files.length === 0) throw new UsageError(`${path}: no file in it ends in ${ENDINGS.join(' ')}.`);
    return files.sort().map((file) => join(path, file));
  }
  if (entry !== undefined) return [path];
  if (!isDynamicPattern(path)) throw new UnreadableFileError(`${path}: no such file or folder.`);
  const matched = await glob(path, { ...GLOBBING, absolute: isAbsolute(path) });
  const files = path.includes('node_modules')
    ? matched
    : matched.filter((file) => !/(?:^|\/)node_modules\//.test(file));
  if (files.length === 0) throw new UnreadableFileError(`${path}: no file has such a name.`);
  return files.sort();
}
