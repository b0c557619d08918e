import type { MatrixProduct } from '../../models/index.ts';
import { type Memory, NO_MEMORY } from '../kernel/memory.ts';
import { centred } from '../kernel/reference.ts';
import { byRelevance } from './baselines.ts';
import { type Candidates, candidates, type SelectionInput } from './candidates.ts';
import { improve } from './refine.ts';
import { choose, type SelectionOptions, strategies } from './registry.ts';
import type { StrategyResult } from './strategy.ts';
import { support } from './support.ts';

export type Selection = Awaited<ReturnType<typeof select>>;
export type Draws = Awaited<ReturnType<typeof drawMany>>;

/** @param memory keeps what depends on the similarities, hashes and documents alone; does not change the selection */
export async function select(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  memory: Memory = NO_MEMORY,
) {
  const { similarity, words, room } = input;
  const { n } = similarity;
  const { isSequential } = strategies[options.strategy];
  const found = await candidates(input, options, product, memory);
  const result = filled(await selectEligible(found, input, options), found, input, options);
  const chosen = await refined(ranked(result, input, isSequential), input, found, options);
  const fittingPlaces = fitToWords(
    chosen.map((item) => words[item]),
    room?.maxWords ?? null,
    room?.reserve ?? 0,
  );
  const selected = fittingPlaces.slice(0, room?.picks ?? fittingPlaces.length).map((place) => chosen[place]);

  const target = (result.newObjective ?? found.strategyInput.newObjective)();
  const gains = new Float64Array(n);
  /** With their contribution to the objective, -Infinity if they depend on earlier picks; null if a set was chosen. */
  const picks: { readonly item: number; readonly gain: number | null }[] = [];
  for (const item of selected) {
    const gain = target.gain(item);
    gains[item] = gain;
    picks.push({ item, gain: isSequential ? gain : null });
    await target.pick(item);
  }
  const isSelected = new Set(selected);
  const fitting = new Set(fittingPlaces.map((place) => chosen[place]));
  for (let i = 0; i < n; i++) if (!isSelected.has(i)) gains[i] = target.gain(i);
  const { value, logDeterminant } = target;
  target.release();

  const rows = await Promise.all(selected.map((item) => rowsOf(item, found)));
  const facts = await found.facts();
  return {
    ...facts,
    clippedMass: result.proof?.clippedMass ?? facts.clippedMass,
    picks,
    /** Picks that the summary cannot hold, and what there is too much of. */
    dropped: chosen
      .filter((item) => !isSelected.has(item))
      .map((item) => ({ item, reason: fitting.has(item) ? ('size' as const) : ('words' as const) })),
    stoppedBy: result.stoppedBy,
    objective: value,
    logDeterminant,
    proven: result.proof?.proven ?? null,
    gap: result.proof?.gap ?? null,
    gains,
    nearest: support(selected, rows, n, options.support),
    pickedSimilarity: Float32Array.from(rows.flatMap(({ similarity }) => selected.map((j) => similarity[j]))),
  };
}

async function selectEligible(
  { strategyInput, restrictedTo }: Candidates,
  { eligible }: SelectionInput,
  options: SelectionOptions,
): Promise<StrategyResult> {
  const { isSampled, isSequential } = strategies[options.strategy];
  // A draw follows the law of the whole kernel.
  if (eligible === null || (isSampled && !isSequential)) return choose(strategyInput, options);
  const items = strategyInput.items.filter((i) => eligible[i] === 1);
  return items.length === 0 ? { items: [], stoppedBy: 'exhausted' } : choose(restrictedTo(items), options);
}

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

function ranked({ items }: StrategyResult, { relevance }: SelectionInput, isSequential: boolean): number[] {
  return isSequential ? [...items] : byRelevance(relevance, items);
}

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
    similarityWith: async (i) => (await similarityRow(i)).map((s, j) => centred(s, centre, i, j)),
    isAtHand: (i) => isReference.has(i),
    mayStand: (i, others) => (eligible === null || eligible[i] === 1) && fits(i, others),
    room: options.size === 'auto' && auto.words !== null ? { words, limit } : null,
    documents,
    factors,
    threshold: options.support.threshold,
  });
}

/**
 * Keeps whatever fits in rank order; at least one pick: the first that fits without the reserve, else the shortest.
 *
 * @param words of each pick, in rank order
 * @param reserve words of the summary's own framing
 * @returns positions in `words`, ascending
 */
export function fitToWords(words: readonly number[], maxWords: number | null, reserve: number): number[] {
  if (maxWords === null || words.length === 0) return [...words.keys()];
  const kept = firstFit(words, maxWords - reserve);
  if (kept.length > 0) return kept;
  const first = firstFit(words, maxWords).slice(0, 1);
  return first.length > 0 ? first : [words.indexOf(Math.min(...words))];
}

function firstFit(words: readonly number[], room: number): number[] {
  let left = room;
  return [...words.keys()].filter((position) => {
    const fits = words[position] <= left;
    if (fits) left -= words[position];
    return fits;
  });
}

/** @param proceed called before each draw; may throw to stop */
export async function drawMany(
  input: SelectionInput,
  options: SelectionOptions,
  product: MatrixProduct,
  count: number,
  proceed: () => void = () => {},
) {
  const { isSequential } = strategies[options.strategy];
  const found = await candidates(input, options, product);
  const draws: number[][] = [];
  for (let draw = 0; draw < count; draw++) {
    proceed();
    draws.push(ranked(await choose(found.strategyInput, options), input, isSequential));
  }
  return { ...(await found.facts()), draws };
}

async function rowsOf(item: number, { strategyInput, evidence }: Candidates) {
  const similarity = await strategyInput.similarityRow(item);
  return {
    similarity,
    agreement: evidence === null ? similarity : await evidence.agreementWith(item),
    cosines: (await evidence?.cosines?.(item)) ?? null,
  };
}
