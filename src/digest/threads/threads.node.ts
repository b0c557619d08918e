import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import {
  chooseMatrixProduct,
  EMBEDDED,
  type LocalModel,
  type MatrixChoice,
  READER_ID,
  transformersProfile,
} from '../../models/index.node.ts';
import {
  type Encoder,
  type EncoderSpecs,
  type EncoderTransport,
  openAiEncoder,
  type Passage,
  reranker,
  type SentenceReader,
} from '../../models/index.ts';
import type { Selection } from '../../selection/index.ts';
import { packageFile } from '../../text/index.node.ts';
import type { Engine } from '../engine.ts';
import { CACHE_LIMITS, fitsCache } from '../select/selection-cache.ts';
import { fairQueue } from './fair-queue.ts';
import { SMALL_YOUNG } from './hosted-threads.node.ts';
import type { ThreadData } from './thread.node.ts';
import { type ThreadCall, unwrap, withCancelFlag } from './thread-calls.ts';

const CLOSE_TIMEOUT = 20_000;

/** Calls a function of `thread.node.ts` by name. */
// biome-ignore lint/suspicious/noExplicitAny: the caller gives the answer its type, as in Piscina.
type CallInThread = (name: string, given: readonly unknown[], signal?: AbortSignal) => Promise<any>;

type Options = NonNullable<ConstructorParameters<typeof Piscina>[0]>;

/** Ending a thread while it loads its modules or runs native code would crash the process, so this waits for both. */
function startThreadPool(options: Options, reportError: (failure: unknown) => void) {
  const pool = new Piscina({ ...options, closeTimeout: CLOSE_TIMEOUT });
  pool.on('error', reportError);
  // A thread sends its first message once loaded; one that starts later has a task under way.
  const loading = pool.threads.map(
    (thread) =>
      new Promise<void>((resolve) => {
        thread.once('message', () => resolve());
        thread.once('exit', () => resolve());
      }),
  );
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;
  return {
    /** Calls a function of `thread.node.ts` by name. @throws any error of it, or an `AbortError` if the pool is closed */
    // biome-ignore lint/suspicious/noExplicitAny: as of `CallInThread`.
    async run(task: ThreadCall<readonly unknown[]>, name: string): Promise<any> {
      if (isClosing) throw new DOMException('the threads are closed', 'AbortError');
      const answer: Promise<unknown> = pool.run(task, { name });
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async close(): Promise<void> {
      isClosing = true;
      await Promise.race([
        // Piscina 5.3 counts a thread that ends a task more than once, and so ends busy ones.
        Promise.all([Promise.allSettled(underWay), ...loading]),
        pause(CLOSE_TIMEOUT, undefined, { ref: false }),
      ]);
      await pool.close({ force: true });
    },
  };
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
  const start = (options: Partial<Options>) =>
    startThreadPool({ filename: THREAD.href, workerData: data, resourceLimits: SMALL_YOUNG, ...options }, reportError);
  const pool = start({ minThreads: all, maxThreads: all });
  // Threads share no memory, so one of them caches the statements; it starts on demand and ends when idle.
  const idleTimeout = CACHE_LIMITS.idleMilliseconds;
  const holder = start({ minThreads: 0, maxThreads: 1, concurrentTasksPerWorker: HELD_AT_ONCE, idleTimeout });
  // Only local models run in threads, so no API key leaves the main one.
  const local = new Map<string, LocalModel>([
    ['transformers', EMBEDDED],
    ...[...specs.transformers].map(([name, spec]) => [name, { models: models ?? '', spec }] as const),
  ]);
  const remote = [...specs.openai].map(([name, spec]) => [name, openAiEncoder(spec, transport)] as const);
  const rerankers = new Map([...specs.rerank].map(([name, spec]) => [name, reranker(spec, transport)]));
  const queue = fairQueue(threads, SPARE_THREADS);
  const holderQueue = fairQueue(HELD_AT_ONCE, 0);
  const warm = (model: LocalModel): Promise<unknown> =>
    pool.run({ given: [model, ['warm'], false], cancel: null }, 'encode');

  const forCaller = (caller: string, gone?: AbortSignal): Engine => {
    const callIn =
      (threads: typeof pool, turns: typeof queue): CallInThread =>
      (name, given, signal) =>
        withCancelFlag(signal, async (cancel) =>
          unwrap(await turns.run(caller, () => threads.run({ given, cancel }, name), gone)),
        );
    const call = callIn(pool, queue);
    const callHolder = callIn(holder, holderQueue);
    const localEncoder = (model: LocalModel): Encoder => ({
      profile: transformersProfile(model),
      encode: (texts) => call('encode', [model, texts, false]),
      encodeQueries: (texts) => call('encode', [model, texts, true]),
    });
    return {
      encoders: new Map<string, Encoder>([
        ...[...local].map(([name, model]) => [name, localEncoder(model)] as const),
        ...remote,
      ]),
      rerankers,
      defaultEncoder: encoder,
      reader: readerOf(call, threads),
      matrix: backend,
      extract: (text) => call('extract', [text]),
      rank: (task) => call('rank', [task]),
      select: (task, options, signal) => call('select', [task, options], signal),
      async selectCached(held, read, signal) {
        const known: Selection | null = await callHolder('selectCached', [{ ...held, items: null }], signal);
        if (known !== null) return known;
        const items = await read();
        const made = fitsCache(items, CACHE_LIMITS)
          ? await callHolder('selectCached', [{ ...held, items }], signal)
          : null;
        return made ?? call('select', [{ items, settings: held.settings }, held.options], signal);
      },
      draw: (task, options, count, signal) => call('draw', [task, options, count], signal),
      knownSimilarity: (task) => call('knownSimilarity', [task]),
    };
  };
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

/** Deals the passages out by length, so that all threads finish at about the same time. */
function readerOf(call: CallInThread, threads: number): SentenceReader {
  return {
    id: READER_ID,
    async read(question, passages) {
      const bySize = [...passages.keys()].sort((a, b) => passages[b].lines.length - passages[a].lines.length || a - b);
      const shares = [...Array(threads).keys()].map((thread) =>
        bySize.filter((_, place) => place % threads === thread),
      );
      const scores: Float64Array[] = [];
      const readShare = async (share: readonly number[]): Promise<void> => {
        const own: Passage[] = share.map((p) => passages[p]);
        const read: Float64Array[] = await call('read', [question, own]);
        for (const [place, p] of share.entries()) scores[p] = read[place];
      };
      await Promise.all(shares.filter((share) => share.length > 0).map(readShare));
      return scores;
    },
  };
}
