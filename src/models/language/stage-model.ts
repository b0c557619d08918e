import { z } from 'zod';
import { isFatal, ModelCallError } from '../errors.ts';
import type { ChatAnswer, ChatCall, ChatMessage, LanguageModel, ModelSettings } from './language-model.ts';
import type { Prompt } from './prompt.ts';
import { renderPrompt } from './prompt.ts';
import { choiceProbabilities, readJson, THOUGHTS, type WeighedWord } from './read-answer.ts';
import { addUsage, type CallUsage, NO_USAGE } from './usage.ts';

export interface StageModel {
  readonly settings: ModelSettings;
  readonly contextTokens: number;
  usage(): CallUsage;
  /** Requests text. @throws ModelCallError; `malformed` if the answer was cut before it said anything */
  ask(question: Question): Promise<string>;
  /** Requests JSON, with one retry if the form is wrong. @throws ModelCallError; `malformed` if the second answer is wrong too */
  askFor<Form>(question: Question, form: JsonForm<Form>): Promise<Form>;
  /**
   * Requests one of some words with their probabilities, with one retry.
   * @param words in capitals, none a prefix of another
   * @throws ModelCallError; `malformed` if the second answer names none either
   */
  weigh(question: Question, words: readonly string[]): Promise<WeighedWord>;
}

export interface Question {
  readonly prompt: Prompt;
  readonly values: Readonly<Record<string, string>>;
  readonly maxTokens: number;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
}

export interface JsonForm<Form> {
  readonly name: string;
  readonly schema: z.ZodType<Form>;
  /** The schema shown to the model, if it is narrower than `schema`. */
  readonly asked?: z.ZodType | undefined;
  /** Whether to drop the unfinished item of a truncated list; by default it is repaired. */
  readonly wholeItems?: boolean | undefined;
}

/** A stage's access to a model. After a fatal failure (quota, wrong key, client gone), further calls fail immediately. */
export function stageModel(model: LanguageModel, settings: ModelSettings, signal?: AbortSignal): StageModel {
  let spent = NO_USAGE;
  let fatal: ModelCallError | null = null;
  const over = new AbortController(); // a fatal failure aborts pending calls

  async function complete(
    messages: readonly ChatMessage[],
    { maxTokens, onText, onRestart }: Question,
    form: Pick<ChatCall, 'schema' | 'topTokens'> = {},
  ): Promise<ChatAnswer> {
    if (fatal !== null) throw again(fatal, fatal);
    // A signal for each call, since Node warns about hundreds of listeners on one.
    const ended = AbortSignal.any(signal === undefined ? [over.signal] : [over.signal, signal]);
    try {
      const call = { settings, messages, maxTokens, ...form, onText, onRestart, signal: ended };
      const answer = await model.complete(call);
      spent = addUsage(spent, answer.usage);
      return answer;
    } catch (failure) {
      if (failure instanceof ModelCallError) {
        spent = addUsage(spent, failure.usage);
        if (fatal !== null) throw again(fatal, failure);
        if (isFatal(failure)) {
          fatal = failure;
          over.abort();
        }
      }
      throw failure;
    }
  }

  function cutFailure(answer: ChatAnswer, { maxTokens }: Question): ModelCallError {
    const { thinkingTokens = 0 } = model;
    const cut = `The answer of the model was cut at its ${maxTokens + thinkingTokens} tokens`;
    if (!saysNothing(answer)) return new ModelCallError('malformed', `${cut} and could not be read.`);
    const more = thinkingTokens > 0 ? 'more ' : '';
    const thinks = `a model that thinks needs ${more}TESSERA_MODEL_THINKING`;
    return new ModelCallError('malformed', `${cut} before it said anything; ${thinks}.`);
  }

  async function askTwice<T>(question: Question, form: Pick<ChatCall, 'schema' | 'topTokens'>, reader: Reader<T>) {
    const messages = renderPrompt(question.prompt, question.values);
    const first = await complete(messages, question, form);
    const read = reader.read(first);
    if ('value' in read) return read.value;
    question.onRestart?.();
    const corrected: ChatMessage[] = [
      ...messages,
      { role: 'assistant', content: first.text.trim() === '' ? '(no answer)' : first.text },
      { role: 'user', content: `That answer could not be read${read.problem}` },
    ];
    const second = await complete(corrected, question, form);
    const readAgain = reader.read(second);
    if ('value' in readAgain) return readAgain.value;
    if (second.isCut && (form.schema !== undefined || saysNothing(second))) throw cutFailure(second, question);
    throw new ModelCallError('malformed', `The model answered twice ${reader.wrong}.`);
  }

  return {
    settings,
    contextTokens: model.contextTokens,
    usage: () => spent,
    async ask(question) {
      const answer = await complete(renderPrompt(question.prompt, question.values), question);
      if (answer.isCut && saysNothing(answer)) throw cutFailure(answer, question);
      return answer.text;
    },
    askFor: (question, { name, schema, asked = schema, wholeItems }) =>
      // An interface of known keywords; only JSON matters here.
      askTwice(
        question,
        { schema: { name, schema: { ...z.toJSONSchema(asked, { io: 'input' }) } } },
        {
          read({ text }) {
            const read = readJson(text, schema, wholeItems);
            return 'value' in read ? read : { problem: `: ${read.problem}. Answer again, with nothing but the JSON.` };
          },
          wrong: 'in a form that could not be read',
        },
      ),
    weigh: (question, words) =>
      askTwice(
        question,
        { topTokens: TOP_TOKENS },
        {
          read({ text, choices }) {
            const value = choiceProbabilities(text, choices ?? null, words);
            return value === null ? { problem: `. Answer with one word: ${words.join(' or ')}.` } : { value };
          },
          wrong: `with none of ${words.join(', ')}`,
        },
      ),
  };
}

interface Reader<T> {
  read(answer: ChatAnswer): { readonly value: T } | { readonly problem: string };
  readonly wrong: string;
}

const TOP_TOKENS = 20;

function saysNothing({ text }: ChatAnswer): boolean {
  return text.replace(THOUGHTS, '').trim() === '';
}

function again({ failure, message }: ModelCallError, cause: ModelCallError): ModelCallError {
  return new ModelCallError(failure, message, NO_USAGE, { cause });
}
