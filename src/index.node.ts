import { startThreads } from './digest/index.node.ts';
import { type Tessera, type TesseraOptions, tesseraOver } from './index.ts';
import { loadPrompts } from './models/index.node.ts';
import type { WorkCache } from './models/index.ts';
import { storeCache } from './store/index.ts';

export * from './index.ts';

/** The default: no encoder endpoint is called, so only tests of those need more. */
const NO_ENDPOINTS = { callMilliseconds: 60_000, attempts: 1 };
const NO_SPECS = {
  openai: new Map(),
  transformers: new Map(),
  workersAi: new Map(),
  rerank: new Map(),
};

export interface NodeTessera extends Tessera {
  /** Ends the threads; until then they keep the process alive. */
  close(): Promise<void>;
}

export interface NodeTesseraOptions extends Omit<TesseraOptions, 'encoder'> {
  /** Default: the shipped encoder. */
  readonly encoder?: TesseraOptions['encoder'] | undefined;
}

/** Makes digests on worker threads, one per core, with the encoder and the prompts that ship with the package. */
export async function createTessera({ encoder, ...options }: NodeTesseraOptions = {}): Promise<NodeTessera> {
  const threads = await startThreads({
    encoder: 'transformers',
    models: undefined,
    matrix: 'auto',
    specs: NO_SPECS,
    transport: NO_ENDPOINTS,
    reportError: (failure) => options.onFailure?.(failure, { stage: 'threads', document: '' }),
  });
  const engine =
    encoder === undefined
      ? threads
      : {
          ...threads,
          encoders: new Map([...threads.encoders, [encoder.profile.id, encoder]]),
          defaultEncoder: encoder.profile.id,
        };
  return {
    ...tesseraOver({ ...options, prompts: options.prompts ?? loadPrompts(), engine }),
    close: () => threads.close(),
  };
}

export interface SqliteCache extends WorkCache {
  close(): void;
}

/**
 * A cache in an SQLite file, shared between processes.
 *
 * @param file created if missing
 * @throws if the package better-sqlite3 is not installed, or the file is no database
 */
export async function sqliteCache(file: string): Promise<SqliteCache> {
  // Loaded on demand: without a disk cache, no native package is needed.
  const { openDatabase } = await import('./store/index.node.ts');
  const database = openDatabase(file);
  return { ...storeCache(database), close: () => database.close() };
}
