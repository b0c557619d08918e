import { startThreads } from './digest/index.node.ts';
import { type Tessera, type TesseraOptions, tesseraOver } from './index.ts';
import { loadPrompts } from './models/index.node.ts';
import type { WorkCache } from './models/index.ts';
import { storeCache } from './store/index.ts';

export * from './index.ts';

/** Where nothing is said: no endpoint of an encoder is called, so that only tests of those would need more. */
const NO_ENDPOINTS = { callMilliseconds: 60_000, attempts: 1 };
const NO_SPECS = {
  openai: new Map(),
  transformers: new Map(),
  workersAi: new Map(),
  rerank: new Map(),
  entailment: new Map(),
};

export interface NodeTessera extends Tessera {
  /** Ends the threads; a program that makes no more digests ends by itself only after this. */
  close(): Promise<void>;
}

export interface NodeTesseraOptions extends Omit<TesseraOptions, 'encoder'> {
  /** The encoder that ships with the package by default. */
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
 * A cache in a file of SQLite, as the service has it: what one process read another need not.
 *
 * @param file made where there is none
 * @throws where the package better-sqlite3 is not installed, or the file is no database
 */
export async function sqliteCache(file: string): Promise<SqliteCache> {
  // Loaded when it is asked for: who keeps nothing on disk needs no native package.
  const { openDatabase } = await import('./store/index.node.ts');
  const database = openDatabase(file);
  return { ...storeCache(database), close: () => database.close() };
}
