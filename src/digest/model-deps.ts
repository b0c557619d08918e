import type { ExtractorName, WriterName } from '../contract/index.ts';
import type { LanguageModel, Prompts } from '../models/index.ts';

/** The service's language model, and what it does where a request does not say. */
export interface ModelDeps {
  /** Null where none is configured. */
  readonly model: LanguageModel | null;
  readonly prompts: Prompts;
  readonly extractor: ExtractorName;
  readonly writer: WriterName;
}
