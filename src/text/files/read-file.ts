import type { SourceDocument } from '../documents/document.ts';
import { UnreadableFileError } from '../errors.ts';
import { boundBuffers } from './bound-buffers.ts';
import { decodeText } from './decode-text.ts';
import { countOf, type FileKind, fileKind, firstHeading } from './file-facts.ts';
import { markupText, pageFacts } from './markup-text.ts';

export interface ReadFile {
  readonly kind: FileKind;
  /** A document without an id. Title: the web page's, else the first heading, else absent. */
  readonly document: Omit<SourceDocument, 'id'>;
}

/** Each takes a fifth of a kilobyte. */
const MAX_TAGS = 4_000_000;

export interface FileQuestion {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The encoding that the sender names. */
  readonly charset?: string | undefined;
}
export type FileAnswer = { readonly file: ReadFile } | { readonly problem: string };

let isTooLarge: boolean | undefined;

/** Reads a file in a thread that does nothing else, and can be ended. */
export async function answerFile(question: FileQuestion): Promise<FileAnswer> {
  if (isTooLarge === undefined) boundBuffers(() => (isTooLarge = true));
  isTooLarge = false;
  const answer = await readFile(question.name, question.bytes, question.charset).then(
    (file) => ({ file }),
    (failure: unknown) => ({
      problem: failure instanceof UnreadableFileError ? failure.message : 'It could not be read.',
    }),
  );
  return isTooLarge ? { problem: 'It has a part of more than 128 MB, unpacked; split it.' } : answer;
}

/**
 * Reads a file as a document. Marks headings, lists and tables of web pages, PDF and office files as in Markdown.
 * Loads the readers of PDF, office files and mail on first use.
 * @param name its extension decides if the content does not; may be empty
 * @throws UnreadableFileError with a message for the owner of the file
 */
export async function readFile(name: string, bytes: Uint8Array, charset?: string): Promise<ReadFile> {
  if (bytes.length === 0) throw new UnreadableFileError('The file is empty.');
  const kind = fileKind(name, bytes);
  const document = await documentOf(kind, bytes, charset);
  if (document.text.trim() === '') throw new UnreadableFileError('No text was found in it.');
  return { kind, document };
}

async function documentOf(kind: FileKind, bytes: Uint8Array, charset?: string): Promise<Omit<SourceDocument, 'id'>> {
  switch (kind) {
    case 'PDF': {
      const { readPdf } = await import('./read-pdf.ts');
      return { text: await readPdf(bytes) };
    }
    case 'Word': {
      const { readDocx } = await import('./read-docx.ts');
      return withHeading(await readDocx(bytes));
    }
    case 'PowerPoint': {
      const { readPptx } = await import('./read-pptx.ts');
      return { text: await readPptx(bytes) };
    }
    case 'Excel': {
      const { readXlsx } = await import('./read-xlsx.ts');
      return { text: await readXlsx(bytes) };
    }
    case 'CSV': {
      const { readCsv } = await import('./read-csv.ts');
      return { text: readCsv(decodeText(bytes, false, charset)) };
    }
    case 'Mail': {
      const { readMail } = await import('./read-mail.ts');
      return readMail(bytes);
    }
    case 'Web page': {
      if (countOf(bytes, '<') > MAX_TAGS) throw new UnreadableFileError('It has over four million tags; split it.');
      const markup = decodeText(bytes, true, charset);
      return { ...withHeading(markupText(markup)), ...pageFacts(markup) };
    }
    default:
      return withHeading(decodeText(bytes, false, charset));
  }
}

function withHeading(text: string): Omit<SourceDocument, 'id'> {
  const title = firstHeading(text);
  return title === null ? { text } : { title, text };
}
