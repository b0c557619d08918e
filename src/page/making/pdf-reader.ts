import type { PdfAnswer } from '../../text/files/read-pdf.ts';
import { startThread } from '../threads.ts';
import { UnreadableError } from './unreadable-error.ts';

/** How long one file may take. */
const MAX_MILLISECONDS = 120_000;

/** Reads PDFs one after the other, in a thread that is there while it is needed. */
export interface PdfReader {
  /** @throws UnreadableError, or the reason of the signal */
  read(bytes: ArrayBuffer, signal: AbortSignal): Promise<string>;
  end(): void;
}

export function pdfReader(): PdfReader {
  let thread: Worker | null = null;
  const end = (): void => {
    thread?.terminate();
    thread = null;
  };
  return {
    end,
    async read(bytes, signal) {
      signal.throwIfAborted();
      thread ??= startThread('pdf');
      try {
        const answer = await answerOf(thread, bytes, signal);
        if ('problem' in answer) throw new UnreadableError(answer.problem);
        return answer.text;
      } catch (failure) {
        // What it is busy with cannot be told to stop.
        if (!(failure instanceof UnreadableError) || failure.cause === 'late') end();
        throw failure;
      }
    },
  };
}

function answerOf(thread: Worker, bytes: ArrayBuffer, signal: AbortSignal): Promise<PdfAnswer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new UnreadableError('Reading it took longer than two minutes.', { cause: 'late' })),
      MAX_MILLISECONDS,
    );
    const give = (): void => reject(signal.reason);
    signal.addEventListener('abort', give, { once: true });
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', give);
    };
    thread.onmessage = ({ data }: MessageEvent<object>) => {
      if (!isAnswer(data)) return;
      settle();
      resolve(data);
    };
    thread.onerror = () => {
      settle();
      reject(new UnreadableError('The PDF reader could not be started.', { cause: 'late' }));
    };
    thread.postMessage(bytes, [bytes]);
  });
}

/** What reads PDFs says of itself that it is ready, which nobody asked. */
function isAnswer(data: object): data is PdfAnswer {
  return 'problem' in data || 'pages' in data;
}
