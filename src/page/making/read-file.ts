import type { SourceDocument } from '../../client/index.ts';
import type { ReadFile } from '../../text/files/read-file.ts';
import { type FileKind, MAX_FILE_BYTES, UnreadableFileError } from '../../text/index.ts';
import { startThread } from '../parts/browser.ts';
import { wellFormed } from './documents.ts';
import type { FileAnswer, FileQuestion } from './file-thread.ts';

/** Time limit for one file, in milliseconds. */
const MAX_MILLISECONDS = 120_000;

/** Reads files one after the other, in a thread that runs from the first to `end`. */
interface FileReader {
  /** @throws UnreadableFileError with a sentence for the owner of the file, or the reason of the signal */
  read(file: File, signal: AbortSignal): Promise<{ kind: FileKind; document: Omit<SourceDocument, 'id'> }>;
  end(): void;
}

export function fileReader(): FileReader {
  let thread: Worker | null = null;
  const end = (): void => {
    thread?.terminate();
    thread = null;
  };
  return {
    end,
    async read(file, signal) {
      if (file.size > MAX_FILE_BYTES) throw new UnreadableFileError('The file is larger than 100 MB.');
      const bytes = await bytesOf(file);
      signal.throwIfAborted();
      thread ??= startThread('file');
      // A busy thread cannot be interrupted.
      const { kind, document } = await answerOf(thread, { name: file.name, bytes }, signal, end);
      return { kind, document: { ...document, title: wellFormed(document.title ?? titleOfFile(file.name)) } };
    },
  };
}

function answerOf(thread: Worker, question: FileQuestion, signal: AbortSignal, end: () => void): Promise<ReadFile> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    };
    const fail = (reason: unknown): void => {
      settle();
      end();
      reject(reason);
    };
    const stop = (): void => fail(signal.reason);
    const late = setTimeout(
      () => fail(new UnreadableFileError('Reading it took longer than two minutes.')),
      MAX_MILLISECONDS,
    );
    signal.addEventListener('abort', stop, { once: true });
    thread.onmessage = ({ data }: MessageEvent<object>) => {
      if (!isAnswer(data)) return;
      settle();
      if ('file' in data) resolve(data.file);
      else reject(new UnreadableFileError(data.problem));
    };
    thread.onerror = () => fail(new UnreadableFileError('The reader of files could not be started.'));
    thread.postMessage(question, [question.bytes]);
  });
}

/** The PDF library also posts a message when it is ready. */
function isAnswer(data: object): data is FileAnswer {
  return 'problem' in data || 'file' in data;
}

async function bytesOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new UnreadableFileError(
      'The browser could not read it. It may be a folder, or the file was moved or changed.',
      { cause },
    );
  }
}

export function titleOfFile(name: string): string {
  return name.replace(/\.[^.\s]*$/, '').trim() || name;
}
