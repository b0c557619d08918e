import type { MatrixProduct } from '../../models/index.ts';
import { expectedSize } from '../dpp/dpp.ts';
import { centred } from '../kernel/centring.ts';
import { type Memory, NO_MEMORY } from '../kernel/memory.ts';
import { type Candidates, candidates, type SelectionInput } from './candidates.ts';
import { fitToWords } from './fit-to-words.ts';
import { improve } from './improve.ts';
import { choose, type SelectionOptions, strategies } from './registry.ts';
import { byRelevance } from './relevance.ts';
import { restrict, widen } from './restrict.ts';
import type { StoppedBy, StrategyResult } from './strategy.ts';
import { type Nearest, support } from './support.ts';

interface Pick {
  readonly item: number;
  /** What the pick added to the objective, -Infinity where it depends on those before it; null where a set was chosen. */
  readonly gain: number | null;
}

/** What is known of the kernel as a whole; null where a strategy did not need to know. */
export interface KernelFacts {
  readonly expectedSize: number | null;
  /** What it would be without relevance, where relevance leaves less than `SHRUNK` of that; null elsewhere. */
  readonly shrunkFrom: number | null;
  /** P(i in S) under the DPP of the kernel; null of a k-DPP, whose own probabilities would take the whole spectrum. */
  readonly marginals: Float64Array | null;
  readonly clippedMass: number | null;
  readonly residual: number | null;
  readonly totalVariation: number | null;
  readonly landmarks: number | null;
  readonly sigma: number | null;
  readonly coverageThreshold: number | null;
  readonly salience: Float64Array | null;
}

export interface Selection extends KernelFacts {
  /** In rank order, after those that the summary cannot hold were let go. */
  readonly picks: readonly Pick[];
  /** Picks that the summary could not hold: what they take too much of. */
  readonly dropped: readonly { readonly item: number; readonly reason: 'words' | 'size' }[];
  readonly stoppedBy: StoppedBy;
  readonly objective: number;
  readonly logDeterminant: number;
  /** Of an exact search. */
  readonly proven: boolean | null;
  readonly gap: number | null;
  /** Gain of every point after the last pick; of picked points the gain when picked. */
  readonly gains: Float64Array;
  readonly nearest: Nearest;
  /** S between picked points, row-major, in pick order. */
  readonly pickedSimilarity: Float32Array;
}

/** Several sets from one kernel. */
export interface Draws extends KernelFacts {
  /** The items of each, by falling relevance. */
  readonly draws: readonly (readonly number[])[];
}

/** Share of its size without relevance below which a draw is said to be shrunk: 0.17 to 0.23 with all-MiniLM-L6-v2 (docs/decisions/sampling.md). */
export const SHRUNK = 1 / 3;

/**
 * Builds the kernel over the gated points, runs the strategy, and finds who supports what it picked.
 *
 * @param memory keeps what depends on the similarities, hashes and documents alone; what is selected does not depend on it
 */
export async function select(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory = NO_MEMORY,
): Promise<Selection> {
  const { similarity, words, room } = input;
  const { n } = similarity;
  const strategy = strategies[options.strategy];
  const found = await candidates(input, options, product, memory);
  const result = filled(await selectEligible(found, input, options), found, input, options);
  const chosen = await refined(ranked(result, input, strategy.isSequential), input, found, options);
  const fittingPlaces = fitToWords(
    chosen.map((item) => words[item]),
    room?.maxWords ?? null,
    room?.reserve ?? 0,
  );
  const holding = fittingPlaces.slice(0, room?.picks ?? fittingPlaces.length);
  const selected = holding.map((place) => chosen[place]);

  const target = (result.newObjective ?? found.strategyInput.newObjective)();
  const gains = new Float64Array(n);
  const picks: Pick[] = [];
  for (const item of selected) {
    const gain = target.gain(item);
    gains[item] = gain;
    picks.push({ item, gain: strategy.isSequential ? gain : null });
    await target.pick(item);
  }
  const isSelected = new Set(selected);
  const fitting = new Set(fittingPlaces.map((place) => chosen[place]));
  for (let i = 0; i < n; i++) if (!isSelected.has(i)) gains[i] = target.gain(i);
  const { value, logDeterminant } = target;
  target.release();

  const rows = await Promise.all(selected.map((item) => rowsOf(item, found)));
  const facts = await factsOf(found, options);
  return {
    ...facts,
    clippedMass: result.proof?.clippedMass ?? facts.clippedMass,
    picks,
    dropped: chosen
      .filter((item) => !isSelected.has(item))
      .map((item) => ({ item, reason: fitting.has(item) ? 'size' : 'words' })),
    stoppedBy: result.stoppedBy,
    objective: value,
    logDeterminant,
    proven: result.proof?.proven ?? null,
    gap: result.proof?.gap ?? null,
    gains,
    nearest: support(selected, rows, n, options.support),
    pickedSimilarity: Float32Array.from(selected.flatMap((_, a) => selected.map((j) => rows[a].similarity[j]))),
  };
}

/** The result of an `auto` selection that is to fill its room, where the rank of the kernel ended it before that was full. */
function filled(
  result: StrategyResult,
  { strategyInput: { limit, fits } }: Candidates,
  { auto, eligible, relevance }: SelectionInput,
  { size }: SelectionOptions,
): StrategyResult {
  if (size !== 'auto' || auto.fills !== true || result.stoppedBy !== 'rank') return result;
  const isTaken = new Set(result.items);
  const items = [...result.items];
  for (const item of byRelevance(relevance)) {
    if (items.length >= limit) return { ...result, items, stoppedBy: 'size' };
    if (!isTaken.has(item) && eligible?.[item] !== 0 && fits(item, items)) items.push(item);
  }
  return { ...result, items, stoppedBy: items.length === relevance.length ? 'exhausted' : 'words' };
}

/** Runs the strategy on the items that it may pick. */
async function selectEligible(
  { strategyInput }: Candidates,
  { eligible }: SelectionInput,
  options: SelectionOptions,
): Promise<StrategyResult> {
  const strategy = strategies[options.strategy];
  // The law of a draw is that of the whole kernel.
  const isDrawn = strategy.isSampled && !strategy.isSequential;
  if (eligible === null || isDrawn) return choose(strategyInput, options);
  const items = [...eligible.keys()].filter((i) => eligible[i] === 1);
  if (items.length === 0) return { items: [], stoppedBy: 'exhausted' };
  const { newObjective, ...result } = await choose(restrict(strategyInput, items), options);
  return {
    ...result,
    items: result.items.map((i) => items[i]),
    ...(newObjective !== undefined && { newObjective: () => widen(newObjective(), items, eligible.length) }),
  };
}

/**
 * Draws sets by a sampling strategy, one after the other, from one decomposition.
 *
 * @param proceed called before each draw; what it throws ends them
 */
export async function drawMany(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  count: number,
  proceed: () => void = () => {},
): Promise<Draws> {
  const strategy = strategies[options.strategy];
  const found = await candidates(input, options, product);
  const draws: number[][] = [];
  for (let draw = 0; draw < count; draw++) {
    proceed();
    draws.push(ranked(await choose(found.strategyInput, options), input, strategy.isSequential));
  }
  return { ...(await factsOf(found, options)), draws };
}

/** Picks of a sequential strategy as they came; a set by falling relevance, then in canonical order. */
function ranked({ items }: StrategyResult, { relevance }: SelectionInput, isSequential: boolean): number[] {
  return isSequential ? [...items] : byRelevance(relevance, items);
}

/** What greedy picked, bettered where the options ask for it. */
async function refined(
  items: number[],
  { documents, factors, eligible, words, auto }: SelectionInput,
  { strategyInput: { newObjective, similarityRow, fits, limit }, evidence }: Candidates,
  options: SelectionOptions,
): Promise<readonly number[]> {
  if (!options.refine || options.strategy !== 'dpp-map' || !evidence?.coverage) return items;
  const { centre, reference, agreementWith } = evidence;
  const isReference = new Set(reference.indices);
  return improve(items, {
    newObjective,
    agreementWith,
    similarityWith: async (i, others) => {
      const row = await similarityRow(i);
      const out = new Float32Array(row.length);
      for (const j of others) out[j] = centred(row[j], centre, i, j);
      return out;
    },
    isAtHand: (i) => isReference.has(i),
    mayStand: (i, others) => (eligible === null || eligible[i] === 1) && fits(i, others),
    room: options.size === 'auto' && auto.words !== null ? { words, limit } : null,
    documents,
    factors,
    threshold: options.support.threshold,
  });
}

async function rowsOf(item: number, { strategyInput, evidence }: Candidates) {
  const similarity = await strategyInput.similarityRow(item);
  return {
    similarity,
    agreement: evidence === null ? similarity : await evidence.agreementWith(item),
    cosines: (await evidence?.cosines?.(item)) ?? null,
  };
}

async function factsOf(found: Candidates, { strategy }: SelectionOptions): Promise<KernelFacts> {
  const { strategyInput, evidence, landmarks, sampled } = found;
  const known = await sampled();
  const size = known && expectedSize(known.dpp);
  return {
    expectedSize: size,
    shrunkFrom: await shrunkFrom(size, found),
    marginals: strategy === 'k-dpp' ? null : (known?.dpp.marginals() ?? null),
    clippedMass: known?.clippedMass ?? null,
    residual: known?.residual ?? null,
    totalVariation: known?.totalVariation ?? null,
    landmarks: landmarks ?? known?.landmarks ?? null,
    sigma: strategyInput.kernel.sigma,
    coverageThreshold: evidence?.coverage?.threshold ?? null,
    salience: evidence?.salience ?? null,
  };
}

async function shrunkFrom(size: number | null, { strategyInput, sizeWithoutRelevance }: Candidates) {
  // No draw is larger than all items: where there are too few for a shrunken one, nothing is decomposed.
  if (size === null || sizeWithoutRelevance === null || size >= SHRUNK * strategyInput.kernel.n) return null;
  const without = await sizeWithoutRelevance();
  return size < SHRUNK * without ? without : null;
}
