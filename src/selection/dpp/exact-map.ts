/** What the objective adds to log det: monotone and submodular. */
export interface MonotoneTerm {
  /** What item i would add now. */
  gain(i: number): number;
  add(i: number): void;
  copy(): MonotoneTerm;
}

export interface ExactMapInput {
  /** K, row-major n x n, positive semi-definite up to rounding. */
  readonly kernel: Float64Array;
  /** log q_i, for L = diag(q) K diag(q). */
  readonly logQuality: Float64Array;
  /** Residuals up to which an item depends on others; max(n, 4) eps K_ii where absent. */
  readonly floors?: Float64Array;
  /** Null for log det alone. */
  readonly bonus: MonotoneTerm | null;
  /** A set to start from; its size is the size searched. */
  readonly incumbent: readonly number[];
  /** Sets looked into at most. */
  readonly maxNodes: number;
  /** Called now and then; true ends the search. */
  readonly isOver: () => boolean;
  /** A bound on every set of this size, known beforehand. */
  readonly bound?: number;
}

interface ExactMap {
  /** The best set found, ascending. */
  readonly items: readonly number[];
  readonly value: number;
  /** No set of this size has a larger value, up to rounding. */
  readonly proven: boolean;
  /** How much larger the value of another set can be at most; 0 with a proof. */
  readonly gap: number;
  readonly nodes: number;
}

/** Values closer than this, relative to 1 or the value, count as equal. */
const EQUAL = 1e-9;

/** Items in falling order of their gains, which stand beside them. */
interface Ranking {
  readonly ranked: Int32Array;
  readonly gains: Float64Array;
}

/** The sets that hold `chosen`, and k - |chosen| of the items of `ranked` from `place` on, by their gains given `chosen`. */
interface Node extends Ranking {
  readonly chosen: readonly number[];
  /** Of `chosen`. */
  readonly value: number;
  readonly place: number;
  /** No such set is worth more. */
  readonly bound: number;
}

/**
 * The set of k items with the largest log det(L_S) + mu cov(S), by branch and bound (Ko, Lee & Queyranne 1995 for log det).
 *
 * Both terms are submodular on a positive semi-definite kernel, so that a set that contains A is worth at most f(A) plus the
 * k - |A| largest gains given A; without cov this is Hadamard's inequality on the Schur complement of A. The most promising
 * sets are looked into first, so that the bound of what is left falls with every step.
 */
export function exactMap(input: ExactMapInput): ExactMap {
  const { kernel, logQuality, bonus, incumbent, maxNodes, isOver } = input;
  const n = logQuality.length;
  const k = incumbent.length;
  const diagonal = Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]);
  const floors = input.floors ?? diagonal.map((value) => Math.max(n, 4) * Number.EPSILON * Math.abs(value));

  let best = [...incumbent];
  let bestValue = objectiveOf(incumbent);
  let nodes = 0;
  const open = boundHeap();
  push(
    ranking(
      [],
      Int32Array.from({ length: n }, (_, i) => i),
    ),
    [],
    0,
    0,
    Number.POSITIVE_INFINITY,
  );
  let isSpent = false;
  for (;;) {
    const node = open.pop();
    if (node === undefined || !isBetter(node.bound)) break; // and so are all that are left
    isSpent = nodes >= maxNodes || (nodes % 64 === 63 && isOver());
    if (isSpent) {
      open.push(node);
      break;
    }
    nodes++;
    look(node);
  }
  const left = isSpent ? Math.min(open.pop()?.bound ?? bestValue, input.bound ?? Number.POSITIVE_INFINITY) : bestValue;
  const proven = !isSpent || !isBetter(left);
  return {
    items: best.sort((a, b) => a - b),
    value: bestValue,
    proven,
    gap: proven ? 0 : left - bestValue,
    nodes,
  };

  /** Parts a node in two: with the item at its place chosen, and without it. */
  function look({ chosen, value, ranked, gains, place, bound }: Node): void {
    push({ ranked, gains }, chosen, value, place + 1, bound);
    const within = [...chosen, ranked[place]];
    const ahead = value + gains[place];
    push(promising(ranking(within, ranked.subarray(place + 1)), k - within.length, ahead), within, ahead, 0, bound);
  }

  /** Without the items at the end that no better set holds: even with the largest gains beside theirs. */
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
    let bound = value;
    for (let t = place; t < place + missing; t++) bound += gains[t];
    if (missing === 1) offer([...chosen, ranked[place]], bound);
    else if (isBetter(bound)) {
      open.push({ chosen, value, ranked, gains, place, bound: Math.min(bound, parentBound) });
    }
  }

  /** The independent ones of some items by falling gain given the chosen ones. */
  function ranking(chosen: readonly number[], items: Int32Array): Ranking {
    const gains = gainsGiven(chosen, items);
    const places = Array.from(items.keys()).filter((t) => gains[t] > Number.NEGATIVE_INFINITY);
    places.sort((a, b) => gains[b] - gains[a] || items[a] - items[b]);
    return { ranked: Int32Array.from(places, (t) => items[t]), gains: Float64Array.from(places, (t) => gains[t]) };
  }

  /** What each of some items adds to the chosen ones: by the Cholesky decomposition of the chosen, item by item. */
  function gainsGiven(chosen: readonly number[], items: Int32Array): Float64Array {
    const depth = chosen.length;
    const added = bonus?.copy() ?? null;
    for (const item of chosen) added?.add(item);
    const factor = new Float64Array(depth * depth);
    chosen.forEach((item, a) => {
      const row = factor.subarray(a * depth, (a + 1) * depth);
      row[a] = Math.sqrt(project(item, chosen, a, factor, row));
    });
    const own = new Float64Array(depth);
    return Float64Array.from(items, (i) => {
      const residual = project(i, chosen, depth, factor, own);
      if (!(residual > floors[i])) return Number.NEGATIVE_INFINITY;
      return Math.log(residual) + 2 * logQuality[i] + (added === null ? 0 : added.gain(i));
    });
  }

  /** Writes the coordinates of an item along the first `count` chosen ones, whose factor is given; returns its residual. */
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

/** A binary heap of nodes, the largest bound first; of equal bounds the one that came first. */
function boundHeap(): { push(node: Node): void; pop(): Node | undefined } {
  const heap: { readonly node: Node; readonly order: number }[] = [];
  let count = 0;
  const isBefore = (a: number, b: number): boolean =>
    heap[a].node.bound > heap[b].node.bound ||
    (heap[a].node.bound === heap[b].node.bound && heap[a].order < heap[b].order);
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  return {
    push(node) {
      heap.push({ node, order: count++ });
      for (let at = heap.length - 1; at > 0 && isBefore(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
    },
    pop() {
      const [top] = heap;
      const last = heap.pop();
      if (top === undefined || last === undefined) return undefined;
      if (heap.length > 0) {
        heap[0] = last;
        for (let at = 0; ; ) {
          const [left, right] = [2 * at + 1, 2 * at + 2];
          let first = at;
          if (left < heap.length && isBefore(left, first)) first = left;
          if (right < heap.length && isBefore(right, first)) first = right;
          if (first === at) break;
          swap(at, first);
          at = first;
        }
      }
      return top.node;
    },
  };
}
