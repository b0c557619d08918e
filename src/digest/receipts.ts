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
import type { DigestRanking } from './rank/rank-points.ts';
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

interface Receipt {
  readonly salience: number | null;
  readonly rank: number | null;
  /** Gain when picked, or after the last pick; null without a gain or for a draw. */
  readonly gain: number | null;
  /** The nearest selected point, by its place among all. */
  readonly nearest: { readonly index: number; readonly similarity: number } | null;
  /** P(selected) by an exact draw of random size; null if not computed. */
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

const NOT_SEEN = { salience: null, rank: null, gain: null, nearest: null, marginal: null } as const;

interface SelectedFrom {
  /** The items of the selection, by their places among all points. */
  readonly candidates: readonly number[];
  readonly known: ReadonlySet<number>;
  /** 1 for items that may be picked; null for all. */
  readonly eligible: Uint8Array | null;
}

/** The receipts of all points. @param isSupport whether an item that is not selected states the same as a selected one */
export function receiptsOf(
  selection: Selection,
  strategy: StrategyName,
  { candidates, known, eligible }: SelectedFrom,
  isSupport: (index: number, item: number) => boolean,
): (index: number) => Receipt {
  const { picks, gains, nearest, salience, marginals, stoppedBy } = selection;
  const { isSequential, isSampled } = strategies[strategy];
  const itemOf = new Map(candidates.map((index, item) => [index, item]));
  const rankOf = new Map(picks.map(({ item }, place) => [item, place + 1]));
  const dropped = new Map(selection.dropped.map(({ item, reason }) => [item, reason]));

  function reasonOf(index: number, item: number): Reason {
    if (isSupport(index, item)) return 'supports';
    const droppedFor = dropped.get(item);
    if (droppedFor !== undefined) return droppedFor;
    if (eligible !== null && eligible[item] === 0) return 'level';
    if (isSampled && !isSequential) return 'notDrawn';
    if (stoppedBy === 'words') return 'words';
    return gains[item] === Number.NEGATIVE_INFINITY ? 'rank' : 'size';
  }

  return (index) => {
    const item = itemOf.get(index);
    if (item === undefined) return { ...NOT_SEEN, reason: known.has(index) ? 'known' : 'gate' };
    const rank = rankOf.get(item) ?? null;
    const other = nearest.item[item];
    return {
      salience: salience?.[item] ?? null,
      rank,
      gain: rank !== null && !isSequential ? null : finiteOrNull(gains[item]),
      nearest: other < 0 ? null : { index: candidates[other], similarity: nearest.similarity[item] },
      marginal: marginals?.[item] ?? null,
      reason: rank === null ? reasonOf(index, item) : null,
    };
  };
}

export function keyPointReceipts(
  plan: Plan,
  { points, documents }: Reading,
  ranking: DigestRanking,
  selected: Selected,
  { stated, held }: Written,
): DigestKeyPoint[] {
  const hasProbability = isProbability(plan, ranking);
  // A point that states several selected ones supports the most similar.
  const supports = new Map(
    stated
      .flatMap(({ id, supports }) => supports.map(({ keyPoint, similarity }) => ({ keyPoint, id, similarity })))
      .sort((a, b) => a.similarity - b.similarity)
      .map(({ keyPoint, id }) => [keyPoint, id] as const),
  );
  const related = new Map(stated.map((point) => [point.id, point.related ?? []]));
  const receiptOf = receiptsOf(selected.selection, selected.options.strategy, selected, (index) =>
    supports.has(points[index].id),
  );
  return points.map((point, index) => {
    const found = receiptOf(index);
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
        id: points[found.nearest.index].id,
        similarity: rounded(found.nearest.similarity),
      },
      marginal: rounded(found.marginal),
      reason: found.reason,
      selected: found.rank !== null,
      supports: found.rank === null ? (supports.get(point.id) ?? null) : null,
      related: related.get(point.id) ?? [],
    };
  });
}

function isProbability({ query, options: { estimate, relevanceEncoder } }: Plan, { isGraded }: DigestRanking): boolean {
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

/** The options in force, with the facts of the kernel. */
export function optionsAnswer(
  { preset, estimate }: Pick<ResolvedSelection, 'preset' | 'estimate'>,
  options: SelectionOptions,
  { sigma, coverageThreshold, expectedSize, clippedMass, residual, totalVariation, landmarks }: KernelFacts,
  relevance: Pick<OptionsAnswer['relevance'], 'gate' | 'surroundings' | 'facets' | 'encoder'>,
): OptionsAnswer & FactsAnswer {
  return {
    preset,
    ...options,
    kernel: { ...options.kernel, sigma },
    relevance: { ...options.relevance, ...relevance, estimate },
    coverage: { weight: options.coverage.weight, threshold: coverageThreshold },
    expectedSize,
    clippedMass,
    residual,
    totalVariation,
    landmarks,
  };
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
