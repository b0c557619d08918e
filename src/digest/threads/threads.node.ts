import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import {
  chooseMatrixProduct,
  EMBEDDED,
  entailmentId,
  type LocalEntailment,
  type LocalModel,
  type MatrixChoice,
  READER_ID,
  shippedAnswerTypes,
  transformersProfile,
} from '../../models/index.node.ts';
import {
  type Encoder,
  type EncoderSpecs,
  type EncoderTransport,
  type Encoding,
  type EntailmentModel,
  openAiEncoder,
  type Passage,
  reranker,
  type SentenceReader,
} from '../../models/index.ts';
import type { Draws, Projection, RecallTask, Selection, SelectionOptions } from '../../selection/index.ts';
import { packageFile } from '../../text/index.node.ts';
import type { Engine, Extraction } from '../engine.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import { CACHE_LIMITS, type CachedCall, fitsCache } from '../select/selection-cache.ts';
import type { SelectionTask } from '../select/selection-task.ts';
import { fairQueue } from './fair-queue.ts';
import type { ThreadData } from './thread.node.ts';
import { type CancelFlag, unwrap, withCancelFlag } from './thread-calls.ts';

const CLOSE_TIMEOUT = 20_000;

interface ThreadPool {
  /** Calls a function of `thread.node.ts` by name. @throws any error of it, or an `AbortError` if the pool is closed */
  // biome-ignore lint/suspicious/noExplicitAny: the caller gives the answer its type, as in Piscina.
  run(task: unknown, name: string): Promise<any>;
  close(): Promise<void>;
}

/** Ending a thread while it loads its modules or runs native code would crash the process, so this waits for both. */
function startThreadPool(
  options: ConstructorParameters<typeof Piscina>[0],
  reportError: (failure: unknown) => void,
): ThreadPool {
  const pool = new Piscina({ ...options, closeTimeout: CLOSE_TIMEOUT });
  pool.on('error', reportError);
  const isLoaded = loadedOf(pool);
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;
  return {
    async run(task, name) {
      if (isClosing) throw new DOMException('the threads are closed', 'AbortError');
      const answer: Promise<unknown> = pool.run(task, { name });
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async close() {
      isClosing = true;
      const loading = pool.threads.filter((thread) => !isLoaded(thread));
      const waiting = new AbortController();
      await Promise.race([
        // Piscina 5.3 counts a thread that ends a task more than once, and so ends busy ones.
        Promise.all([Promise.allSettled(underWay), ...loading.map(untilLoaded)]),
        pause(CLOSE_TIMEOUT, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
      await pool.close({ force: true });
    },
  };
}

function loadedOf(pool: Piscina): (thread: Worker) => boolean {
  const first = pool.threads;
  const loaded = new Set<Worker>();
  for (const thread of first) thread.once('message', () => loaded.add(thread));
  pool.on('workerCreate', ({ id }) => {
    const thread = pool.threads.find(({ threadId }) => threadId === id);
    // `workerCreate` fires at once for initial threads, and after loading for later ones.
    if (thread !== undefined && !first.includes(thread)) loaded.add(thread);
  });
  return (thread) => loaded.has(thread);
}

/** Resolves at the first message of a thread, sent after loading, or at its end. */
function untilLoaded(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once('message', () => resolve());
    thread.once('exit', () => resolve());
  });
}

/** Threads need the built file even in tests, since the TypeScript loader does not apply to them. */
const THREAD = pathToFileURL(packageFile('dist', 'thread.js'));

/** Threads beyond one per core, for light callers if all cores are busy. */
const SPARE_THREADS = 1;

/** Concurrent selections on the caching thread, so that none waits for another digest's first. */
const HELD_AT_ONCE = 8;

interface ThreadsOptions {
  readonly encoder: string;
  readonly specs: EncoderSpecs;
  readonly transport: EncoderTransport;
  readonly models: string | undefined;
  readonly matrix: MatrixChoice;
  readonly reportError: (failure: unknown) => void;
}

export interface ThreadedEngine extends Engine {
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an engine with a thread per core and a spare one, to keep HTTP responsive. @throws if the matrix backend cannot be loaded */
export async function startThreads({
  encoder,
  models,
  matrix,
  specs,
  transport,
  reportError,
}: ThreadsOptions): Promise<ThreadedEngine> {
  const backend = (await chooseMatrixProduct(matrix)).name;
  const threads = Math.max(1, availableParallelism());
  const data: ThreadData = { matrix: backend };
  const all = threads + SPARE_THREADS;
  const pool = startThreadPool(
    { filename: THREAD.href, minThreads: all, maxThreads: all, workerData: data },
    reportError,
  );
  // Threads share no memory, so one of them caches the statements; it starts on demand and ends when idle.
  const holder = startThreadPool(
    {
      filename: THREAD.href,
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: HELD_AT_ONCE,
      idleTimeout: CACHE_LIMITS.idleMilliseconds,
      workerData: data,
    },
    reportError,
  );
  // Only local models run in threads, so no API key leaves the main one.
  const local = new Map<string, LocalModel>([
    ['transformers', EMBEDDED],
    ...[...specs.transformers].map(([name, spec]) => [name, { models: models ?? '', spec }] as const),
  ]);
  const remote = [...specs.openai].map(([name, spec]) => [name, openAiEncoder(spec, transport)] as const);
  const rerankers = new Map([...specs.rerank].map(([name, spec]) => [name, reranker(spec, transport)]));
  const answerTypes = shippedAnswerTypes();
  const queue = fairQueue(threads, SPARE_THREADS);
  const selectCached = async (call: CachedCall, cancel: CancelFlag | null): Promise<Selection | null> =>
    unwrap(await holder.run({ call, cancel }, 'selectCached'));

  const forCaller = (caller: string, gone?: AbortSignal): Engine => {
    const run: ThreadPool['run'] = (task, name) => queue.run(caller, () => pool.run(task, name), gone);
    const encode = (model: LocalModel, texts: readonly string[], asQueries: boolean): Promise<Encoding[]> =>
      run({ model, texts: [...texts], asQueries }, 'encode');
    const select = async (
      task: SelectionTask,
      options: SelectionOptions,
      cancel: CancelFlag | null,
    ): Promise<Selection> => unwrap(await run({ task, options, cancel }, 'select'));
    return {
      encoders: new Map<string, Encoder>([
        ...[...local].map(([name, each]): [string, Encoder] => [
          name,
          {
            profile: transformersProfile(each),
            encode: (texts) => encode(each, texts, false),
            encodeQueries: (texts) => encode(each, texts, true),
          },
        ]),
        ...remote,
      ]),
      rerankers,
      verifiers: new Map(
        [...specs.entailment].map(([name, spec]) => [name, verifierOf(run, { models: models ?? '', spec })]),
      ),
      defaultEncoder: encoder,
      reader: readerOf(run, threads),
      answerTypes,
      matrix: backend,
      extract: (text): Promise<Extraction> => run(text, 'extract'),
      rank: (task): Promise<Ranking> => run(task, 'rank'),
      select: async (task, options, signal) => withCancelFlag(signal, (cancel) => select(task, options, cancel)),
      selectCached: async (call, read, signal) =>
        withCancelFlag(signal, async (cancel) => {
          const known = await selectCached({ ...call, items: null }, cancel);
          if (known !== null) return known;
          const items = await read();
          const made = fitsCache(items, CACHE_LIMITS) ? await selectCached({ ...call, items }, cancel) : null;
          return made ?? select({ items, settings: call.settings }, call.options, cancel);
        }),
      draw: async (task, options, count, signal) =>
        withCancelFlag(signal, async (cancel) => unwrap<Draws>(await run({ task, options, count, cancel }, 'draw'))),
      knownSimilarity: (task): Promise<Float64Array> => run(task, 'knownSimilarity'),
      recall: (tasks: readonly RecallTask[]): Promise<Float64Array[]> => run(tasks, 'recall'),
      project: (vectors, dimensions): Promise<Projection> => run({ vectors, dimensions }, 'project'),
    };
  };
  const warm = (model: LocalModel): Promise<unknown> =>
    pool.run({ model, texts: ['warm'], asQueries: false }, 'encode');
  return {
    ...forCaller(''),
    forCaller,
    warmUp: async () => {
      const own = specs.openai.has(encoder) ? undefined : local.get(encoder);
      if (own !== undefined) await Promise.all(Array.from({ length: all }, () => warm(own)));
    },
    close: async () => {
      await Promise.all([pool.close(), holder.close()]);
    },
  };
}

/** One pair per task, so that other work can run in between. */
function verifierOf(run: ThreadPool['run'], local: LocalEntailment): EntailmentModel {
  return {
    id: entailmentId(local),
    async entailment(questions) {
      const found: Float64Array[] = await Promise.all(questions.map((question) => run({ local, question }, 'entail')));
      return Float64Array.from(found, ([probability]) => probability);
    },
  };
}

/** The longest passages first, so that all threads finish at about the same time. */
function readerOf(run: ThreadPool['run'], threads: number): SentenceReader {
  return {
    id: READER_ID,
    async read(question, passages) {
      const shares: { lines: number; at: number[] }[] = Array.from({ length: threads }, () => ({ lines: 0, at: [] }));
      const bySize = [...passages.keys()].sort((a, b) => passages[b].lines.length - passages[a].lines.length || a - b);
      for (const p of bySize) {
        const least = shares.reduce((a, b) => (b.lines < a.lines ? b : a));
        least.at.push(p);
        least.lines += passages[p].lines.length;
      }
      const scores: Float64Array[] = [];
      await Promise.all(
        shares
          .filter(({ at }) => at.length > 0)
          .map(async ({ at }) => {
            const own: Passage[] = at.map((p) => passages[p]);
            const read: Float64Array[] = await run({ question, passages: own }, 'read');
            at.forEach((p, place) => {
              scores[p] = read[place];
            });
          }),
      );
      return scores;
    },
  };
}
