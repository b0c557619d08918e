import {
  DEFAULT_KEY_POINTS,
  DEFAULT_MAX_WORDS,
  type Preset,
  type SelectionRequest,
  type SummaryRequest,
} from '../contract/index.ts';
import type { Calibration, EncoderProfile, RelevanceScorer } from '../models/index.ts';
import {
  type AutoSize,
  resolveOwn,
  type SelectionOptions,
  type Size,
  type SizeKind,
  strategies,
} from '../selection/index.ts';
import { sentenceLimit } from '../summary/index.ts';
import { type Engine, knownEncoder, knownScorer } from './engine.ts';
import { UnusableOptionError } from './errors.ts';
import type { PlannedRequest } from './request.ts';

/** Value of `relevance.encoder` for grades by a language model. */
export const GRADED_BY_MODEL = 'llm';

const DEFAULT_SEED = 1;

interface SelectionDefaults {
  readonly gate: number | null;
  readonly surroundings: number;
  readonly coverageWeight: number;
  readonly sourcesWeight: number;
  readonly size: 'auto' | { readonly keyPoints: number };
  readonly refine: boolean;
  /** Computable similarities; `bertscore` needs token vectors. */
  readonly similarities: readonly ('bertscore' | 'cosine')[];
  readonly calibration: Calibration | null;
}

export type ResolvedSelection = ReturnType<typeof resolveSelection>;
export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/** Fills in the defaults of a digest. @throws UnusableOptionError if an option is unavailable */
export function resolveOptions(request: PlannedRequest, engine: Engine) {
  const { selection = {}, summary = {} } = request;
  const kernelEncoder = knownEncoder(engine, request.engine?.encoder, '/engine/encoder');
  const { profile } = kernelEncoder;
  const named = selection.relevance?.encoder ?? undefined;
  const graded = named === GRADED_BY_MODEL;
  const format = summary.format ?? 'report';
  const { options, ...resolved } = resolveSelection(selection, {
    gate: 0.2,
    surroundings: 1,
    coverageWeight: COVERAGE_WEIGHT[0],
    sourcesWeight: SOURCES_WEIGHT,
    size: 'auto',
    refine: true,
    similarities: similaritiesOf(profile),
    calibration: profile.calibration,
  });
  const auto = autoSizeOf(summary, resolved.preset);
  const relevanceEncoder: RelevanceScorer =
    named === undefined || graded ? kernelEncoder : knownScorer(engine, named, '/selection/relevance/encoder');
  return {
    ...resolved,
    /** Selection options for a share of running text in [0, 1]. */
    selection: (share: number): SelectionOptions =>
      resolved.preset === 'published' ? options : inStretches(options, selection, share, profile),
    strategy: options.strategy,
    kernelEncoder,
    relevanceEncoder,
    graded,
    /** Skip the gate up to this number of points. */
    ungated: 0,
    format,
    maxWords: format === 'bullets' ? (summary.maxWords ?? null) : auto.words,
    auto,
  };
}

/** The published arm decides its own size. */
export function autoSizeOf({ format = 'report', maxWords }: SummaryRequest, preset: Preset): AutoSize {
  const usual = preset === 'published' ? null : DEFAULT_MAX_WORDS[format];
  return { points: sentenceLimit(format) ?? DEFAULT_KEY_POINTS, words: maxWords === undefined ? usual : maxWords };
}

/** The similarities that an encoder supports, the better first. */
export function similaritiesOf({ tokenDimensions }: EncoderProfile): readonly ('bertscore' | 'cosine')[] {
  return tokenDimensions > 0 ? ['bertscore', 'cosine'] : ['cosine'];
}

/** Weight of a new source relative to another point of the same source. */
const SOURCES_WEIGHT = 10;
/** Weights of relevance and of coverage in lists of statements (share 0) and in running text (share 1). */
const RELEVANCE_WEIGHT = [0.5, 0.7];
const COVERAGE_WEIGHT = [100, 5];

/** Corroboration matters most in lists of statements; running text rarely repeats itself, so relevance weighs more. */
function inStretches(
  options: SelectionOptions,
  request: SelectionRequest,
  share: number,
  { calibration }: EncoderProfile,
): SelectionOptions {
  const relevance = RELEVANCE_WEIGHT[0] + share * (RELEVANCE_WEIGHT[1] - RELEVANCE_WEIGHT[0]);
  const coverage = COVERAGE_WEIGHT[0] ** (1 - share) * COVERAGE_WEIGHT[1] ** share;
  return {
    ...options,
    relevance: { ...options.relevance, weight: request.relevance?.weight ?? relevance },
    coverage: { ...options.coverage, weight: request.coverage?.weight ?? coverage },
    support: { ...options.support, same: sameLevel(calibration, share) },
  };
}

/** Sentence cosine below which only paraphrases join, given the share of `inStretches`. */
export function sameLevel({ unlike, same }: Calibration, share: number): number {
  return unlike + share * (same - unlike);
}

/** Without the additions of Tessera. */
const PLAIN: SelectionRequest = {
  coverage: { weight: 0 },
  sources: { weight: 0 },
  support: { threshold: null },
  background: { weight: 0 },
  refine: false,
};

/** The paper's own arm: unweighted BERTScore, relevance as quality, one exact draw. */
const PUBLISHED: SelectionRequest = {
  ...PLAIN,
  strategy: 'dpp-sample',
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 1, idf: 0 },
  relevance: { form: 'score', gate: null, surroundings: 0, facets: false, estimate: false },
  salience: { weight: 0 },
};

const NAIVE: SelectionRequest = { ...PLAIN, relevance: { gate: null, surroundings: 0 } };

/** For uncalibrated vectors: a paraphrase threshold that no encoder reaches by chance, and none for support. */
const UNCALIBRATED = { support: null, salience: 0.15, paraphrase: 0.95, unlike: -1 };

/** Fills in the defaults of a selection. @throws UnusableOptionError for an unsupported size, or a similarity without vectors */
export function resolveSelection(asked: SelectionRequest, defaults: SelectionDefaults) {
  const preset = asked.preset ?? 'default';
  const base = preset === 'published' ? withPreset(asked, PUBLISHED) : asked;
  const request = base.strategy === 'naive' ? withPreset(base, NAIVE) : base;
  const { kernel, relevance, salience, coverage, sources, support, background } = request;
  const strategy = request.strategy ?? 'dpp-map';
  const similarity = kernel?.similarity ?? defaults.similarities[0];
  if (!defaults.similarities.includes(similarity)) {
    throw new UnusableOptionError(
      asked.kernel?.similarity === undefined ? '/selection/preset' : '/selection/kernel/similarity',
      `"${similarity}" compares token vectors, and this encoder has none: use the similarity "cosine", or an encoder with token vectors, such as "transformers".`,
    );
  }
  const { calibration } = defaults;
  const level = calibration === null ? UNCALIBRATED : { ...calibration, salience: calibration.support };
  const size = sizeFor(strategy, request.size, defaults.size);
  const options: SelectionOptions = {
    strategy,
    size,
    seed: request.seed ?? DEFAULT_SEED,
    kernel: { similarity, form: kernel?.form ?? 'gaussian', sigma: kernel?.sigma ?? 'median', idf: kernel?.idf ?? 2 },
    relevance: { form: relevance?.form ?? 'exponential', weight: relevance?.weight ?? 0.5 },
    salience: { weight: salience?.weight ?? 0, threshold: salience?.threshold ?? level.salience },
    coverage: {
      weight: coverage?.weight ?? defaults.coverageWeight,
      threshold: coverage?.threshold ?? { percentile: 75 },
    },
    sources: { weight: sources?.weight ?? defaults.sourcesWeight },
    support: {
      threshold: support?.threshold === undefined ? level.support : support.threshold,
      cites: support?.cites ?? 'states',
      paraphrase: level.paraphrase,
      unlike: level.unlike,
      same: level.unlike,
    },
    background: { weight: background?.weight ?? 1 },
    ...resolveOwn(request),
    refine: request.refine ?? defaults.refine,
  };
  return {
    preset,
    maxKept: strategies[strategy].isSampled ? Number.POSITIVE_INFINITY : maxKeptFor(size),
    gate: relevance?.gate === undefined ? defaults.gate : relevance.gate,
    surroundings: relevance?.surroundings ?? defaults.surroundings,
    facets: relevance?.facets ?? true,
    estimate: relevance?.estimate ?? true,
    /** Apply the document weight and standalone score. */
    usesFactors: preset !== 'published',
    options,
  };
}

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

/** @throws UnusableOptionError if the strategy does not support the size */
function sizeFor(
  name: SelectionOptions['strategy'],
  size: Size | undefined,
  usual: SelectionDefaults['size'],
): Size | null {
  const { sizes } = strategies[name];
  if (size === undefined) {
    if (sizes.includes('none')) return null;
    // A k-DPP cannot exceed its rank, which is unknown in advance: default to the expected size.
    return name === 'k-dpp' ? 'auto' : usual;
  }
  const kind: SizeKind = size === 'auto' ? 'auto' : 'keyPoints' in size ? 'keyPoints' : 'words';
  // Its one prompt is told the number, of bullets.
  if (name === 'naive' && kind === 'keyPoints') return null;
  if (!sizes.includes(kind)) {
    const takes = sizes[0] === 'none' ? 'no size' : sizes.map((each) => `"${each}"`).join(', ');
    throw new UnusableOptionError('/selection/size', `The strategy "${name}" takes ${takes}, not "${kind}".`);
  }
  return size;
}

const MAX_KEPT = 256;
const LEAST_WORDS = 4;

/** Bounds the cost of comparing all pairs at many times the size of the selection. */
function maxKeptFor(size: Size | null): number {
  if (size === null) return Number.POSITIVE_INFINITY;
  if (size === 'auto') return MAX_KEPT;
  return Math.max(MAX_KEPT, 'keyPoints' in size ? 2 * size.keyPoints : Math.ceil(size.words / LEAST_WORDS));
}
