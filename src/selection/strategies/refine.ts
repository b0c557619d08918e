import type { Objective } from './objective.ts';

/** Most passes over the picks: each is a full look at every item for every place. */
const PASSES = 3;
/** An exchange has to be worth more than rounding. */
const WORTH = 1e-9;

/**
 * Exchanges single picks for better ones until none is left or PASSES are over: a place goes to the item with the largest
 * gain given the other picks. The objective never falls, which greedy alone does not promise to have exhausted.
 *
 * @param newObjective an objective with nothing picked
 * @param mayStand whether an item may be picked beside the others
 * @returns the picks in their places
 */
export async function exchange(
  picks: readonly number[],
  newObjective: () => Objective,
  mayStand: (i: number, others: readonly number[]) => boolean = () => true,
): Promise<number[]> {
  const current = [...picks];
  for (let pass = 0; pass < PASSES; pass++) {
    let moved = false;
    for (let place = 0; place < current.length; place++) {
      const rest = current.filter((_, other) => other !== place);
      const others = await picked(rest, newObjective);
      let best = current[place];
      let most = others.gain(best) + WORTH;
      for (let i = 0; i < others.n; i++) {
        const gain = others.gain(i);
        if (gain > most && mayStand(i, rest)) {
          most = gain;
          best = i;
        }
      }
      others.release();
      if (best !== current[place]) moved = true;
      current[place] = best;
    }
    if (!moved) break;
  }
  return current;
}

/** What bounds a selection by words. */
export interface Room {
  /** Of each item. */
  readonly words: Int32Array;
  /** Whether an item has room beside the others. */
  readonly fits: (i: number, others: readonly number[]) => boolean;
  /** Most items. */
  readonly limit: number;
}

/**
 * Gives the room of long picks to several shorter ones while that raises the objective: takes one pick out, or all of them,
 * fills what is free by gain per word (Lin & Bilmes, NAACL 2010), and keeps the better set.
 *
 * @param newObjective an objective with nothing picked
 * @returns the picks; where they changed, in the order in which greedy would pick them
 */
export async function shareRoom(
  picks: readonly number[],
  newObjective: () => Objective,
  room: Room,
): Promise<readonly number[]> {
  let current = picks;
  const start = await picked(current, newObjective);
  let { value } = start;
  start.release();
  for (let pass = 0; pass < PASSES; pass++) {
    const before = current;
    for (const out of [...before, null]) {
      const kept = out === null ? [] : current.filter((item) => item !== out);
      const target = await picked(kept, newObjective);
      const filled = await fill(kept, target, room, out);
      const reached = target.value;
      target.release();
      if (reached <= value + WORTH) continue;
      current = filled;
      value = reached;
    }
    if (current === before) break;
  }
  return current === picks ? picks : inGreedyOrder(current, newObjective());
}

async function picked(items: readonly number[], newObjective: () => Objective): Promise<Objective> {
  const target = newObjective();
  for (const item of items) await target.pick(item);
  return target;
}

/** Adds to the picks by gain per word, but not `out`, while something has room and adds anything. */
async function fill(
  picks: readonly number[],
  target: Objective,
  { words, fits, limit }: Room,
  out: number | null,
): Promise<number[]> {
  const current = [...picks];
  while (current.length < limit) {
    let best: number | null = null;
    let most = 0;
    for (let i = 0; i < target.n; i++) {
      const score = i === out ? 0 : target.gain(i) / Math.max(1, words[i]);
      if (score > most && fits(i, current)) {
        most = score;
        best = i;
      }
    }
    if (best === null) break;
    current.push(best);
    await target.pick(best);
  }
  return current;
}

async function inGreedyOrder(items: readonly number[], target: Objective): Promise<number[]> {
  const left = new Set([...items].sort((a, b) => a - b));
  const ordered: number[] = [];
  while (left.size > 0) {
    const [next] = [...left].sort((a, b) => target.gain(b) - target.gain(a));
    ordered.push(next);
    left.delete(next);
    await target.pick(next);
  }
  target.release();
  return ordered;
}

/** Points that say the same, around one pick. */
interface Group {
  readonly pick: number;
  /** The pick among them. */
  readonly members: readonly number[];
}

/** Fewer say too little of what they have in common. */
const MIN_MEMBERS = 3;

/**
 * Gives the place of a pick to the member of its group that says best what the others say: the largest sum of centred
 * similarity to members from other documents, times the point's own quality factor. The pick keeps its place on a tie.
 *
 * @param rows centred similarity with all points, of the members that may take the place
 * @param documents document number of each point
 * @param factors quality of each point but for its relevance
 */
export function recentre(
  { pick, members }: Group,
  rows: ReadonlyMap<number, ArrayLike<number>>,
  documents: Int32Array,
  factors: Float64Array,
): number {
  if (members.length < MIN_MEMBERS) return pick;
  const score = (i: number, row: ArrayLike<number>): number => {
    let sum = 0;
    for (const j of members) if (documents[j] !== documents[i]) sum += row[j];
    return sum * factors[i];
  };
  let best = pick;
  let most = Number.NEGATIVE_INFINITY;
  // The pick first, so that it keeps its place on a tie.
  for (const [i, row] of [...rows].sort(([a], [b]) => Number(b === pick) - Number(a === pick))) {
    const value = score(i, row);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}
