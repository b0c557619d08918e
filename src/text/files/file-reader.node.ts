import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { UnreadableFileError } from '../errors.ts';
import { isOutOfMemory, packageFile } from '../runtime.node.ts';
import { fileKind, MAX_FILE_MILLISECONDS } from './file-facts.ts';
import { type FileAnswer, type FileQuestion, type ReadFile, readFile } from './read-file.ts';

/** Of memory in the heap of the thread, and with its buffers, which stand beside the heap. */
const LIMITS = { heapMegabytes: 1000, megabytes: 1200, milliseconds: MAX_FILE_MILLISECONDS };
const MEMORY = 'more than 1 GB of memory';
const INTERVAL = 50;

/** Reads files one after the other in a thread, which starts with the first that may cost more than its size says. */
export function fileReader(limits = LIMITS) {
  let thread: Worker | undefined;
  const end = async (): Promise<void> => {
    await thread?.terminate();
    thread = undefined;
  };
  /** @throws UnreadableFileError with a sentence for the owner of the file, also if it costs too much */
  const read = async (question: FileQuestion): Promise<ReadFile> => {
    const kind = fileKind(question.name, question.bytes);
    if (kind === 'Text' || kind === 'Markdown') return readFile(question.name, question.bytes, question.charset);
    const [before, start] = [process.memoryUsage.rss(), Date.now()];
    // Threads need the built file even in tests.
    const file = pathToFileURL(packageFile('dist', 'file-thread.js'));
    thread ??= new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes } });
    const stop = new AbortController();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > limits.megabytes * 1e6) stop.abort(MEMORY);
      else if (Date.now() - start > limits.milliseconds) stop.abort('too long');
    }, INTERVAL);
    try {
      thread.postMessage(question);
      const [answer]: FileAnswer[] = await once(thread, 'message', { signal: stop.signal });
      if ('file' in answer) return answer.file;
      throw new UnreadableFileError(answer.problem);
    } catch (cause) {
      if (cause instanceof UnreadableFileError) throw cause;
      await end();
      const isFull = isOutOfMemory(cause);
      if (!isFull && !stop.signal.aborted) throw cause;
      throw new UnreadableFileError(`Reading it takes ${isFull ? MEMORY : stop.signal.reason}; split it.`, { cause });
    } finally {
      clearInterval(watch);
    }
  };
  return { read, end };
}
