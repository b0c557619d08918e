export { type Random, seededRandom, shuffled } from './dpp/random.ts';
export { bertScoreBetween, bertScores } from './kernel/bertscore.ts';
export { givenKernel, givenSimilarity, symmetrise } from './kernel/kernel.ts';
export { boundedMemory, type Memory, NO_MEMORY } from './kernel/memory.ts';
export { PACKING, type PackedPoints, packDocument, partsOf, unpackDocuments } from './kernel/packed-points.ts';
export { keptByGate, topOfFacets } from './kernel/quality.ts';
export { ALL_ITEMS_LIMIT, LANDMARKS } from './kernel/reference.ts';
export { LEVEL, type Relevance, type RelevanceInput, relevance } from './kernel/relevance.ts';
export { MAX_READ_LENGTH } from './kernel/relevance-estimate.ts';
export { type Scanned, scan } from './kernel/scan.ts';
export { cosineSimilarity, gramSimilarity, type Similarity } from './kernel/similarity.ts';
export { contextVectors } from './kernel/surroundings.ts';
export { type TokenMatrix, tokenMatrix, tokenWeights } from './kernel/tokens.ts';
export { vectorCosine } from './kernel/vectors.ts';
export { type AutoSize, asksForAgreement, type KernelFacts, type SelectionInput } from './strategies/candidates.ts';
export { chooseWithModel } from './strategies/choose-with-model.ts';
export {
  MODEL_STRATEGIES,
  OWN_ANSWERS,
  OWN_DEFAULTS,
  OWN_REQUESTS,
  resolveOwn,
  type SelectionOptions,
  STRATEGY_NAMES,
  type StrategyName,
  strategies,
} from './strategies/registry.ts';
export { type Draws, drawMany, fitToWords, type Selection, select } from './strategies/select.ts';
export type { Size, SizeKind, StoppedBy } from './strategies/strategy.ts';
export type { Near } from './strategies/support.ts';
