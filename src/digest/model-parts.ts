import type { LanguageModel } from '../models/language/language-model.ts';
import type { Prompts } from '../models/language/prompt.ts';

export const EXTRACTORS = ['sentences', 'llm'] as const;
export type ExtractorName = (typeof EXTRACTORS)[number];
export const WRITERS = ['compose', 'llm'] as const;
export type WriterName = (typeof WRITERS)[number];
/**
 * What verifies beside the entailment models of an engine: a language model as judge; no call, so that only the quotes' own wording
 * stands; not at all, which the answer says of every sentence.
 */
export const VERIFY_MODES = ['llm', 'rules', 'off'] as const;

/** The service's language model, and what it does where a request does not say. */
export interface ModelParts {
  /** Null where none is configured. */
  readonly model: LanguageModel | null;
  readonly prompts: Prompts;
  readonly extractor: ExtractorName;
  readonly writer: WriterName;
}

/** Without a language model: everything by the embedded engine. */
export const NO_MODELS: ModelParts = { model: null, prompts: new Map(), extractor: 'sentences', writer: 'compose' };
