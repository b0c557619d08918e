import { CENTRING_LEAST } from '../kernel/agreement.ts';
import type { Objective } from './objective.ts';
import { exchange, type Room, recentre, shareRoom } from './refine.ts';

interface ImproveInput {
  readonly newObjective: () => Objective;
  /** Agreement of a point with all. */
  readonly agreementWith: (i: number) => Promise<Float32Array>;
  /** Centred similarity of a point with these; 0 elsewhere. */
  readonly similarityWith: (i: number, others: readonly number[]) => Promise<Float32Array>;
  /** Whether that row is there already; of points where it is not, only the picks are looked at. */
  readonly isAtHand: (i: number) => boolean;
  /** Whether a point may be picked beside the others. */
  readonly mayStand: (i: number, others: readonly number[]) => boolean;
  /** Words of each point and most points, where words are what bounds the selection; null elsewhere. */
  readonly room: Pick<Room, 'words' | 'limit'> | null;
  readonly documents: Int32Array;
  readonly factors: Float64Array;
  /** Agreement from which a point belongs to a pick; null: none does. */
  readonly threshold: number | null;
}

const ROUNDS = 2;

/**
 * Betters what greedy picked: exchanges single picks while the objective rises, shares the room of long ones where words
 * bound the selection, then gives every place to the point that says best what the points around it say. Rank order stays.
 */
export async function improve(picks: readonly number[], input: ImproveInput): Promise<readonly number[]> {
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
        if (i === group.pick || (input.isAtHand(i) && mayStand(i, [])))
          rows.set(i, await input.similarityWith(i, group.members));
      }
      moved.push(recentre(group, rows, documents, input.factors));
    }
    if (!(await isIndependent(moved, input.newObjective()))) break;
    current = moved;
  }
  return current;
}

/** Each pick with the points that agree with it most and enough. */
async function groupsOf(
  picks: readonly number[],
  agreementWith: ImproveInput['agreementWith'],
  threshold: number,
): Promise<{ pick: number; members: number[] }[]> {
  const rows = await Promise.all(picks.map(agreementWith));
  const groups = picks.map((pick) => ({ pick, members: [pick] }));
  const n = rows[0]?.length ?? 0;
  for (let j = 0; j < n; j++) {
    if (picks.includes(j)) continue;
    let best = 0;
    for (let p = 1; p < picks.length; p++) if (rows[p][j] > rows[best][j]) best = p;
    if (rows[best][j] >= threshold) groups[best].members.push(j);
  }
  return groups;
}

/** Whether no pick numerically depends on those before it. */
async function isIndependent(picks: readonly number[], target: Objective): Promise<boolean> {
  for (const item of picks) await target.pick(item); // one that depends on others makes the value -Infinity for good
  const { value } = target;
  target.release();
  return value > Number.NEGATIVE_INFINITY;
}
