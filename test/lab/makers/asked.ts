import { onTestFinished } from 'vitest';
import { type AskedModel, askedModel } from '../../../src/lab/makers/asked-model.ts';
import type { Maker } from '../../../src/lab/makers/maker.ts';
import type { ModelSettings, Prompts, Question, StageModel } from '../../../src/models/index.ts';
import { openDatabase } from '../../../src/store/index.node.ts';
import { type Database, storeCache } from '../../../src/store/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { PROMPTS } from '../../support/prompts.ts';

interface Asking {
  readonly contextTokens?: number;
  readonly database?: Database;
  readonly prompts?: Prompts;
  readonly settings?: Partial<ModelSettings>;
  readonly restart?: boolean;
  readonly retry?: boolean;
  readonly signal?: AbortSignal;
  readonly onAnswer?: (calls: number) => void;
}

/** A model whose answers are kept, over one that answers by a function and records its questions. */
export function askedBy(answer: FakeAnswer, asking: Asking = {}) {
  const stage = new AskedStageModel(answer, asking.contextTokens);
  return { stage, questions: stage.questions as readonly Question[], ...over(stage, asking) };
}

/** The same over any model. */
export function over(
  stage: StageModel,
  { database = memory(), prompts = PROMPTS, settings = {}, restart = false, retry = false, ...more }: Asking = {},
): { readonly model: AskedModel; readonly database: Database } {
  const named = Object.assign(stage, { settings: { ...stage.settings, ...settings } });
  return { model: askedModel(named, prompts, storeCache(database), { restart, retry, ...more }), database };
}

function memory(): Database {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

/** What a maker makes with a model that answers by a function. */
export async function madeBy(maker: Maker, answer: FakeAnswer, asking: Asking = {}) {
  const { model, questions } = askedBy(answer, asking);
  const set = await maker.make(model);
  return { set, counts: model.counts(), questions };
}

export function ofPrompt(questions: readonly Question[], id: string): Question[] {
  return questions.filter(({ prompt }) => prompt.id === id);
}

/** What stands between the two lines that `asData` puts around a text. */
export function dataOf(value = ''): string {
  return value.split('\n').slice(1, -1).join('\n');
}
