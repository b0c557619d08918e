import type { FileAnswer, FileQuestion } from '../../text/files/read-file.ts';
import { MAX_FILE_BYTES, MAX_FILE_MILLISECONDS, UnreadableFileError } from '../../text/index.ts';
import { startThread } from '../parts/browser.ts';
import type { Fields } from './documents.ts';
import { wellFormed } from './draft.ts';

/** Reads files one after the other, in a thread that runs from the first to `end`. */
interface FileReader {
  /** @throws UnreadableFileError with a sentence for the owner of the file */
  read(file: File, stop: AbortSignal): Promise<Fields>;
  end(): void;
}

export function fileReader(): FileReader {
  let thread: Worker | null = null;
  const end = (): void => {
    thread?.terminate();
    thread = null;
  };
  const read = async (file: File, stop: AbortSignal): Promise<Fields> => {
    if (file.size > MAX_FILE_BYTES) throw new UnreadableFileError('The file is larger than 100 MB.');
    const buffer = await file.arrayBuffer().catch((cause: unknown) => {
      const words = 'The browser could not read it. It may be a folder, or the file was moved or changed.';
      throw new UnreadableFileError(words, { cause });
    });
    const ending = AbortSignal.any([stop, AbortSignal.timeout(MAX_FILE_MILLISECONDS)]);
    const answer = await new Promise<FileAnswer>((resolve) => {
      const fail = (problem: string) => () => {
        // A busy thread cannot be interrupted.
        end();
        resolve({ problem });
      };
      thread ??= startThread('file');
      // The PDF library also posts a message when it is ready.
      thread.onmessage = ({ data }: MessageEvent<FileAnswer>) => ('problem' in data || 'file' in data) && resolve(data);
      thread.onerror = fail('The reader of files could not be started.');
      ending.onabort = fail('Reading it took longer than two minutes.');
      const question: FileQuestion = { name: file.name, bytes: new Uint8Array(buffer) };
      thread.postMessage(question, [buffer]);
    });
    ending.onabort = null;
    if ('problem' in answer) throw new UnreadableFileError(answer.problem);
    const { document } = answer.file;
    return { ...document, title: wellFormed(document.title ?? titleOfFile(file.name)) };
  };
  return { read, end };
}

export function titleOfFile(name: string): string {
  return name.replace(/\.[^.\s]*$/, '').trim() || name;
}
