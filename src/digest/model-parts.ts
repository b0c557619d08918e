import type { ExtractorName, WriterName } from '../contract/digest-request.ts';
import type { LanguageModel } from '../models/language/language-model.ts';
import type { Prompts } from '../models/language/prompt.ts';

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
