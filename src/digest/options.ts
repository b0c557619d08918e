import type { Encoder, EncoderProfile } from '../encoders/encoder.ts';
import type { SelectionOptions } from '../selection/options.ts';

import type { Engine } from './engine.ts';
import type { DigestRequest, SelectionRequest } from './request.ts';
import { UnknownEncoderError } from './unknown-encoder-error.ts';
import { UnsupportedSimilarityError } from './unsupported-similarity-error.ts';

export const DEFAULT_KEY_POINTS = 12;
/** Words of a summary where the request sets no bound of its own. */
export const DEFAULT_MAX_WORDS = 250;

/** A request with every default filled in. */
export interface ResolvedOptions {
  /** The selection's options, given how far relevance runs in stretches, in [0, 1]. */
  readonly selection: (share: number) => SelectionOptions;
  readonly gate: number | null;
  /** How far what stands around a point may count, in [0, 1]. */
  readonly surroundings: number;
  readonly facets: boolean;
  readonly kernelEncoder: Encoder;
  readonly relevanceEncoder: Encoder;
  readonly format: 'report' | 'bullets';
  /** Words that the summary holds at most, beyond which points are let go; null for bullets that were given no bound. */
  readonly maxWords: number | null;
  /** Words that a selection of size `auto` fills at most; null for none. */
  readonly autoWords: number | null;
}

/**
 * Fills in the defaults.
 *
 * @throws UnknownEncoderError where an encoder is named that this service has not
 * @throws UnsupportedSimilarityError where `bertscore` is asked of an encoder without token vectors
 */
export function resolveOptions(request: DigestRequest, engine: Engine): ResolvedOptions {
  const { selection = {}, summary = {} } = request;
  const kernelEncoder = knownEncoder(engine, request.engine?.encoder, '/engine/encoder');
  const named = selection.relevance?.encoder ?? undefined;
  const format = summary.format ?? 'report';
  const selected = resolveSelection(selection, kernelEncoder.profile);
  const autoWords = summary.maxWords === undefined ? DEFAULT_MAX_WORDS : summary.maxWords;
  return {
    selection: (share) => inStretches(selected, selection, share, kernelEncoder.profile),
    gate: selection.relevance?.gate === undefined ? 0.4 : selection.relevance.gate,
    surroundings: selection.relevance?.surroundings ?? 1,
    facets: selection.relevance?.facets ?? true,
    kernelEncoder,
    relevanceEncoder: named === undefined ? kernelEncoder : knownEncoder(engine, named, '/selection/relevance/encoder'),
    format,
    maxWords: format === 'report' ? autoWords : (summary.maxWords ?? null),
    autoWords,
  };
}

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
  { calibration: { unlike, same } }: EncoderProfile,
): SelectionOptions {
  const relevance = RELEVANCE_WEIGHT[0] + share * (RELEVANCE_WEIGHT[1] - RELEVANCE_WEIGHT[0]);
  const coverage = COVERAGE_WEIGHT[0] ** (1 - share) * COVERAGE_WEIGHT[1] ** share;
  return {
    ...options,
    relevance: { ...options.relevance, weight: request.relevance?.weight ?? relevance },
    coverage: { ...options.coverage, weight: request.coverage?.weight ?? coverage },
    support: { ...options.support, same: unlike + share * (same - unlike) },
  };
}

function resolveSelection(
  request: SelectionRequest,
  { calibration, tokenDimensions }: EncoderProfile,
): SelectionOptions {
  const similarity = request.kernel?.similarity ?? (tokenDimensions > 0 ? 'bertscore' : 'cosine');
  if (similarity === 'bertscore' && tokenDimensions === 0) throw new UnsupportedSimilarityError();
  return {
    strategy: request.strategy ?? 'dpp-map',
    size: request.size ?? { keyPoints: DEFAULT_KEY_POINTS },
    kernel: {
      similarity,
      form: request.kernel?.form ?? 'gaussian',
      sigma: request.kernel?.sigma ?? 'median',
      idf: request.kernel?.idf ?? 2,
    },
    relevance: { form: request.relevance?.form ?? 'exponential', weight: request.relevance?.weight ?? 0.5 },
    salience: { weight: request.salience?.weight ?? 0, threshold: request.salience?.threshold ?? calibration.support },
    coverage: {
      weight: request.coverage?.weight ?? 100,
      threshold: request.coverage?.threshold ?? { percentile: 75 },
    },
    support: {
      threshold: request.support?.threshold === undefined ? calibration.support : request.support.threshold,
      paraphrase: calibration.paraphrase,
      unlike: calibration.unlike,
      same: calibration.unlike,
    },
    background: { weight: request.background?.weight ?? 1 },
    refine: request.refine ?? true,
  };
}

function knownEncoder(engine: Engine, name: string | undefined, pointer: string): Encoder {
  const wanted = name ?? engine.defaultEncoder;
  const encoder = engine.encoders.get(wanted);
  if (encoder === undefined) throw new UnknownEncoderError(wanted, [...engine.encoders.keys()], pointer);
  return encoder;
}
