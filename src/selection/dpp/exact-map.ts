/** A monotone submodular term of the objective, as it grows item by item. */
export interface Bonus {
  readonly value: number;
  gain(i: number): number;
  add(i: number): void;
}

interface ExactMapInput {
  /** K, row-major n x n, positive semi-definite up to rounding. */
  readonly kernel: Float64Array;
  /** log q_i, for L = diag(q) K diag(q). */
  readonly logQuality: Float64Array;
  /** Residuals up to which an item counts as dependent; max(n, 4) eps K_ii by default. */
  readonly floors?: Float64Array | undefined;
  readonly newBonus: () => Pick<Bonus, 'gain' | 'add'> | null;
  readonly incumbent: readonly number[];
  readonly maxNodes: number;
  readonly isOver: () => boolean;
  readonly bound?: number | undefined;
}

interface ExactMap {
  readonly items: readonly number[];
  readonly value: number;
  readonly proven: boolean;
  /** Upper bound on how much better another set can be; 0 if proven. */
  readonly gap: number;
  readonly nodes: number;
}

/** Values closer than this, relative to 1 or the value, count as equal. */
const EQUAL = 1e-9;

interface Ranking {
  readonly ranked: Int32Array;
  readonly gains: Float64Array;
}

interface Node extends Ranking {
  readonly chosen: readonly number[];
  readonly value: number;
  readonly place: number;
  readonly bound: number;
}

/**
 * The k items with the largest log det(L_S) + bonus(S), by branch and bound (Ko, Lee & Queyranne 1995 for log det).
 *
 * Both terms are submodular, so a superset of A is worth at most f(A) plus the k - |A| largest gains given A; without bonus
 * this is Hadamard's inequality on the Schur complement of A. The most promising sets are expanded first.
 */
export function exactMap(input: ExactMapInput): ExactMap {
  const { kernel, logQuality, newBonus, incumbent, maxNodes, isOver } = input;
  const n = logQuality.length;
  const k = incumbent.length;
  const diagonal = Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]);
  const floors = input.floors ?? diagonal.map((value) => Math.max(n, 4) * Number.EPSILON * Math.abs(value));

  let best = [...incumbent];
  let bestValue = objectiveOf(incumbent);
  let nodes = 0;
  const open: Node[] = [];
  const everything = Int32Array.from({ length: n }, (_, i) => i);
  push(ranking([], everything), [], 0, 0, Number.POSITIVE_INFINITY);
  let bound = bestValue; // of everything that is left when the search ends
  let isSpent = false;
  for (;;) {
    const node = open.pop();
    if (node === undefined || !isBetter(node.bound)) break; // and so are the others
    isSpent = nodes >= maxNodes || (nodes % 64 === 63 && isOver());
    if (isSpent) {
      bound = Math.min(node.bound, input.bound ?? Number.POSITIVE_INFINITY);
      break;
    }
    nodes++;
    expand(node);
  }
  const proven = !isSpent || !isBetter(bound);
  return {
    items: best.sort((a, b) => a - b),
    value: bestValue,
    proven,
    gap: proven ? 0 : bound - bestValue,
    nodes,
  };

  function expand({ chosen, value, ranked, gains, place, bound }: Node): void {
    push({ ranked, gains }, chosen, value, place + 1, bound);
    const within = [...chosen, ranked[place]];
    const ahead = value + gains[place];
    push(promising(ranking(within, ranked.subarray(place + 1)), k - within.length, ahead), within, ahead, 0, bound);
  }

  function promising({ ranked, gains }: Ranking, missing: number, value: number): Ranking {
    let most = value;
    for (let t = 0; t < missing - 1 && t < gains.length; t++) most += gains[t];
    let count = ranked.length;
    while (count > 0 && !isBetter(most + gains[count - 1])) count--;
    return { ranked: ranked.slice(0, count), gains: gains.slice(0, count) };
  }

  function push(
    { ranked, gains }: Ranking,
    chosen: readonly number[],
    value: number,
    place: number,
    parentBound: number,
  ): void {
    const missing = k - chosen.length;
    if (missing === 0 || place + missing > ranked.length) return;
    let sum = value;
    for (let t = place; t < place + missing; t++) sum += gains[t];
    if (missing === 1) offer([...chosen, ranked[place]], sum);
    else if (isBetter(sum)) insert({ chosen, value, ranked, gains, place, bound: Math.min(sum, parentBound) });
  }

  function insert(node: Node): void {
    let low = 0;
    let high = open.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (open[middle].bound < node.bound) low = middle + 1;
      else high = middle;
    }
    open.splice(low, 0, node);
  }

  function ranking(chosen: readonly number[], items: Int32Array): Ranking {
    const gains = gainsGiven(chosen, items);
    const places = Array.from(items.keys()).filter((t) => gains[t] > Number.NEGATIVE_INFINITY);
    places.sort((a, b) => gains[b] - gains[a] || items[a] - items[b]);
    return { ranked: Int32Array.from(places, (t) => items[t]), gains: Float64Array.from(places, (t) => gains[t]) };
  }

  function gainsGiven(chosen: readonly number[], items: Int32Array): Float64Array {
    const depth = chosen.length;
    const bonus = newBonus();
    for (const item of chosen) bonus?.add(item);
    const factor = new Float64Array(depth * depth);
    chosen.forEach((item, a) => {
      const row = factor.subarray(a * depth, (a + 1) * depth);
      row[a] = Math.sqrt(project(item, chosen, a, factor, row));
    });
    const own = new Float64Array(depth);
    return Float64Array.from(items, (i) => {
      const residual = project(i, chosen, depth, factor, own);
      if (!(residual > floors[i])) return Number.NEGATIVE_INFINITY;
      return Math.log(residual) + 2 * logQuality[i] + (bonus === null ? 0 : bonus.gain(i));
    });
  }

  /** Writes an item's coordinates along the first `count` chosen ones; returns its residual. */
  function project(
    item: number,
    chosen: readonly number[],
    count: number,
    factor: Float64Array,
    coordinates: Float64Array,
  ): number {
    let residual = diagonal[item];
    for (let b = 0; b < count; b++) {
      const start = b * chosen.length;
      let value = kernel[chosen[b] * n + item];
      for (let t = 0; t < b; t++) value -= coordinates[t] * factor[start + t];
      coordinates[b] = value / factor[start + b];
      residual -= coordinates[b] * coordinates[b];
    }
    return residual;
  }

  function isBetter(value: number): boolean {
    if (bestValue === Number.NEGATIVE_INFINITY) return value > bestValue;
    return value > bestValue + EQUAL * Math.max(1, Math.abs(bestValue));
  }

  function offer(items: number[], value: number): void {
    if (!isBetter(value)) return;
    best = items;
    bestValue = value;
  }

  function objectiveOf(items: readonly number[]): number {
    return items.reduce((value, item, a) => value + gainsGiven(items.slice(0, a), Int32Array.of(item))[0], 0);
  }
}
