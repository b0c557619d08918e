import { embeddedJudge } from '../../../src/evaluation/embedded/embedded-judge.ts';
import type { Judge } from '../../../src/evaluation/index.ts';
import type { Encoder } from '../../../src/models/index.ts';
import { openDatabase } from '../../../src/store/index.node.ts';
import { storeCache } from '../../../src/store/index.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { NO_MODELS } from '../../support/no-models.ts';

/** Asks an embedded judge over a database of its own, with the encoder of hashed words or another. */
export async function judged<T>(ask: (judge: Judge) => Promise<T>, encoder?: Encoder): Promise<T> {
  const database = openDatabase(':memory:');
  const engine = new InProcessEngine(encoder === undefined ? {} : { other: encoder });
  const request = encoder === undefined ? {} : { engine: { encoder: 'other' } };
  try {
    return await ask(embeddedJudge(request, { engine, cache: storeCache(database), models: NO_MODELS }));
  } finally {
    database.close();
  }
}
