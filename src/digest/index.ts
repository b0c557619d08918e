export { type DigestWork, HERE } from './digest-work.ts';
export { type Engine, knownEncoder } from './engine.ts';
export { LimitExceededError, UnusableOptionError } from './errors.ts';
export {
  aboutText,
  extractWithModel,
  MODEL_EXTRACTOR_VERSION,
  type TitledText,
  WINDOW_OVERLAP,
  windowBytes,
} from './extract/extract-with-model.ts';
export { sentenceExtractor } from './extract/extractor.ts';
export { pointsOf } from './extract/points.ts';
export { readDocuments } from './extract/read-documents.ts';
export { createDigest, makeDigest } from './make-digest.ts';
export { modelStages } from './model-stages.ts';
export { NAIVE_SHARE } from './naive.ts';
export { autoSizeOf } from './options.ts';
export { type Plan, planDigest } from './plan.ts';
export { portableEngine } from './portable-engine.ts';
export * from './request.ts';
export { type Checkpoints, type DigestDeps, type DigestListeners, type ModelDeps, newDigestId } from './run.ts';
export { createSelection } from './selections/create-selection.ts';
export { type GivenItems, type KeptDigests, storedPoints } from './selections/items.ts';
export { makeTable, planTable, type ResolvedTable } from './table/make-table.ts';
export { inHostedThread } from './threads/hosted-deps.ts';
