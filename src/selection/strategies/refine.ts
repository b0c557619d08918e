import { CENTRING_LEAST } from '../kernel/agreement.ts';
import { type Objective, picked, worthOf } from './objective.ts';

/** Max passes over the picks, each a full look at every item for every place. */
const PASSES = 3;
const WORTH = 1e-9;
const ROUNDS = 2;

interface RefineInput {
  readonly newObjective: () => Objective;
  readonly agreementWith: (i: number) => Promise<Float32Array>;
  /** Centred similarity of a point with all. */
  readonly similarityWith: (i: number) => Promise<Float32Array>;
  /** Whether that row has been computed; of other points, only the picks are considered. */
  readonly isAtHand: (i: number) => boolean;
  readonly mayStand: (i: number, others: readonly number[]) => boolean;
  readonly room: Pick<Room, 'words' | 'limit'> | null;
  readonly documents: Int32Array;
  readonly factors: Float64Array;
  readonly threshold: number | null;
}

/** Exchanges picks, shares the room of long ones if words bound the selection, then recentres each. Keeps the rank order. */
export async function improve(picks: readonly number[], input: RefineInput): Promise<readonly number[]> {
  const { room, mayStand, newObjective } = input;
  const exchanged = await exchange(picks, newObjective, mayStand);
  let current = room === null ? exchanged : await shareRoom(exchanged, newObjective, { ...room, fits: mayStand });
  const { threshold, documents } = input;
  if (threshold === null || documents.length < CENTRING_LEAST) return current;
  for (let round = 0; round < ROUNDS; round++) {
    const groups = await groupsOf(current, input.agreementWith, threshold);
    const moved: number[] = [];
    for (const group of groups) {
      const rows = new Map<number, Float32Array>();
      for (const i of group.members) {
        if (i === group.pick || (input.isAtHand(i) && mayStand(i, []))) rows.set(i, await input.similarityWith(i));
      }
      moved.push(recentre(group, rows, documents, input.factors));
    }
    if ((await worthOf(moved, newObjective)) === Number.NEGATIVE_INFINITY) break; // some depend on others
    current = moved;
  }
  return current;
}

/** Replaces each pick by the item with the largest gain given the others until nothing improves. The objective never falls. */
export async function exchange(
  picks: readonly number[],
  newObjective: () => Objective,
  mayStand: (i: number, others: readonly number[]) => boolean = () => true,
): Promise<number[]> {
  const current = [...picks];
  let moved = true;
  for (let pass = 0; pass < PASSES && moved; pass++) {
    moved = false;
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
      moved ||= best !== current[place];
      current[place] = best;
    }
  }
  return current;
}

interface Room {
  readonly words: Int32Array;
  readonly fits: (i: number, others: readonly number[]) => boolean;
  readonly limit: number;
}

/** Replaces long picks by shorter ones by gain per word (Lin & Bilmes, NAACL 2010), if that raises the objective. */
export async function shareRoom(
  picks: readonly number[],
  newObjective: () => Objective,
  room: Room,
): Promise<readonly number[]> {
  let current = picks;
  let value = await worthOf(current, newObjective);
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

/** Each pick with the other points that agree with it most and enough. */
async function groupsOf(picks: readonly number[], agreementWith: RefineInput['agreementWith'], threshold: number) {
  const rows = await Promise.all(picks.map(agreementWith));
  const groups = picks.map((pick) => ({ pick, members: [pick] }));
  for (let j = 0; j < (rows[0]?.length ?? 0); j++) {
    if (picks.includes(j)) continue;
    const best = rows.reduce((first, row, p) => (row[j] > rows[first][j] ? p : first), 0);
    if (rows[best][j] >= threshold) groups[best].members.push(j);
  }
  return groups;
}

const MIN_MEMBERS = 3;

/**
 * The member with the largest sum of centred similarity to members of other documents, times its quality factor; ties keep the pick.
 *
 * @param rows centred similarity with all points, of the members that may take the place
 * @param factors quality of each point except for its relevance
 */
export function recentre(
  { pick, members }: { readonly pick: number; readonly members: readonly number[] },
  rows: ReadonlyMap<number, ArrayLike<number>>,
  documents: Int32Array,
  factors: Float64Array,
): number {
  if (members.length < MIN_MEMBERS) return pick;
  const scoreOf = (i: number): number => {
    const row = rows.get(i);
    if (row === undefined) return Number.NEGATIVE_INFINITY;
    return factors[i] * members.reduce((sum, j) => sum + (documents[j] === documents[i] ? 0 : row[j]), 0);
  };
  return members.reduce((best, i) => (scoreOf(i) > scoreOf(best) ? i : best), pick);
}
