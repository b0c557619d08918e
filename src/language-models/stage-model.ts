import { z } from 'zod';
import type { ChatMessage, LanguageModel, ModelSettings } from './language-model.ts';
import { isFatal, ModelCallError } from './model-call-error.ts';
import type { Prompt } from './prompt.ts';
import { renderPrompt } from './prompt.ts';
import { readJson } from './read-json.ts';
import { addUsage, type CallUsage, NO_USAGE } from './usage.ts';

/** What one stage of one request asks a model, with a tally of what it took. */
export interface StageModel {
  readonly settings: ModelSettings;
  readonly contextTokens: number;
  /** What the calls of this stage took so far. */
  usage(): CallUsage;
  /** Asks for text. @throws ModelCallError */
  ask(question: Question): Promise<string>;
  /**
   * Asks for JSON of a form. An answer without it is asked for once more, with what was wrong with it.
   *
   * @throws ModelCallError; `malformed` where the second answer does not have the form either
   */
  askFor<Form>(question: Question, form: JsonForm<Form>): Promise<Form>;
}

export interface Question {
  readonly prompt: Prompt;
  readonly values: Readonly<Record<string, string>>;
  readonly maxTokens: number;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
}

/** The form of a JSON answer. */
export interface JsonForm<Form> {
  readonly name: string;
  readonly schema: z.ZodType<Form>;
  /** What the model is told to write, where the schema reads more than that; the schema itself otherwise. */
  readonly asked?: z.ZodType | undefined;
}

/**
 * A stage's access to a model. Once a call failed in a way that every other would (no quota, a wrong key, the client gone),
 * further ones fail at once without being made.
 */
export function stageModel(model: LanguageModel, settings: ModelSettings, signal?: AbortSignal): StageModel {
  let spent = NO_USAGE;
  let fatal: ModelCallError | null = null;
  // Ends the calls that wait for their turn when one of them shows that all would fail.
  const stop = new AbortController();
  const ending = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);

  async function complete(
    messages: readonly ChatMessage[],
    question: Question,
    form?: JsonForm<unknown>,
  ): Promise<string> {
    if (fatal !== null) throw again(fatal, fatal);
    try {
      const { text, usage } = await model.complete({
        settings,
        messages,
        maxTokens: question.maxTokens,
        ...(form && { schema: { name: form.name, schema: schemaOf(form) } }),
        onText: question.onText,
        onRestart: question.onRestart,
        signal: ending,
      });
      spent = addUsage(spent, usage);
      return text;
    } catch (failure) {
      if (failure instanceof ModelCallError) {
        spent = addUsage(spent, failure.usage);
        if (fatal !== null) throw again(fatal, failure);
        if (isFatal(failure)) {
          fatal = failure;
          stop.abort();
        }
      }
      throw failure;
    }
  }

  return {
    settings,
    contextTokens: model.contextTokens,
    usage: () => spent,
    ask: (question) => complete(renderPrompt(question.prompt, question.values), question),
    async askFor(question, form) {
      const messages = renderPrompt(question.prompt, question.values);
      const first = await complete(messages, question, form);
      const read = readJson(first, form.schema);
      if ('value' in read) return read.value;
      question.onRestart?.();
      const again: ChatMessage[] = [
        ...messages,
        { role: 'assistant', content: first },
        {
          role: 'user',
          content: `That answer could not be read: ${read.problem}. Answer again, with nothing but the JSON.`,
        },
      ];
      const second = readJson(await complete(again, question, form), form.schema);
      if ('value' in second) return second.value;
      throw new ModelCallError('malformed', 'The model answered twice in a form that could not be read.');
    },
  };
}

/** What the model is to write, which is what the form reads: a default or a transformation comes after it. */
function schemaOf({ schema, asked = schema }: JsonForm<unknown>): Readonly<Record<string, unknown>> {
  // An interface of known keywords; here only JSON matters.
  return { ...z.toJSONSchema(asked, { io: 'input' }) };
}

/** The failure that ended a stage, as what another call of it meets. */
function again({ failure, message }: ModelCallError, cause: ModelCallError): ModelCallError {
  return new ModelCallError(failure, message, NO_USAGE, { cause });
}
