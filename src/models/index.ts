export * from './cache.ts';
export * from './encoders/encoded-texts.ts';
export {
  type Calibration,
  type Encoder,
  type EncoderCaller,
  type EncoderProfile,
  type Encoding,
  encodeQueries,
  isReranker,
  type RelevanceScorer,
  type Reranker,
} from './encoders/encoder.ts';
export {
  DEFAULT_WORKERS_AI,
  type EncoderSpecs,
  missingBinding,
  modelFilesSchema,
  readEncoderSpecs,
} from './encoders/encoder-specs.ts';
export { type EncoderTransport, openAiEncoder } from './encoders/endpoint-encoder.ts';
export { reranker } from './encoders/rerank.ts';
export type { Passage, PassageLine, SentenceReader } from './encoders/sentence-reader.ts';
export { type RunModel, workersAiEncoder } from './encoders/workers-ai.ts';
export { isFatal, ModelCallError } from './errors.ts';
export { knownContext, servedContext } from './language/context-window.ts';
export type { ChatAnswer, ChatCall, LanguageModel, ModelSettings } from './language/language-model.ts';
export { retryAfter, shownAddress } from './language/model-endpoint.ts';
export { openAiModel } from './language/openai-model.ts';
export {
  asData,
  type Prompt,
  type PromptPurpose,
  type Prompts,
  parsePrompt,
  renderPrompt,
  withoutUnseen,
} from './language/prompt.ts';
export { MAX_ANSWER_LENGTH, THOUGHTS, type WeighedWord } from './language/read-answer.ts';
export { type JsonForm, type Question, type StageModel, stageModel } from './language/stage-model.ts';
export {
  addUsage,
  BYTES_PER_TOKEN,
  type CallUsage,
  costOf,
  NO_USAGE,
  type Price,
  RULES_TOKENS,
} from './language/usage.ts';
export {
  type EightBitRows,
  type MatrixProduct,
  normalizeRows,
  portable,
  quantizeRows,
  ZERO,
} from './linear-algebra/matrix-product.ts';
