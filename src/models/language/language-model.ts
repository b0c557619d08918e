import type { TokenChoice } from './read-answer.ts';
import type { CallUsage, Price } from './usage.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ModelSettings {
  readonly model: string;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly seed: number | null;
}

/** A JSON Schema for the answer. Servers may ignore it, so callers check the answer. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ChatCall {
  readonly settings: ModelSettings;
  readonly messages: readonly ChatMessage[];
  /** Max tokens of the answer, without reasoning. */
  readonly maxTokens: number;
  readonly schema?: AnswerSchema | undefined;
  readonly topTokens?: number | undefined;
  /** Streams the answer piece by piece. A retry starts with `onRestart`. */
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onRestart?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ChatAnswer {
  readonly text: string;
  readonly isCut: boolean;
  readonly choices?: readonly TokenChoice[] | null | undefined;
  readonly usage: CallUsage;
}

export interface LanguageModel {
  readonly defaultModel: string | null;
  readonly contextTokens: number;
  /** Max reasoning tokens of a call besides its `maxTokens`; 0 by default. */
  readonly thinkingTokens?: number | undefined;
  /** Max concurrent calls; further ones wait. Absent for no limit. */
  readonly concurrency?: number | undefined;
  priceOf?(model: string): Price | undefined;
  /** Calls the model with retries, within one deadline. @throws ModelCallError with the usage so far */
  complete(call: ChatCall): Promise<ChatAnswer>;
}
