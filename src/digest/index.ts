export type { Checkpoints, Ledger } from './checkpoints.ts';
export { createDigest } from './create-digest.ts';
export type { DigestDeps } from './digest-deps.ts';
export { type DigestListeners, newDigestId } from './digest-run.ts';
export type { Engine } from './engine.ts';
export { extractKeyPoints } from './extract/extract-key-points.ts';
export {
  extractWithModel,
  MODEL_EXTRACTOR_VERSION,
  WINDOW_OVERLAP,
  windowBytes,
} from './extract/extract-with-model.ts';
export { type Extractor, modelExtractor, sentenceExtractor } from './extract/extractor.ts';
export { pointSettings } from './extract/point-settings.ts';
export { encodedText, pointsOf, quoted } from './extract/points.ts';
export { documentStatus, type ReadDocuments, readDocuments } from './extract/read-documents.ts';
export { aboutText, type TitledText } from './extract/shown-document.ts';
export { storedPoints } from './extract/stored-points.ts';
export { LimitExceededError } from './limit-exceeded-error.ts';
export { makeDigest } from './make-digest.ts';
export type { ModelDeps } from './model-deps.ts';
export { type ModelStages, modelStages } from './model-stages.ts';
export { autoSizeOf } from './options.ts';
export { type DigestPlan, planDigest, planWith } from './plan-digest.ts';
export { portableEngine } from './portable-engine.ts';
export { queryOf } from './rank/intent.ts';
export type {
  DigestOrder,
  EarlierReading,
  ExperimentOfRequest,
  HashedDocument,
  RequestDocument,
  ResolvedReport,
  ResolvedRequest,
  StoredRequest,
} from './resolved-request.ts';
export { createSelection } from './select/create-selection.ts';
export type { GivenItems, KeptDigests, StoredPoints } from './select/given-items.ts';
export { encoderWithId, knownEncoder } from './select/known-encoder.ts';
export { UnusableOptionError } from './unusable-option-error.ts';
export { summaryOf } from './write/constraints.ts';
export { NAIVE_SHARE } from './write/naive-pipeline.ts';
