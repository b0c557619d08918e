import {
  DEFAULT_KEY_POINTS,
  DEFAULT_MAX_WORDS,
  type Format,
  type Preset,
  type SelectionRequest,
} from '../contract/index.ts';
import type { Calibration, Encoder, EncoderProfile, RelevanceScorer } from '../models/index.ts';
import type { AutoSize, SelectionOptions } from '../selection/index.ts';
import { sentenceLimit } from '../summary/index.ts';
import type { Engine } from './engine.ts';
import type { ResolvedRequest } from './resolved-request.ts';
import { knownEncoder, knownScorer } from './select/known-encoder.ts';
import { type ResolvedSelection, resolveSelection } from './select/selection-options.ts';
import { summaryOf } from './write/constraints.ts';

/** Stands in the place of an encoder for relevance where a language model grades the points. */
export const GRADED_BY_MODEL = 'llm';

/** A request with every default filled in. */
export interface ResolvedOptions extends Omit<ResolvedSelection, 'options'> {
  /** The selection's options, given how far relevance runs in stretches, in [0, 1]. */
  readonly selection: (share: number) => SelectionOptions;
  readonly strategy: SelectionOptions['strategy'];
  readonly kernelEncoder: Encoder;
  readonly relevanceEncoder: RelevanceScorer;
  /** Points up to which all pass the gate. */
  readonly ungated: number;
  /** Whether a language model grades the points that come nearest by the encoder. */
  readonly graded: boolean;
  readonly format: Format;
  /** Words that the summary holds at most, beyond which points are let go; null for bullets that were given no bound. */
  readonly maxWords: number | null;
  /** What bounds a selection of size `auto`. */
  readonly auto: AutoSize;
}

/**
 * Fills in the defaults.
 *
 * @throws UnusableOptionError for an option that cannot be had here
 */
export function resolveOptions(request: ResolvedRequest, engine: Engine): ResolvedOptions {
  const { selection = {} } = request;
  const summary = summaryOf(request);
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
  return {
    ...resolved,
    selection: (share) => (resolved.preset === 'published' ? options : inStretches(options, selection, share, profile)),
    strategy: options.strategy,
    kernelEncoder,
    relevanceEncoder:
      named === undefined || graded ? kernelEncoder : knownScorer(engine, named, '/selection/relevance/encoder'),
    graded,
    ungated: 0,
    format,
    maxWords: format === 'bullets' ? (summary.maxWords ?? null) : auto.words,
    auto,
  };
}

/** What a selection of size `auto` fills at most. The published arm decides its own size. */
export function autoSizeOf(
  { format = 'report', maxWords }: NonNullable<ResolvedRequest['summary']>,
  preset: Preset,
): AutoSize {
  const usual = preset === 'published' ? null : DEFAULT_MAX_WORDS[format];
  return { points: sentenceLimit(format) ?? DEFAULT_KEY_POINTS, words: maxWords === undefined ? usual : maxWords };
}

/** What an encoder's vectors can be compared by, the better first. */
export function similaritiesOf({ tokenDimensions }: EncoderProfile): readonly ('bertscore' | 'cosine')[] {
  return tokenDimensions > 0 ? ['bertscore', 'cosine'] : ['cosine'];
}

/** How much more the next source is worth than the next point of the same one. */
const SOURCES_WEIGHT = 10;

/** Weights of relevance and of coverage in lists of statements (share 0) and in running text (share 1). */
const RELEVANCE_WEIGHT = [0.5, 0.7];
const COVERAGE_WEIGHT = [100, 5];

/**
 * Defaults that depend on the documents. Where they are lists of statements, what many say is what matters; in running text
 * few things are said twice, and corroboration must not outweigh relevance.
 */
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

/** Sentence cosine below which only paraphrases join, in texts that run on so far. */
export function sameLevel({ unlike, same }: Calibration, share: number): number {
  return unlike + share * (same - unlike);
}
