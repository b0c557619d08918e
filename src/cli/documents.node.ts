import { createReadStream, type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, extname, isAbsolute, join, normalize } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { documentSchema, LIMITS } from '../contract/index.ts';
import { addressFetcher } from '../server/index.node.ts';
import { fetchDocument, readConfiguration } from '../server/index.ts';
import { fileReader } from '../text/index.node.ts';
import { FILE_ENDINGS, MAX_FILE_BYTES, type SourceDocument, UnreadableFileError } from '../text/index.ts';
import { UsageError } from './command.node.ts';
import { sizeOf, unreadable } from './read-files.node.ts';

const STDIN = '-';
/** Of a document's id in the contract. */
const MAX_ID = 200;
/** What is no file: standard input, or the address of a document. */
const ELSEWHERE = /^(?:-$|https?:\/\/)/i;

interface FoundFile {
  readonly path: string;
  readonly isNamed: boolean;
}

/**
 * Finds the files of paths, folders and patterns, without duplicates, in the given order and by name within each.
 * Folders are searched at any depth for known extensions, except hidden files and `node_modules`. An unreadable
 * subfolder is listed in place of its files.
 * @throws UnreadableFileError for missing and unreadable paths; UsageError for folders without files
 */
export async function findDocuments(given: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const one of given) {
    for (const file of await filesOf(one)) {
      const path = ELSEWHERE.test(one) ? one : pathOf(file);
      const key = ELSEWHERE.test(one) ? one : realPath(path);
      const before = found.get(key);
      found.set(key, { path: before?.path ?? path, isNamed: file === one || before?.isNamed === true });
    }
  }
  return [...found.values()];
}

/** Short, but never `-`, which means standard input. */
function pathOf(file: string): string {
  const path = normalize(file);
  return path === STDIN ? `./${path}` : path;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // A pipe has none; of anything else reading will tell what is wrong.
  }
}

async function filesOf(path: string): Promise<string[]> {
  if (ELSEWHERE.test(path)) return [path];
  const entry = entryAt(path);
  if (entry?.isDirectory()) {
    const files = filesIn(path);
    if (files.length === 0) throw new UsageError(`${path}: no file in it ends in ${FILE_ENDINGS.join(' ')}.`);
    return files.sort();
  }
  if (entry !== undefined) return [path];
  if (!isDynamicPattern(path)) throw new UnreadableFileError(`${path}: no such file or folder.`);
  // Links may lead out of the folder, or form cycles.
  const globbing = { expandDirectories: false, followSymbolicLinks: false, absolute: isAbsolute(path) };
  const isAsked = path.includes('node_modules');
  const files = (await glob(path, globbing)).filter((file) => isAsked || !/(?:^|\/)node_modules\//.test(file));
  if (files.length === 0) throw new UnreadableFileError(`${path}: no matching file.`);
  return files.sort();
}

/** Undefined if missing, or if the name cannot be looked up and may be a pattern, which may be long. */
function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (isDynamicPattern(path)) return undefined;
    throw unreadable(path, cause);
  }
}

/** @throws UnreadableFileError if the folder itself is unreadable */
function filesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    if (entry.isFile()) return FILE_ENDINGS.includes(extname(path).toLowerCase()) ? [path] : [];
    if (!entry.isDirectory()) return [];
    try {
      return filesIn(path);
    } catch {
      return [path]; // reading it tells why
    }
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

/**
 * Reads files as documents. The id is the path; the title is that of a web page, the first heading, or the file name.
 * @param stdin read for the path "-"
 * @param onLeftOut receives a message for each unreadable file that was not named explicitly
 * @throws UnreadableFileError for the first unreadable named file, or if no file is left
 */
export async function readDocuments(
  files: readonly FoundFile[],
  stdin: NodeJS.ReadableStream,
  onLeftOut: (why: string) => void,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  const reader = fileReader();
  try {
    for (const { path, isNamed } of files) {
      try {
        documents.push(checked(await readDocument(path, stdin, reader)));
      } catch (failure) {
        if (isNamed || !(failure instanceof UnreadableFileError)) throw failure;
        onLeftOut(failure.message);
      }
    }
  } finally {
    await reader.end();
  }
  if (documents.length === 0) throw new UnreadableFileError('None of the files can be read.');
  return documents;
}

/** The documents of paths, and a line for each left out, which `stderr` gets too. @throws UnreadableFileError, UsageError */
export async function readPaths(
  paths: readonly string[],
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
): Promise<{ readonly documents: SourceDocument[]; readonly leftOut: readonly string[] }> {
  const leftOut: string[] = [];
  const documents = await readDocuments(await findDocuments(paths), stdin, (why) => {
    const line = `Left out: ${why.replace(/\p{Cc}+/gu, ' ')}`; // a name may hold what a terminal would obey
    leftOut.push(line);
    stderr.write(`${line}\n`);
  });
  return { documents, leftOut };
}

function checked(document: SourceDocument): SourceDocument {
  const { id, text } = document;
  const name = nameOf(id);
  const most = LIMITS.documentCharacters;
  if (text.length > most) {
    const told = `${text.length.toLocaleString('en')} characters, and a document has at most ${most.toLocaleString('en')}`;
    throw new UnreadableFileError(`${name}: ${told}; split it.`);
  }
  const read = documentSchema.safeParse(document);
  if (read.success) return document;
  const [{ path, message }] = read.error.issues;
  const what = path[0] === 'id' ? 'path' : String(path[0]);
  throw new UnreadableFileError(`${name}: its ${what} cannot be taken: ${message}.`);
}

type Reader = ReturnType<typeof fileReader>;

async function readDocument(path: string, stdin: NodeJS.ReadableStream, reader: Reader): Promise<SourceDocument> {
  const bytes = path !== STDIN && ELSEWHERE.test(path) ? null : await bytesOf(path, stdin);
  try {
    if (bytes === null) {
      const { fetchTargets: allow } = readConfiguration(process.env).service;
      const network = { allow, fetchAddress: addressFetcher({ allow }) };
      return {
        title: path,
        ...(await fetchDocument(path, network, reader.read)),
        id: path.slice(0, MAX_ID),
        url: path,
      };
    }
    const name = path === STDIN ? '' : basename(path);
    const { document } = await reader.read({ name, bytes });
    return { id: path, title: name || nameOf(path), ...document };
  } catch (cause) {
    if (!(cause instanceof UnreadableFileError)) throw cause;
    throw new UnreadableFileError(`${nameOf(path)}: ${cause.message}`, { cause });
  }
}

/** @throws UnreadableFileError also for more bytes than a file has, before they are read if its size is known */
async function bytesOf(path: string, stdin: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    const known = path === STDIN ? 0 : sizeOf(path);
    if (known > MAX_FILE_BYTES) throw tooLarge(path, `${Math.ceil(known / 1e6).toLocaleString('en')} MB`);
    let size = 0;
    for await (const chunk of path === STDIN ? stdin : createReadStream(path)) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MAX_FILE_BYTES) throw tooLarge(nameOf(path), `over ${MAX_FILE_BYTES / 1e6} MB`);
    }
  } catch (cause) {
    throw unreadable(nameOf(path), cause);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, size: string): UnreadableFileError {
  return new UnreadableFileError(`${name}: ${size}, and a file has at most ${MAX_FILE_BYTES / 1e6} MB; split it.`);
}

function nameOf(path: string): string {
  return path === STDIN ? 'standard input' : path;
}
