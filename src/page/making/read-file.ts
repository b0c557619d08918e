import type { SourceDocument } from '../../client/index.ts';
import { decodeText } from './decode-text.ts';
import { type Kind, kindOfBytes, kindOfFile, titleOfFile, whyNotRead } from './file-kinds.ts';
import type { PdfReader } from './pdf-reader.ts';
import { UnreadableError } from './unreadable-error.ts';
import { wellFormed } from './well-formed.ts';

/** A document before it has an id. */
interface ReadFile {
  readonly kind: Kind;
  readonly document: Omit<SourceDocument, 'id'>;
}

/** Bytes of a file that is read. */
const MAX_BYTES = 100_000_000;

/**
 * Reads a file as a document. What reads web pages and Word documents is loaded when the first comes.
 *
 * @throws UnreadableError with a word why, or the reason of the signal
 */
export async function readFile(file: File, pdf: PdfReader, signal: AbortSignal): Promise<ReadFile> {
  if (file.size > MAX_BYTES) throw new UnreadableError('The file is larger than 100 MB.');
  if (file.size === 0) throw new UnreadableError('The file is empty.');
  const bytes = await bytesOf(file);
  signal.throwIfAborted();
  const kind = kindOfFile(file.name) ?? kindOfBytes(new Uint8Array(bytes));
  if (kind === null) throw new UnreadableError(whyNotRead(file.name));
  const document = { title: wellFormed(titleOfFile(file.name)), ...(await documentOf(kind, bytes, pdf, signal)) };
  if (document.text.trim() === '') throw new UnreadableError('No text was found in it.');
  return { kind, document };
}

async function documentOf(
  kind: Kind,
  bytes: ArrayBuffer,
  pdf: PdfReader,
  signal: AbortSignal,
): Promise<Omit<SourceDocument, 'id'>> {
  switch (kind) {
    case 'PDF':
      return { text: await pdf.read(bytes, signal) };
    case 'Word': {
      const { docxText } = await import('./docx-text.ts');
      return { text: await docxText(bytes) };
    }
    case 'Web page': {
      const { htmlText } = await import('./html-text.ts');
      const { text, title, url, publishedAt } = htmlText(decoded(bytes, true));
      return {
        text,
        ...(title !== null && { title: wellFormed(title.slice(0, 300)) }),
        ...(url !== null && url.length <= 2000 && { url }),
        ...(publishedAt !== null && { publishedAt }),
      };
    }
    default:
      return { text: decoded(bytes, false) };
  }
}

function decoded(bytes: ArrayBuffer, isMarkup: boolean): string {
  const text = decodeText(new Uint8Array(bytes), isMarkup);
  if (text === null) throw new UnreadableError('This is not a text file, despite its name.');
  return text;
}

async function bytesOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new UnreadableError('The browser could not read it. It may be a folder, or the file was moved or changed.', {
      cause,
    });
  }
}
