import type { AskedModel } from '../../../src/lab/asking/asked-model.ts';
import { type KeptAnswer, keptModel } from '../../../src/lab/asking/kept-model.ts';
import type { Question } from '../../../src/models/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { PROMPTS } from '../../support/prompts.ts';

/** A model that answers by a function, as the making of a benchmark asks it, and what it was asked. */
export function askedModel(
  answer: FakeAnswer,
  contextTokens?: number,
): { readonly model: AskedModel; readonly questions: readonly Question[] } {
  const stage = new AskedStageModel(answer, contextTokens);
  const kept = new Map<string, KeptAnswer>();
  const model = keptModel(stage, PROMPTS, {
    read: async (key) => kept.get(key) ?? null,
    keep: async (key, given) => {
      kept.set(key, given);
    },
  });
  return { model, questions: stage.questions };
}

/** Questions of a prompt. */
export function ofPrompt(questions: readonly Question[], id: string): Question[] {
  return questions.filter(({ prompt }) => prompt.id === id);
}

/** What stands between the two lines that `asData` puts around a text. */
export function dataOf(value: string): string {
  return value.split('\n').slice(1, -1).join('\n');
}
