export type {
  ExtractionKey,
  StoredEncoding,
  StoredExtraction,
  StoredJudgement,
  StoredText,
  StoredTokens,
  StoredVectorList,
  WorkCache,
} from './cache.ts';
export {
  type AnswerTypes,
  type LinearClassifier,
  logOdds,
  ofTypesAsked,
  softmax,
  typesAsked,
} from './encoders/answer-types.ts';
export { encodeQueries } from './encoders/encode-queries.ts';
export {
  encodedTokens,
  encodeTexts,
  encodeWhole,
  textsUnderWay,
} from './encoders/encoded-texts.ts';
export type { Calibration, CoverageLevels, Encoder, EncoderProfile, Encoding } from './encoders/encoder.ts';
export type { EncoderTransport } from './encoders/encoder-endpoint.ts';
export { type Dtype, type EncoderSpecs, modelFilesSchema } from './encoders/encoder-specs.ts';
export type { EntailmentModel, EntailmentQuestion } from './encoders/entailment-model.ts';
export { openAiEncoder } from './encoders/openai-encoder.ts';
export { missingBinding, readEncoderSpecs } from './encoders/read-encoder-specs.ts';
export { reranker } from './encoders/rerank.ts';
export { isReranker, type RelevanceScorer, type Reranker } from './encoders/reranker.ts';
export type { Passage, PassageLine, SentenceReader } from './encoders/sentence-reader.ts';
export { type RunModel, workersAiEncoder } from './encoders/workers-ai.ts';
export { DEFAULT_WORKERS_AI } from './encoders/workers-ai-models.ts';
export { asData, withoutUnseen } from './language/as-data.ts';
export type { ChatAnswer, ChatCall, LanguageModel, ModelSettings } from './language/language-model.ts';
export { isFatal, ModelCallError } from './language/model-call-error.ts';
export { openAiModel } from './language/openai-model.ts';
export { type Prompt, type PromptPurpose, type Prompts, parsePrompt, renderPrompt } from './language/prompt.ts';
export { MAX_ANSWER_LENGTH } from './language/read-json.ts';
export { retryAfter } from './language/retry-delay.ts';
export { shownAddress } from './language/shown-address.ts';
export { type JsonForm, type Question, type StageModel, stageModel } from './language/stage-model.ts';
export { THOUGHTS } from './language/thoughts.ts';
export {
  addUsage,
  BYTES_PER_TOKEN,
  type CallUsage,
  costOf,
  NO_USAGE,
  type Price,
  RULES_TOKENS,
} from './language/usage.ts';
export type { WeighedWord } from './language/weigh-words.ts';
export type { EightBitRows, MatrixProduct, PreparedMatrix } from './linear-algebra/matrix-product.ts';
export { normalizeRows } from './linear-algebra/normalize-rows.ts';
export { portable } from './linear-algebra/portable.ts';
export { quantizeRows } from './linear-algebra/quantize-rows.ts';
export { type MemoryCache, memoryCache } from './memory-cache.ts';
