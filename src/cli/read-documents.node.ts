import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { documentSchema, LIMITS } from '../contract/index.ts';
import { MAX_FILE_BYTES, type SourceDocument, UnreadableFileError } from '../text/index.ts';
import { type FoundFile, STDIN } from './find-documents.node.ts';
import { readBytes, whyNot } from './read-files.node.ts';

/**
 * Reads files as documents. The path is the id; the title is that of a web page, the first heading, or the file's name.
 *
 * @param stdin is read where a path is "-"
 * @param onLeftOut is told in a sentence of each file that cannot be a document and was not named itself; the others are read
 * @throws UnreadableFileError for the first file that was named and cannot be read, holds no text or is too large, or where nothing
 * is left
 */
export async function readDocuments(
  files: readonly FoundFile[],
  stdin: NodeJS.ReadableStream,
  onLeftOut: (why: string) => void,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const { path, isNamed } of files) {
    try {
      documents.push(checked(await readDocument(path, stdin)));
    } catch (failure) {
      if (isNamed || !(failure instanceof UnreadableFileError)) throw failure;
      onLeftOut(failure.message);
    }
  }
  if (documents.length === 0) throw new UnreadableFileError('None of the files can be read.');
  return documents;
}

/** What the API takes as a document. */
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

async function readDocument(path: string, stdin: NodeJS.ReadableStream): Promise<SourceDocument> {
  const name = nameOf(path);
  const bytes = path === STDIN ? await buffer(stdin) : bytesOf(path);
  const { readFile } = await import('../text/files/read-file.ts');
  try {
    const { document } = await readFile(path === STDIN ? '' : basename(path), bytes);
    return { id: path, title: path === STDIN ? name : basename(path), ...document };
  } catch (cause) {
    if (!(cause instanceof UnreadableFileError)) throw cause;
    throw new UnreadableFileError(`${name}: ${cause.message}`, { cause });
  }
}

function bytesOf(path: string): Uint8Array {
  const size = sizeOf(path);
  if (size <= MAX_FILE_BYTES) return readBytes(path);
  const [megabytes, most] = [size, MAX_FILE_BYTES].map((bytes) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`);
  throw new UnreadableFileError(`${path}: ${megabytes}, and a file has at most ${most}; split it.`);
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (cause) {
    throw new UnreadableFileError(`${path}: ${whyNot(cause)}.`, { cause });
  }
}

function nameOf(path: string): string {
  return path === STDIN ? 'standard input' : path;
}
