import type {
  DrawsAnswer,
  ItemAnswer,
  ItemName,
  SelectionsAnswer,
  SelectionsRequest,
  SelectionsShared,
} from '../../contract/index.ts';
import { type KernelFacts, type Selection, type SelectionOptions, strategies } from '../../selection/index.ts';
import type { Engine } from '../engine.ts';
import { UnusableOptionError } from '../errors.ts';
import { factsAnswer, itemReceipts, NOT_SEEN, optionsAnswer, outcomeAnswer } from '../receipts.ts';
import type { DigestDeps } from '../run.ts';
import { type KeptDigests, NO_DIGESTS } from './items.ts';
import { checkInputs } from './missing-input.ts';
import { type PreparedSelection, prepareSelection } from './prepare-selection.ts';

/**
 * Selects or draws from given items, vectors or a kernel, or a stored digest. @throws UnusableOptionError for an option without its input
 */
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
  const { items, resolved, relevance, kept, known } = prepared;
  const { options } = resolved;
  const selection = await selectAmong(prepared, engine, signal);
  const receiptOf = itemReceipts(selection, options.strategy, prepared.settings.eligible);
  const itemOf = new Map(kept.map((position, item) => [position, item]));
  const named = (item: number): ItemName => ({ index: items.order[kept[item]], id: items.ids[kept[item]] });
  const answers = items.order.map((index, position): ItemAnswer => {
    const own = { index, id: items.ids[position], relevance: relevance[position] };
    const item = itemOf.get(position);
    if (item === undefined)
      return { ...own, ...NOT_SEEN, selected: false, reason: known.has(position) ? 'known' : 'gate' };
    const { nearest, ...found } = receiptOf(item, selection.nearest.joins[item] === 1);
    return {
      ...own,
      ...found,
      selected: found.rank !== null,
      nearest: nearest && { ...named(nearest.item), similarity: nearest.similarity },
    };
  });
  return {
    selected: selection.picks.map(({ item }, place) => ({
      ...named(item),
      rank: place + 1,
      gain: receiptOf(item, false).gain,
    })),
    items: inRequestOrder(answers),
    ...shared(prepared, selection, engine.matrix),
    ...outcomeAnswer(selection),
  };
}

/** Max draws times squared items: about five seconds of one core. */
const MAX_DRAWN = 50_000_000;

async function drawSeveral(
  prepared: PreparedSelection,
  { engine }: DigestDeps,
  count: number,
  signal: AbortSignal | undefined,
): Promise<DrawsAnswer> {
  const { items, resolved, relevance, kept, settings, selectable } = prepared;
  const most = Math.max(1, Math.floor(MAX_DRAWN / kept.length ** 2));
  if (count > most) {
    throw new UnusableOptionError('/draws', `One request can draw at most ${most} sets from ${kept.length} items.`);
  }
  const drawn = await engine.draw({ items: await selectable(), settings }, resolved.options, count, signal);
  const itemOf = new Map(kept.map((position, item) => [position, item]));
  return {
    draws: drawn.draws.map((set) => ({
      selected: set.map((item, place) => ({
        index: items.order[kept[item]],
        id: items.ids[kept[item]],
        rank: place + 1,
      })),
    })),
    items: inRequestOrder(
      items.order.map((index, position) => {
        const item = itemOf.get(position);
        const marginal = item === undefined ? null : (drawn.marginals?.[item] ?? null);
        return { index, id: items.ids[position], relevance: relevance[position], marginal };
      }),
    ),
    ...shared(prepared, drawn, engine.matrix),
  };
}

function inRequestOrder<T extends ItemName>(answers: readonly T[]): T[] {
  return answers.toSorted((a, b) => a.index - b.index);
}

async function selectAmong(
  { key, settings, resolved, selectable }: PreparedSelection,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Selection> {
  const { options } = resolved;
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
  { items, resolved, encoder, relevanceEncoder, query, settings, kept, known, warnings }: PreparedSelection,
  facts: KernelFacts,
  matrix: string,
): SelectionsShared {
  const relevanceFacts = {
    gate: resolved.gate,
    surroundings: settings.share,
    facets: query.facets.map(({ text }) => text),
    encoder: query.text === null ? null : (relevanceEncoder?.profile.id ?? null),
  };
  return {
    ...optionsAnswer(resolved, resolved.options, facts, relevanceFacts),
    ...factsAnswer(facts),
    gate: { kept: kept.length + known.size, dropped: items.order.length - kept.length - known.size },
    engine: { encoder: encoder?.profile.id ?? null, matrix },
    warnings,
  };
}
