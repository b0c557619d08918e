import { UnreadableFileError } from '../errors.ts';
import { boundBuffers } from './bound-buffers.ts';
import { type FileKind, fileKind } from './file-facts.ts';
import { type ReadDocument, readable, readPlain, withHeading } from './read-plain.ts';

export interface ReadFile {
  readonly kind: FileKind;
  readonly document: ReadDocument;
}

export interface FileQuestion {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The encoding that the sender names. */
  readonly charset?: string | undefined;
}
export type FileAnswer = { readonly file: ReadFile } | { readonly problem: string };

let isTooLarge: boolean | undefined;

/** Reads a file in a thread that does nothing else, and can be ended. */
export async function answerFile({ name, bytes, charset }: FileQuestion): Promise<FileAnswer> {
  if (isTooLarge === undefined) boundBuffers(() => (isTooLarge = true));
  isTooLarge = false;
  const answer = await readFile(name, bytes, charset).then(
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
  return { kind, document: readable(readPlain(kind, bytes, charset) ?? (await readOther(kind, bytes))) };
}

async function readOther(kind: FileKind, bytes: Uint8Array): Promise<ReadDocument> {
  switch (kind) {
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
    case 'Mail': {
      const { readMail } = await import('./read-mail.ts');
      return readMail(bytes);
    }
    default: {
      const { readPdf } = await import('./read-pdf.ts');
      return { text: await readPdf(bytes) };
    }
  }
}
