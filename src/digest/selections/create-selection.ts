import type {
  DrawsAnswer,
  ItemAnswer,
  ItemName,
  SelectionsAnswer,
  SelectionsRequest,
  SelectionsShared,
} from '../../contract/index.ts';
import { type KernelFacts, type Selection, type SelectionOptions, strategies } from '../../selection/index.ts';
import { counted } from '../../text/index.ts';
import type { Engine } from '../engine.ts';
import { UnusableOptionError } from '../errors.ts';
import { optionsAnswer, outcomeAnswer, receiptsOf } from '../receipts.ts';
import type { DigestDeps } from '../run.ts';
import { type GivenItems, type KeptDigests, NO_DIGESTS } from './items.ts';
import { checkInputs } from './missing-input.ts';
import { type PreparedSelection, prepareSelection } from './prepare-selection.ts';

/** Selects or draws from items, vectors, a kernel or a stored digest. @throws UnusableOptionError for an option without its input */
export async function createSelection(
  request: SelectionsRequest,
  deps: DigestDeps,
  digests: KeptDigests = NO_DIGESTS,
  signal?: AbortSignal,
): Promise<SelectionsAnswer | DrawsAnswer> {
  checkInputs(request);
  const prepared = await prepareSelection(request, deps, digests);
  return request.draws === undefined
    ? selectOnce(prepared, deps, signal)
    : drawSeveral(prepared, deps, request.draws, signal);
}

async function selectOnce(
  prepared: PreparedSelection,
  { engine }: DigestDeps,
  signal: AbortSignal | undefined,
): Promise<SelectionsAnswer> {
  const { items, options, relevance, candidates } = prepared;
  const selection = await selectAmong(prepared, engine, signal);
  const receiptOf = receiptsOf(selection, options.strategy, prepared, (_, item) => selection.nearest.joins[item] === 1);
  const answers = items.order.map((_, position): ItemAnswer => {
    const { nearest, ...found } = receiptOf(position);
    return {
      ...named(items, position),
      relevance: relevance[position],
      ...found,
      selected: found.rank !== null,
      nearest: nearest && { ...named(items, nearest.index), similarity: nearest.similarity },
    };
  });
  return {
    selected: selection.picks.map(({ item }, place) => {
      const { index, id, gain } = answers[candidates[item]];
      return { index, id, rank: place + 1, gain };
    }),
    items: inRequestOrder(answers),
    ...shared(prepared, selection, engine.matrix),
    ...outcomeAnswer(selection),
  };
}

function named({ order, ids }: GivenItems, position: number): ItemName {
  return { index: order[position], id: ids[position] };
}

/** Max draws times squared items: about five seconds of one core. */
const MAX_DRAWN = 50_000_000;

async function drawSeveral(
  prepared: PreparedSelection,
  { engine }: DigestDeps,
  count: number,
  signal: AbortSignal | undefined,
): Promise<DrawsAnswer> {
  const { items, options, relevance, candidates, settings, selectable } = prepared;
  const most = Math.max(1, Math.floor(MAX_DRAWN / candidates.length ** 2));
  if (count > most) {
    const problem = `One request can draw at most ${counted(most, 'set')} from ${counted(candidates.length, 'item')}.`;
    throw new UnusableOptionError('/draws', problem);
  }
  const drawn = await engine.draw({ items: await selectable(), settings }, options, count, signal);
  const marginals = new Map(candidates.map((position, item) => [position, drawn.marginals?.[item]]));
  return {
    draws: drawn.draws.map((set) => ({
      selected: set.map((item, place) => ({ ...named(items, candidates[item]), rank: place + 1 })),
    })),
    items: inRequestOrder(
      items.order.map((_, position) => ({
        ...named(items, position),
        relevance: relevance[position],
        marginal: marginals.get(position) ?? null,
      })),
    ),
    ...shared(prepared, drawn, engine.matrix),
  };
}

function inRequestOrder<T extends ItemName>(answers: readonly T[]): T[] {
  return answers.toSorted((a, b) => a.index - b.index);
}

async function selectAmong(
  { key, settings, options, selectable }: PreparedSelection,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Selection> {
  if (key === null || engine.selectCached === undefined || !isShort(options, settings)) {
    return engine.select({ items: await selectable(), settings }, options, signal);
  }
  return engine.selectCached({ key, settings, options }, selectable, signal);
}

/** The cached statements share one thread, which a search would block. */
function isShort({ strategy, size }: SelectionOptions, { auto }: PreparedSelection['settings']): boolean {
  return strategies[strategy].isSequential && (size !== 'auto' || auto.points !== null);
}

function shared(
  { items, asked, options, encoder, relevanceEncoder, query, settings, candidates, known, warnings }: PreparedSelection,
  facts: KernelFacts,
  matrix: string,
): SelectionsShared {
  const kept = candidates.length + known.size;
  return {
    ...optionsAnswer(asked, options, facts, {
      gate: asked.gate,
      surroundings: settings.share,
      facets: query.facets.map(({ text }) => text),
      encoder: query.text === null ? null : (relevanceEncoder?.profile.id ?? null),
    }),
    gate: { kept, dropped: items.order.length - kept },
    engine: { encoder: encoder?.profile.id ?? null, matrix },
    warnings,
  };
}
