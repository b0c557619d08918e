import { onTestFinished } from 'vitest';
import type { AskedModel } from '../../../src/lab/asking/asked-model.ts';
import { keptAnswers, keptModel } from '../../../src/lab/asking/kept-model.ts';
import { openDatabase } from '../../../src/store/index.node.ts';
import { storeCache } from '../../../src/store/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { PROMPTS } from '../../support/prompts.ts';

/** A model whose answers are kept, over one that answers by a function. */
export function askedBy(
  answer: FakeAnswer,
  contextTokens?: number,
): { readonly model: AskedModel; readonly stage: AskedStageModel } {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const stage = new AskedStageModel(answer, contextTokens);
  return { model: keptModel(stage, PROMPTS, keptAnswers(storeCache(database), { restart: false })), stage };
}
