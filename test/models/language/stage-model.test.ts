import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelFailure } from '../../../src/models/errors.ts';
import {
  type LanguageModel,
  ModelCallError,
  parsePrompt,
  type Question,
  stageModel,
} from '../../../src/models/index.ts';
import type { ChatAnswer, ChatCall } from '../../../src/models/language/language-model.ts';

const settings = { model: 'm', temperature: null, topP: null, seed: null };
const prompt = parsePrompt(
  '---\nid: p\nstage: extract\npurpose: Finds points.\nvariables: [text]\n---\n# System\nYou list.\n# User\n{{text}}\n',
);
const question: Question = { prompt, values: { text: 'Trams run.' }, maxTokens: 50 };
const form = { name: 'points', schema: z.object({ points: z.array(z.string()) }) };
const usage = { requests: 2, promptTokens: 10, completionTokens: 5, cost: 1 };

/** A model that answers these in turn, or fails with them. */
function fakeModel(
  ...answers: (string | Pick<ChatAnswer, 'text' | 'isCut'> | ModelCallError)[]
): LanguageModel & { readonly calls: ChatCall[] } {
  const calls: ChatCall[] = [];
  return {
    calls,
    defaultModel: null,
    contextTokens: 1_000,
    async complete(call) {
      calls.push(call);
      const answer = answers[calls.length - 1];
      if (answer instanceof ModelCallError) throw answer;
      return { ...(typeof answer === 'string' ? { text: answer, isCut: false } : answer), usage };
    },
  };
}

const failed = (failure: ModelFailure, isFatal?: boolean) =>
  new ModelCallError(failure, 'It failed.', usage, isFatal === undefined ? {} : { isFatal });

/** A call that goes on until it is ended. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(failed('cancelled'));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });
}

test('asks for text with the prompt, and counts', async () => {
  const model = fakeModel('Hello.', 'Again.');
  const gone = new AbortController();
  const stage = stageModel(model, settings, gone.signal);
  expect(stage).toMatchObject({ settings, contextTokens: 1_000 });
  const onText = (): void => {};
  expect(await stage.ask({ ...question, onText })).toBe('Hello.');
  expect(model.calls[0]).toMatchObject({
    settings,
    maxTokens: 50,
    messages: [
      { role: 'system', content: 'You list.' },
      { role: 'user', content: 'Trams run.' },
    ],
  });
  expect([model.calls[0].onText, model.calls[0].schema]).toEqual([onText, undefined]);
  await stage.ask(question);
  expect(stage.usage()).toEqual({ requests: 4, promptTokens: 20, completionTokens: 10, cost: 2 });
  expect(model.calls.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
});

test('calls end when the client is gone, and none begins then', async () => {
  const gone = new AbortController();
  const signals: (AbortSignal | undefined)[] = [];
  const stage = stageModel(
    {
      defaultModel: null,
      contextTokens: 1000,
      complete: ({ signal }) => {
        signals.push(signal);
        return untilAborted(signal);
      },
    },
    settings,
    gone.signal,
  );
  const calls = [stage.ask(question), stage.ask(question)];
  gone.abort();
  for (const each of await Promise.allSettled(calls)) expect(each.status).toBe('rejected');
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  await expect(stage.ask(question)).rejects.toMatchObject({ failure: 'cancelled' });
  expect(signals).toHaveLength(2);
});

test('a failure that all would meet ends the calls that are under way', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const stage = stageModel(
    {
      defaultModel: null,
      contextTokens: 1000,
      complete: ({ signal }) => {
        signals.push(signal);
        return signals.length === 2 ? Promise.reject(failed('quota')) : untilAborted(signal);
      },
    },
    settings,
  );
  const outcomes = await Promise.allSettled([stage.ask(question), stage.ask(question)]);
  expect(outcomes.map((each) => each.status === 'rejected' && each.reason.failure)).toEqual(['quota', 'quota']);
  expect(signals[0]?.aborted).toBe(true);
});

test('a malformed answer is asked for once more, with what was wrong, and both calls count', async () => {
  const model = fakeModel('{"points": 3}', '{"points": ["a"]}');
  const stage = stageModel(model, settings);
  let restarts = 0;
  expect(await stage.askFor({ ...question, onRestart: () => restarts++ }, form)).toEqual({ points: ['a'] });
  expect(restarts).toBe(1);
  expect(model.calls).toHaveLength(2);
  const { messages, schema } = model.calls[1];
  expect(messages.slice(0, 3)).toEqual([...model.calls[0].messages, { role: 'assistant', content: '{"points": 3}' }]);
  expect(messages[3].role).toBe('user');
  expect(messages[3].content).toContain('expected array, received number');
  expect(schema).toEqual(model.calls[0].schema);
  expect(stage.usage()).toEqual({ requests: 4, promptTokens: 20, completionTokens: 10, cost: 2 });
});

const cut = (text: string) => ({ text, isCut: true });

test.each(['', ' \n', '<think>Which trams run? Those'])('an answer that was cut at "%s" is a failure', async (text) => {
  const stage = stageModel(fakeModel(cut(text), 'fine'), settings);
  await expect(stage.ask(question)).rejects.toMatchObject({
    name: 'ModelCallError',
    failure: 'malformed',
    message:
      'The answer of the model was cut at its 50 tokens before it said anything; a model that thinks needs TESSERA_MODEL_THINKING.',
  });
  expect(await stage.ask(question)).toBe('fine');
  expect(stage.usage().requests).toBe(4);
});

test.each(['quota', 'refused', 'cancelled'] as const)('%s stops further calls', async (failure) => {
  const first = failed(failure);
  const model = fakeModel(first, 'never asked for');
  const stage = stageModel(model, settings);
  await expect(stage.ask(question)).rejects.toBe(first);
  const again = stage.askFor(question, form);
  await expect(again).rejects.toMatchObject({ failure, message: 'It failed.', cause: first, usage: { requests: 0 } });
  expect(model.calls).toHaveLength(1);
  expect(stage.usage()).toEqual(usage);
});
