export type {
  ExtractionKey,
  StoredEncoding,
  StoredExtraction,
  StoredText,
  StoredTokens,
  WorkCache,
} from './cache.ts';
export { type MemoryCache, memoryCache } from './cache.ts';
export {
  encodedTokens,
  encodeTexts,
  textsUnderWay,
} from './encoders/encoded-texts.ts';
export type {
  Calibration,
  Encoder,
  EncoderCaller,
  EncoderProfile,
  Encoding,
} from './encoders/encoder.ts';
export { encodeQueries, isReranker, type RelevanceScorer, type Reranker } from './encoders/encoder.ts';
export {
  DEFAULT_WORKERS_AI,
  type EncoderSpecs,
  missingBinding,
  modelFilesSchema,
  readEncoderSpecs,
} from './encoders/encoder-specs.ts';
export type { EncoderTransport } from './encoders/endpoint-encoder.ts';
export { openAiEncoder } from './encoders/endpoint-encoder.ts';
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
export type { WeighedWord } from './language/read-answer.ts';
export { MAX_ANSWER_LENGTH, THOUGHTS } from './language/read-answer.ts';
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
export type { EightBitRows, MatrixProduct } from './linear-algebra/matrix-product.ts';
export { normalizeRows, portable, quantizeRows, ZERO } from './linear-algebra/matrix-product.ts';
