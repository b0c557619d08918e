import { onTestFinished } from 'vitest';
import { type LanguageModel, ModelCallError, openAiModel } from '../../../src/models/index.ts';
import type { ChatCall } from '../../../src/models/language/language-model.ts';
import type { OpenAiModelOptions } from '../../../src/models/language/openai-model.ts';
import { type Reply, type Script, ScriptedModelServer } from '../../support/scripted-model-server.ts';

export const KEY = 'sk-test-0123456789abcdef';

export interface ScriptedModel {
  readonly model: LanguageModel;
  readonly server: ScriptedModelServer;
  /** Milliseconds that were waited between attempts; nothing is waited in fact. */
  readonly waits: number[];
}

/** A model of a scripted server, which is closed when the test ends. Replies in a list are given in turn, the last for good. */
export async function scriptedModel(
  script: Script | readonly Reply[],
  options: Partial<OpenAiModelOptions> = {},
): Promise<ScriptedModel> {
  const server = await ScriptedModelServer.start(
    typeof script === 'function' ? script : (_, index) => script[Math.min(index, script.length - 1)],
  );
  onTestFinished(() => server.close());
  const waits: number[] = [];
  const model = openAiModel({
    apiKey: KEY,
    baseUrl: server.url,
    defaultModel: 'm',
    contextTokens: 8_000,
    jsonMode: 'auto',
    callMilliseconds: 30_000,
    attempts: 3,
    concurrency: 4,
    prices: new Map([['m', { input: 1, output: 10 }]]),
    random: () => 1,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...options,
  });
  return { model, server, waits };
}

export function call(more: Partial<ChatCall> = {}): ChatCall {
  return {
    settings: { model: 'm', temperature: null, topP: null, seed: null },
    messages: [
      { role: 'system', content: 'You answer.' },
      { role: 'user', content: 'What runs at night?' },
    ],
    maxTokens: 100,
    ...more,
  };
}

/** The error that a call fails with. */
export async function failureOf(answer: Promise<unknown>): Promise<ModelCallError> {
  const failure = await answer.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ModelCallError)) throw new Error('not a failure of a model call', { cause: failure });
  return failure;
}
