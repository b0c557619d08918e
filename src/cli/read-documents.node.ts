import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { SourceDocument } from '../documents/document.ts';
import { readHtml } from '../documents/html.ts';
import { titleOf } from '../documents/title-of.ts';
import { type FoundFile, STDIN } from './find-documents.node.ts';
import { readBytes, textOf, UnreadableFileError } from './read-files.node.ts';

/** What a file of another kind would have to be saved as. */
const UNREAD: Readonly<Record<string, string>> = {
  '.doc': 'the old Word format is not read; save it as .docx',
  '.odt': 'OpenDocument is not read; save it as .docx',
  '.rtf': 'RTF is not read; save it as .docx',
  '.epub': 'EPUB is not read; save it as .html',
};

/**
 * Reads files as documents: text, Markdown and HTML as they are, of PDF and Word the text. The path is the id; the title is the
 * first heading, that of a web page, or the file's name.
 *
 * @param stdin is read where a path is "-"
 * @param onLeftOut is told in a sentence of each file that cannot be read and was not named itself; the others are read
 * @throws UnreadableFileError for the first file that was named and cannot be read or holds no text, or where nothing is left
 */
export async function readDocuments(
  files: readonly FoundFile[],
  stdin: NodeJS.ReadableStream,
  onLeftOut: (why: string) => void,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const { path, isNamed } of files) {
    try {
      documents.push(await readDocument(path, stdin));
    } catch (failure) {
      if (isNamed || !(failure instanceof UnreadableFileError)) throw failure;
      onLeftOut(failure.message);
    }
  }
  if (documents.length === 0) throw new UnreadableFileError('None of the files can be read.');
  return documents;
}

async function readDocument(path: string, stdin: NodeJS.ReadableStream): Promise<SourceDocument> {
  const document = await documentOf(path, stdin);
  if (document.text.trim() === '') throw new UnreadableFileError(`${nameOf(path)}: holds no text.`);
  return document;
}

async function documentOf(path: string, stdin: NodeJS.ReadableStream): Promise<SourceDocument> {
  const name = nameOf(path);
  const ending = path === STDIN ? '' : extname(path).toLowerCase();
  if (Object.hasOwn(UNREAD, ending)) throw new UnreadableFileError(`${path}: ${UNREAD[ending]}.`);
  const bytes = path === STDIN ? await buffer(stdin) : readBytes(path);
  if (ending === '.pdf') {
    const { readPdf } = await import('../files/read-pdf.ts');
    const read = await readPdf(new Uint8Array(bytes));
    if ('problem' in read) throw new UnreadableFileError(`${path}: ${read.problem}`);
    return { id: path, title: titleOf(path, ''), text: read.text };
  }
  if (ending === '.docx') {
    const { docxText } = await import('./docx-text.node.ts');
    const text = await docxText(path, bytes);
    return { id: path, title: titleOf(path, text), text };
  }
  const text = textOf(name, bytes);
  const title = ending === '.html' || ending === '.htm' ? htmlTitle(text) : null;
  return { id: path, title: title ?? titleOf(name, text), text };
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
