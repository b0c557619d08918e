import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Engine, Extraction } from './digest/engine.ts';
import type { Ranking } from './digest/ranking-task.ts';
import {
  ENCODER_NAMES,
  type EncoderName,
  encoderProfile,
  hasTransformersModel,
} from './encoders/choose-encoder.node.ts';
import type { Encoder, Encoding } from './encoders/encoder.ts';
import { chooseMatrixProduct, type MatrixChoice } from './linear-algebra/choose-matrix-product.node.ts';
import type { Draws, Selection } from './selection/select.ts';
import { unwrap } from './settled.ts';
import type { ThreadData } from './thread.node.ts';

/** Threads run the built file, also in tests, whose TypeScript loader does not reach into them. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../dist/thread.node.js' : './thread.node.js',
  import.meta.url,
);

export interface ThreadsOptions {
  readonly encoder: EncoderName;
  /** Folder of model folders. */
  readonly models: string | undefined;
  readonly matrix: MatrixChoice;
}

export interface ThreadedEngine extends Engine {
  /** Loads the encoder now rather than at the first request. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * An engine on worker threads, one per core, so that the event loop that serves HTTP is never held up.
 *
 * @throws where the named matrix backend cannot be loaded
 */
export async function startThreads({ encoder, models, matrix }: ThreadsOptions): Promise<ThreadedEngine> {
  const backend = (await chooseMatrixProduct(matrix)).name;
  const threads = Math.max(1, availableParallelism());
  const data: ThreadData = { models, matrix: backend };
  const pool = new Piscina({
    filename: THREAD.href,
    minThreads: threads,
    maxThreads: threads,
    workerData: data,
  });
  const encoders = new Map<string, Encoder>(
    ENCODER_NAMES.filter((name) => name !== 'transformers' || hasTransformersModel(models)).map((name) => [
      name,
      {
        profile: encoderProfile(name),
        encode: (texts): Promise<Encoding[]> => pool.run({ encoder: name, texts: [...texts] }, { name: 'encode' }),
      },
    ]),
  );
  const warm = (): Promise<unknown> => pool.run({ encoder, texts: ['warm'] }, { name: 'encode' });
  return {
    encoders,
    defaultEncoder: encoder,
    matrix: backend,
    extract: (text): Promise<Extraction> => pool.run(text, { name: 'extract' }),
    rank: (task): Promise<Ranking> => pool.run(task, { name: 'rank' }),
    select: async (task, options) => unwrap<Selection>(await pool.run({ task, options }, { name: 'select' })),
    draw: async (task, options, count) => unwrap<Draws>(await pool.run({ task, options, count }, { name: 'draw' })),
    warmUp: async () => {
      await Promise.all(Array.from({ length: threads }, warm));
    },
    close: () => pool.destroy(),
  };
}
