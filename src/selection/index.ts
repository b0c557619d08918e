export { type Random, seededRandom } from './dpp/random.ts';
export { shuffled } from './dpp/shuffled.ts';
export { asks, isOpen } from './kernel/asks.ts';
export { bertScoreBetween, bertScores } from './kernel/bertscore.ts';
export { contentStems, contentWords } from './kernel/content-words.ts';
export { cosineSimilarity } from './kernel/cosine.ts';
export { passGate, topOfFacets } from './kernel/gate.ts';
export { gramSimilarity } from './kernel/gram-similarity.ts';
export { givenKernel, givenSimilarity, symmetrise } from './kernel/kernel.ts';
export { boundedMemory, type Memory, NO_MEMORY } from './kernel/memory.ts';
export { type Projection, principalComponents } from './kernel/principal-components.ts';
export { ALL_ITEMS_LIMIT, LANDMARKS } from './kernel/reference.ts';
export { LEVEL, type Relevance, type RelevanceInput, relevance } from './kernel/relevance.ts';
export { cosinesOf, deviations, MAX_READ_LENGTH } from './kernel/relevance-estimate.ts';
export type { Similarity } from './kernel/similarity.ts';
export { STOP_WORDS } from './kernel/stop-words.ts';
export { contextVectors } from './kernel/surroundings.ts';
export { type TokenMatrix, tokenMatrix } from './kernel/token-matrix.ts';
export { inverseTokenFrequency, tokenSupport } from './kernel/token-recall.ts';
export { tokenWeights } from './kernel/token-weights.ts';
export { vectorCosine } from './kernel/vectors.ts';
export { type RecallTask, windowRecalls } from './kernel/window-recall.ts';
export { wordOverlap, wordSet, wordsOf } from './kernel/word-overlap.ts';
export { inverseWordFrequency, wordRecall, wordSupport } from './kernel/word-recall.ts';
export { asksForAgreement, type SelectionInput } from './strategies/candidates.ts';
export { chooseWithModel } from './strategies/choose-with-model.ts';
export { fitToWords } from './strategies/fit-to-words.ts';
export type { Size } from './strategies/options.ts';
export {
  MODEL_STRATEGIES,
  OWN_ANSWERS,
  OWN_DEFAULTS,
  OWN_REQUESTS,
  resolveOwn,
  type SelectionOptions,
  STRATEGY_NAMES,
  type StrategyName,
  shownStrategies,
  strategies,
} from './strategies/registry.ts';
export type { AutoSize } from './strategies/resolve-size.ts';
export { type Draws, drawMany, type KernelFacts, type Selection, select } from './strategies/select.ts';
export type { SizeKind, StoppedBy } from './strategies/strategy.ts';
export type { Near } from './strategies/support.ts';
