import type { TokenChoice } from './read-answer.ts';
import type { CallUsage, Price } from './usage.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** How a model is asked: null leaves a setting to the server. */
export interface ModelSettings {
  readonly model: string;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly seed: number | null;
}

/** A JSON Schema that an answer should follow. Servers may not hold it: whoever asks checks the answer. */
export interface AnswerSchema {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ChatCall {
  readonly settings: ModelSettings;
  readonly messages: readonly ChatMessage[];
  /** Most tokens of the answer, without those of thought. */
  readonly maxTokens: number;
  readonly schema?: AnswerSchema | undefined;
  /** Asks for the likeliest tokens at each place, so many; servers may not tell them. */
  readonly topTokens?: number | undefined;
  /** Streams the answer: called with every piece as it comes. A call that is tried again starts with `onRestart`. */
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

export interface ChatAnswer {
  readonly text: string;
  /** Whether the answer ended because its most tokens were reached. */
  readonly isCut: boolean;
  /** Null, or absent, where they were not asked for, or the server tells none. */
  readonly choices?: readonly TokenChoice[] | null | undefined;
  readonly usage: CallUsage;
}

/** A chat model behind one interface, whoever serves it. */
export interface LanguageModel {
  /** The one to ask where a request names none; null where the configuration names none. */
  readonly defaultModel: string | null;
  /** Tokens that prompt and answer may fill together. */
  readonly contextTokens: number;
  /** Tokens of thought that a call allows beside its `maxTokens`; none by default. */
  readonly thinkingTokens?: number | undefined;
  /** Calls that are made at once; further ones wait. Absent where any number is. */
  readonly concurrency?: number | undefined;
  /** What a model costs; nothing where that is not known. */
  priceOf?(model: string): Price | undefined;
  /**
   * Asks the model, again where that may help, within a deadline for the whole call.
   *
   * @throws ModelCallError with the usage of what was spent
   */
  complete(call: ChatCall): Promise<ChatAnswer>;
}
