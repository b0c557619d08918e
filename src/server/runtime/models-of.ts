import type { ModelDeps } from '../../digest/index.ts';
import { openAiModel, type Prompts } from '../../models/index.ts';
import type { Configuration } from './configuration.ts';

/** The language model that is configured, and what it does where a request does not say. */
export function modelsOf({ languageModel }: Configuration, prompts: Prompts): ModelDeps {
  const { endpoint, extractor, writer, ...rest } = languageModel;
  const model = endpoint && openAiModel({ ...rest, apiKey: endpoint.apiKey, baseUrl: endpoint.baseUrl });
  return { model, prompts, extractor, writer };
}
