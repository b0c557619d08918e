import type { Preset, SelectionRequest } from '../../contract/index.ts';
import type { Calibration } from '../../models/index.ts';
import { resolveOwn, type SelectionOptions, type Size, type SizeKind, strategies } from '../../selection/index.ts';
import { UnusableOptionError } from '../unusable-option-error.ts';

const DEFAULT_SEED = 1;

/** What options default to where a request is silent. */
interface SelectionDefaults {
  readonly gate: number | null;
  readonly surroundings: number;
  readonly coverageWeight: number;
  readonly sourcesWeight: number;
  readonly size: 'auto' | { readonly keyPoints: number };
  readonly refine: boolean;
  /** What similarities are made of; `bertscore` needs tokens. */
  readonly similarities: readonly ('bertscore' | 'cosine')[];
  /** Thresholds of the encoder; null where vectors or a kernel are given, and nothing is known of them. */
  readonly calibration: Calibration | null;
}

/** Selection options with every default filled in. */
export interface ResolvedSelection {
  readonly preset: Preset;
  readonly options: SelectionOptions;
  readonly gate: number | null;
  /** Points that pass the gate of a digest at most. */
  readonly maxPast: number;
  readonly surroundings: number;
  readonly facets: boolean | 'llm';
  readonly estimate: boolean;
  /** Whether the reliability of documents, and how well a point stands alone, count. */
  readonly usesFactors: boolean;
}

/**
 * The paper's own arm: unweighted BERTScore, Gaussian of width 1, relevance as the quality as it stands, and one exact draw
 * of its own size; nothing that Tessera adds.
 */
const PUBLISHED: SelectionRequest = {
  strategy: 'dpp-sample',
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 1, idf: 0 },
  relevance: { form: 'score', gate: null, surroundings: 0, facets: false, estimate: false },
  salience: { weight: 0 },
  coverage: { weight: 0 },
  sources: { weight: 0 },
  support: { threshold: null },
  background: { weight: 0 },
  refine: false,
};

/** One prompt over the documents: whatever it quotes stands. */
const NAIVE: SelectionRequest = {
  relevance: { gate: null, surroundings: 0 },
  coverage: { weight: 0 },
  sources: { weight: 0 },
  support: { threshold: null },
  background: { weight: 0 },
  refine: false,
};

/** Where nothing is known of the vectors: paraphrases at a level that no encoder reaches by chance, no floor on support. */
const UNCALIBRATED = { support: null, salience: 0.15, paraphrase: 0.95, unlike: -1 };

/**
 * Fills in the defaults.
 *
 * @throws UnusableOptionError for a size that the strategy does not take, or a similarity that cannot be had
 */
export function resolveSelection(asked: SelectionRequest, defaults: SelectionDefaults): ResolvedSelection {
  const preset = asked.preset ?? 'default';
  const base = preset === 'published' ? withPreset(asked, PUBLISHED) : asked;
  const request = base.strategy === 'naive' ? withPreset(base, NAIVE) : base;
  const strategy = request.strategy ?? 'dpp-map';
  const similarity = request.kernel?.similarity ?? defaults.similarities[0];
  if (!defaults.similarities.includes(similarity)) {
    throw new UnusableOptionError(
      asked.kernel?.similarity === undefined ? '/selection/preset' : '/selection/kernel/similarity',
      `"${similarity}" compares token vectors, and this encoder has none: use the similarity "cosine", or an encoder with token vectors, such as "transformers".`,
    );
  }
  const { calibration } = defaults;
  const level = calibration ?? UNCALIBRATED;
  const size = sizeFor(strategy, request.size, defaults.size);
  return {
    preset,
    maxPast: strategies[strategy].isSampled ? Number.POSITIVE_INFINITY : maxPastFor(size),
    gate: request.relevance?.gate === undefined ? defaults.gate : request.relevance.gate,
    surroundings: request.relevance?.surroundings ?? defaults.surroundings,
    facets: request.relevance?.facets ?? true,
    estimate: request.relevance?.estimate ?? true,
    usesFactors: preset !== 'published',
    options: {
      strategy,
      size,
      seed: request.seed ?? DEFAULT_SEED,
      kernel: {
        similarity,
        form: request.kernel?.form ?? 'gaussian',
        sigma: request.kernel?.sigma ?? 'median',
        idf: request.kernel?.idf ?? 2,
      },
      relevance: { form: request.relevance?.form ?? 'exponential', weight: request.relevance?.weight ?? 0.5 },
      salience: {
        weight: request.salience?.weight ?? 0,
        threshold: request.salience?.threshold ?? calibration?.support ?? UNCALIBRATED.salience,
      },
      coverage: {
        weight: request.coverage?.weight ?? defaults.coverageWeight,
        threshold: request.coverage?.threshold ?? { percentile: 75 },
      },
      sources: { weight: request.sources?.weight ?? defaults.sourcesWeight },
      support: {
        threshold: request.support?.threshold === undefined ? level.support : request.support.threshold,
        paraphrase: level.paraphrase,
        unlike: level.unlike,
        same: level.unlike,
      },
      background: { weight: request.background?.weight ?? 1 },
      ...resolveOwn(request),
      refine: request.refine ?? defaults.refine,
    },
  };
}

/** The fields of a request over those of a preset. */
function withPreset(request: SelectionRequest, preset: SelectionRequest): SelectionRequest {
  return {
    ...preset,
    ...request,
    kernel: { ...preset.kernel, ...request.kernel },
    relevance: { ...preset.relevance, ...request.relevance },
    salience: { ...preset.salience, ...request.salience },
    coverage: { ...preset.coverage, ...request.coverage },
    sources: { ...preset.sources, ...request.sources },
    support: { ...preset.support, ...request.support },
    background: { ...preset.background, ...request.background },
  };
}

/** @throws UnusableOptionError where the strategy does not take this kind of size */
function sizeFor(
  name: SelectionOptions['strategy'],
  size: Size | undefined,
  usual: SelectionDefaults['size'],
): Size | null {
  const { sizes } = strategies[name];
  if (size === undefined) return defaultSize(name, sizes, usual);
  const kind = kindOf(size);
  if (!sizes.includes(kind)) {
    const takes = sizes[0] === 'none' ? 'no size' : sizes.map((each) => `"${each}"`).join(', ');
    throw new UnusableOptionError('/selection/size', `The strategy "${name}" takes ${takes}, not "${kind}".`);
  }
  return size;
}

/** A k-DPP has no sets beyond its rank, which a request cannot know beforehand: by default it draws what it expects. */
function defaultSize(
  name: SelectionOptions['strategy'],
  sizes: readonly SizeKind[],
  usual: SelectionDefaults['size'],
): Size | null {
  if (sizes.includes('none')) return null;
  return name === 'k-dpp' ? 'auto' : usual;
}

/**
 * Points that pass a digest's gate at most, so that what an intent costs does not grow with all that is loosely about it: many times what is
 * told, and few enough to be compared all with all. Strategies that take all there are, or draw among them, have no bound.
 */
function maxPastFor(size: Size | null): number {
  if (size === null) return Number.POSITIVE_INFINITY;
  if (size === 'auto') return MAX_PAST;
  return Math.max(MAX_PAST, 'keyPoints' in size ? 2 * size.keyPoints : Math.ceil(size.words / LEAST_WORDS));
}

const MAX_PAST = 512;
/** Words of the shortest points, about. */
const LEAST_WORDS = 4;

function kindOf(size: Size): SizeKind {
  if (size === 'auto') return 'auto';
  return 'keyPoints' in size ? 'keyPoints' : 'words';
}
