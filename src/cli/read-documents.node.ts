import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { documentSchema, LIMITS } from '../contract/index.ts';
import { readHtml, type SourceDocument, titleOf } from '../text/index.ts';
import { fileKind } from './file-kind.ts';
import { type FoundFile, STDIN } from './find-documents.node.ts';
import { readBytes, textOf, UnreadableFileError, whyNot } from './read-files.node.ts';

/** Bytes of a file that is read, whatever it holds. */
const MAX_BYTES = 100_000_000;

/**
 * Reads files as documents: text, Markdown and HTML as they are, of PDF and Word the text. The path is the id; the title is the
 * first heading, that of a web page, or the file's name. What a file is its name says, else its first bytes.
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
  if (text.trim() === '') throw new UnreadableFileError(`${name}: holds no text.`);
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
  const kind = fileKind(path === STDIN ? '' : extname(path).toLowerCase(), bytes);
  if (typeof kind === 'object') throw new UnreadableFileError(`${name}: ${kind.problem}.`);
  if (kind === 'PDF') {
    const { readPdf } = await import('../text/files/read-pdf.ts');
    const read = await readPdf(new Uint8Array(bytes));
    if ('problem' in read) throw new UnreadableFileError(`${name}: ${read.problem}`);
    return { id: path, title: titleOf(name, ''), text: read.text };
  }
  if (kind === 'Word document') {
    const { docxText } = await import('./docx-text.node.ts');
    const text = await docxText(name, bytes);
    return { id: path, title: titleOf(name, text), text };
  }
  const text = textOf(name, bytes);
  const title = kind === 'web page' ? htmlTitle(text) : null;
  return { id: path, title: title ?? titleOf(name, text), text };
}

function bytesOf(path: string): Uint8Array {
  const size = sizeOf(path);
  if (size <= MAX_BYTES) return readBytes(path);
  const [megabytes, most] = [size, MAX_BYTES].map((bytes) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`);
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

/** The words of the title of a web page; null where it has none. */
function htmlTitle(markup: string): string | null {
  const written = /<title\b[^>]*>([^<]{1,1000})/i.exec(markup.slice(0, 100_000))?.[1] ?? '';
  const title = readHtml(`<p>${written}</p>`).view.replace(/\s+/g, ' ').trim();
  return title === '' ? null : title;
}
