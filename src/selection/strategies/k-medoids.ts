import type { Reference } from '../kernel/reference.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

/** Rounds of exchanges at most; each lowers the cost, and few are needed after a greedy start. */
const MAX_SWAPS = 200;
/** What an exchange has to be worth. */
const WORTH = 1e-9;

export const kMedoids: Strategy = {
  title: 'One for each group',
  line: 'Groups similar key points and selects the middle one of each group.',
  group: 'different',
  chooses: 'the points to which all are nearest',
  objective: 'The k points to which all points are nearest, the sum of 1 - S to the nearest: one for each cluster.',
  cost: 'O(n k m) to start, O(n m) an exchange',
  source: 'Kaufman & Rousseeuw 1990 (PAM); exchanges: Schubert & Rousseeuw 2021 (FastPAM1)',
  sizes: ANY_SIZE,
  isSequential: false,
  isSampled: false,
  needs: { reference: true },
  async select({ kernel: { n }, reference, limit, fits }) {
    const table = reference();
    const start = build(table, Math.min(limit, n), fits);
    let medoids = swap(table, start.items);
    let { stoppedBy } = start;
    // Exchanges change how many words the set has.
    while (medoids.length > 1 && !fits(medoids[medoids.length - 1], medoids.slice(0, -1))) {
      medoids = swap(table, medoids.slice(0, -1));
      stoppedBy = 'words';
    }
    return { items: medoids, stoppedBy };
  },
};

type Fits = (item: number, picked: readonly number[]) => boolean;

/** One medoid after the other, each the point that lowers the cost most; the lower index on a tie. */
function build(
  { n, indices, similarities }: Reference,
  limit: number,
  fits: Fits,
): { items: number[]; stoppedBy: 'size' | 'words' | 'exhausted' } {
  const m = indices.length;
  const nearest = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
  const items: number[] = [];
  while (items.length < limit) {
    const saved = new Float64Array(n);
    for (let r = 0; r < m; r++) {
      // The first medoid is the point with the least cost: what it saves is measured from the furthest there can be.
      const before = Math.min(nearest[r], 2);
      for (let i = 0; i < n; i++) saved[i] += Math.max(0, before - 1 + similarities[r * n + i]);
    }
    for (const i of items) saved[i] = Number.NEGATIVE_INFINITY;
    let item = 0;
    for (let i = 1; i < n; i++) if (saved[i] > saved[item] + WORTH) item = i;
    if (!fits(item, items)) return { items, stoppedBy: 'words' };
    items.push(item);
    for (let r = 0; r < m; r++) nearest[r] = Math.min(nearest[r], 1 - similarities[r * n + item]);
  }
  return { items, stoppedBy: items.length === n ? 'exhausted' : 'size' };
}

/** Exchanges a medoid for another point while that lowers the cost, the best exchange first. */
function swap({ n, indices, similarities }: Reference, start: readonly number[]): number[] {
  const medoids = [...start];
  const m = indices.length;
  const k = medoids.length;
  for (let round = 0; round < MAX_SWAPS; round++) {
    const isMedoid = new Uint8Array(n);
    for (const i of medoids) isMedoid[i] = 1;
    const change = new Float64Array(n * k); // of the cost, when the point comes and the medoid goes
    const shared = new Float64Array(n); // what the point saves whichever medoid goes
    const loss = new Float64Array(k); // what the medoid's going costs
    for (let r = 0; r < m; r++) {
      const { place, first, second } = twoNearest(similarities, r * n, medoids);
      loss[place] += second - first;
      for (let i = 0; i < n; i++) {
        const distance = 1 - similarities[r * n + i];
        if (distance < first) {
          shared[i] += distance - first;
          change[i * k + place] += first - second;
        } else if (distance < second) change[i * k + place] += distance - second;
      }
    }
    let best = -1;
    let most = -WORTH;
    for (let i = 0; i < n; i++) {
      if (isMedoid[i]) continue;
      for (let p = 0; p < k; p++) {
        const total = change[i * k + p] + shared[i] + loss[p];
        if (total < most) {
          most = total;
          best = i * k + p;
        }
      }
    }
    if (best < 0) break;
    medoids[best % k] = Math.floor(best / k);
  }
  return medoids;
}

/** Distances of a reference to its two nearest medoids (2, the furthest, where there is no second), and which is nearest. */
function twoNearest(
  similarities: Float32Array,
  row: number,
  medoids: readonly number[],
): { place: number; first: number; second: number } {
  let place = 0;
  let first = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  medoids.forEach((medoid, p) => {
    const distance = 1 - similarities[row + medoid];
    if (distance < first) [place, first, second] = [p, distance, first];
    else if (distance < second) second = distance;
  });
  return { place, first, second: Math.min(second, 2) };
}
