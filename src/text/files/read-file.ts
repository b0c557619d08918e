import type { SourceDocument } from '../documents/document.ts';
import { UnreadableFileError } from '../errors.ts';
import { decodeText, type FileKind, fileKind, firstHeading } from './file-facts.ts';
import { markupText, pageFacts } from './markup-text.ts';

export interface ReadFile {
  readonly kind: FileKind;
  /** A document without an id. Title: the web page's, else the first heading, else absent. */
  readonly document: Omit<SourceDocument, 'id'>;
}

/**
 * Reads a file as a document. Marks headings, lists and tables of web pages, PDF and Word documents as in Markdown.
 * Loads the PDF and Word readers on first use.
 * @param name its extension decides if the content does not; may be empty
 * @throws UnreadableFileError with a message for the owner of the file
 */
export async function readFile(name: string, bytes: Uint8Array): Promise<ReadFile> {
  if (bytes.length === 0) throw new UnreadableFileError('The file is empty.');
  const kind = fileKind(name, bytes);
  const document = await documentOf(kind, bytes);
  if (document.text.trim() === '') throw new UnreadableFileError('No text was found in it.');
  return { kind, document };
}

async function documentOf(kind: FileKind, bytes: Uint8Array): Promise<Omit<SourceDocument, 'id'>> {
  switch (kind) {
    case 'PDF': {
      const { readPdf } = await import('./read-pdf.ts');
      return { text: await readPdf(bytes) };
    }
    case 'Word': {
      const { readDocx } = await import('./read-docx.ts');
      return withHeading(await readDocx(bytes));
    }
    case 'Web page': {
      const markup = decodeText(bytes, true);
      return { ...withHeading(markupText(markup)), ...pageFacts(markup) };
    }
    default:
      return withHeading(decodeText(bytes, false));
  }
}

function withHeading(text: string): Omit<SourceDocument, 'id'> {
  const title = firstHeading(text);
  return title === null ? { text } : { title, text };
}
