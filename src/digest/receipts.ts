import type { DigestKeyPoint, FactsAnswer, OptionsAnswer, OutcomeAnswer, Reason } from '../contract/index.ts';
import { isReranker } from '../models/index.ts';
import {
  type KernelFacts,
  type Selection,
  type SelectionOptions,
  type StrategyName,
  strategies,
} from '../selection/index.ts';
import type { Reading } from './extract/extract.ts';
import { qualityOf, type UnverifiedPoint } from './extract/points.ts';
import type { ResolvedSelection } from './options.ts';
import type { Plan } from './plan.ts';
import type { GradedRanking } from './rank/grade.ts';
import type { Selected } from './select/select.ts';
import type { Written } from './write.ts';

/** Decimals of cosines and probabilities: single precision and model noise allow no more. */
const DECIMALS = 4;
/** Decimals of the inputs of later selections from a stored digest, enough to keep their order. */
const REPLAYED = 6;

export function rounded<Value extends number | null>(value: Value, decimals = DECIMALS): Value {
  if (value === null) return value;
  const scale = 10 ** decimals;
  // Larger numbers have no such decimals. The compiler does not infer `Value`.
  return (Math.abs(value) > Number.MAX_SAFE_INTEGER / scale ? value : Math.round(value * scale) / scale) as Value;
}

/** JSON has no infinities. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

interface ItemReceipt {
  readonly salience: number | null;
  readonly rank: number | null;
  /** Gain when picked, or after the last pick; null without a gain or for a draw. */
  readonly gain: number | null;
  readonly nearest: { readonly item: number; readonly similarity: number } | null;
  /** P(selected) by an exact draw of random size; null if not computed. */
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

export const NOT_SEEN = { salience: null, rank: null, gain: null, nearest: null, marginal: null } as const;

/**
 * @param eligible 1 for items that may be picked; null for all
 * @returns a function from whether an item states the same as a selected one to its receipt
 */
export function itemReceipts(
  selection: Selection,
  strategy: StrategyName,
  eligible: Uint8Array | null,
): (item: number, isSupport: boolean) => ItemReceipt {
  const { picks, gains, nearest, salience, marginals, stoppedBy } = selection;
  const { isSequential, isSampled } = strategies[strategy];
  const rankOf = new Map(picks.map(({ item }, place) => [item, place + 1]));
  const dropped = new Map(selection.dropped.map(({ item, reason }) => [item, reason]));

  function reasonOf(item: number, isSupport: boolean): Reason {
    if (isSupport) return 'supports';
    const droppedFor = dropped.get(item);
    if (droppedFor !== undefined) return droppedFor;
    if (eligible !== null && eligible[item] === 0) return 'level';
    if (isSampled && !isSequential) return 'notDrawn';
    if (stoppedBy === 'words') return 'words';
    return gains[item] === Number.NEGATIVE_INFINITY ? 'rank' : 'size';
  }

  return (item, isSupport) => {
    const rank = rankOf.get(item) ?? null;
    const position = nearest.position[item];
    return {
      salience: salience?.[item] ?? null,
      rank,
      gain: rank !== null && !isSequential ? null : finiteOrNull(gains[item]),
      nearest: position < 0 ? null : { item: picks[position].item, similarity: nearest.similarity[item] },
      marginal: marginals?.[item] ?? null,
      reason: rank === null ? reasonOf(item, isSupport) : null,
    };
  };
}

export function keyPointReceipts(
  plan: Plan,
  { points, documents }: Reading,
  ranking: GradedRanking,
  { selection, kept, eligible, familiar, options }: Selected,
  { stated, held }: Written,
): DigestKeyPoint[] {
  const itemOf = new Map(kept.map((index, item) => [index, item]));
  const receiptOf = itemReceipts(selection, options.strategy, eligible);
  const hasProbability = isProbability(plan, ranking);
  // A point that states several selected ones supports the most similar.
  const supports = new Map(
    stated
      .flatMap(({ id, supports }) => supports.map(({ keyPoint, similarity }) => ({ keyPoint, id, similarity })))
      .sort((a, b) => a.similarity - b.similarity)
      .map(({ keyPoint, id }) => [keyPoint, id] as const),
  );
  const related = new Map(stated.map((point) => [point.id, point.related ?? []]));
  return points.map((point, index) => {
    const item = itemOf.get(index);
    const supported = supports.get(point.id) ?? null;
    const found =
      item === undefined
        ? { ...NOT_SEEN, reason: familiar.has(index) ? ('known' as const) : ('gate' as const) }
        : receiptOf(item, supported !== null);
    const stands = held[point.id];
    // Listing the fields is several times faster than spreading many thousand points.
    return {
      id: point.id,
      document: point.document,
      text: stands?.text ?? point.text,
      speaker: point.speaker ?? null,
      quote: point.quote,
      moreQuotes: point.moreQuotes,
      verification: stands?.verification ?? (plan.extractor.isModel ? 'unverified' : 'verbatim'),
      relevance: rounded(ranking.values[index], REPLAYED),
      probability: hasProbability ? rounded(ranking.values[index]) : null,
      quality: rounded(qualityOf(point, documents), REPLAYED),
      salience: found.salience,
      rank: found.rank,
      gain: rounded(found.gain),
      nearest: found.nearest && {
        id: points[kept[found.nearest.item]].id,
        similarity: rounded(found.nearest.similarity),
      },
      marginal: rounded(found.marginal),
      reason: found.reason,
      selected: found.rank !== null,
      supports: found.rank === null ? supported : null,
      related: related.get(point.id) ?? [],
    };
  });
}

function isProbability({ query, options: { estimate, relevanceEncoder } }: Plan, { isGraded }: GradedRanking): boolean {
  if (isGraded) return true;
  if (query.text === null || !estimate || isReranker(relevanceEncoder)) return false;
  return relevanceEncoder.profile.calibration.relevance !== null;
}

/** A statement whose quote is not in its document is listed, but not used. */
export function unverifiedReceipt({ id, document, text, quote }: UnverifiedPoint): DigestKeyPoint {
  return {
    ...NOT_SEEN,
    id,
    document,
    text,
    speaker: null,
    quote: { text: quote, start: null, end: null, status: 'unverified' },
    moreQuotes: [],
    verification: 'unverified',
    relevance: null,
    probability: null,
    quality: null,
    selected: false,
    supports: null,
    related: [],
    reason: 'unverified',
  };
}

interface RelevanceFacts {
  readonly gate: number | null;
  readonly surroundings: number;
  readonly facets: readonly string[];
  readonly encoder: string | null;
}

export function optionsAnswer(
  { preset, estimate }: Pick<ResolvedSelection, 'preset' | 'estimate'>,
  options: SelectionOptions,
  facts: KernelFacts,
  relevance: RelevanceFacts,
): OptionsAnswer {
  return {
    preset,
    ...options,
    kernel: { ...options.kernel, sigma: facts.sigma },
    relevance: { ...options.relevance, ...relevance, estimate },
    coverage: { weight: options.coverage.weight, threshold: facts.coverageThreshold },
  };
}

export function factsAnswer(facts: KernelFacts): FactsAnswer {
  const { expectedSize, clippedMass, residual, totalVariation, landmarks } = facts;
  return { expectedSize, clippedMass, residual, totalVariation, landmarks };
}

export function outcomeAnswer({ objective, logDeterminant, proven, gap, stoppedBy }: Selection): OutcomeAnswer {
  return {
    objective: finiteOrNull(objective),
    logDeterminant: finiteOrNull(logDeterminant),
    proven,
    gap,
    stoppedBy,
  };
}
