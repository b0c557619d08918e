/** The coverage term of the objective: monotone and submodular. */
export interface CoverageTerm {
  /** What item i would add now. */
  gain(i: number): number;
  add(i: number): void;
  copy(): CoverageTerm;
}

export interface ExactMapInput {
  /** K, row-major n x n, positive semi-definite up to rounding. */
  readonly kernel: Float64Array;
  /** log q_i, for L = diag(q) K diag(q). */
  readonly logQuality: Float64Array;
  /** Null for log det alone. */
  readonly coverage: CoverageTerm | null;
  readonly coverageWeight: number;
  /** A set to start from; its size is the size searched. */
  readonly incumbent: readonly number[];
  /** Sets looked into at most. */
  readonly mostNodes: number;
  /** Called now and then; true ends the search. */
  readonly isOver: () => boolean;
}

export interface ExactMap {
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

/**
 * The set of k items with the largest log det(L_S) + mu cov(S), by branch and bound (Ko, Lee & Queyranne 1995 for log det).
 *
 * Both terms are submodular on a positive semi-definite kernel, so that a set that contains A is worth at most f(A) plus the
 * k - |A| largest gains given A; without cov this is Hadamard's inequality on the Schur complement of A. Items are branched on
 * in falling order of gain, and depth first, so that memory is O(k n).
 */
export function exactMap(input: ExactMapInput): ExactMap {
  const { kernel, logQuality, coverage, coverageWeight, incumbent, mostNodes, isOver } = input;
  const n = logQuality.length;
  const k = incumbent.length;
  const levels = Array.from({ length: k + 1 }, () => newLevel(n, k));
  for (let i = 0; i < n; i++) levels[0].residuals[i] = kernel[i * n + i];
  const floors = levels[0].residuals.map((value) => Math.max(n, 4) * Number.EPSILON * Math.abs(value));

  let best = [...incumbent];
  let bestValue = worthOf(incumbent);
  let nodes = 0;
  let isSpent = false;
  let openBound = Number.NEGATIVE_INFINITY; // of what the budget left unseen
  search(
    [],
    Int32Array.from({ length: n }, (_, i) => i),
    0,
    coverage,
  );
  return {
    items: best.sort((a, b) => a - b),
    value: bestValue,
    proven: !isSpent,
    gap: isSpent ? Math.max(0, openBound - bestValue) : 0,
    nodes,
  };

  /** Looks into all sets of `chosen` and some of `items`; `value` is that of `chosen`. */
  function search(chosen: readonly number[], items: Int32Array, value: number, cover: CoverageTerm | null): void {
    const depth = chosen.length;
    const missing = k - depth;
    if (missing === 0) return;
    const { gains } = levels[depth];
    for (const i of items) gains[i] = gainOf(depth, cover, i);
    const ranked = items
      .filter((i) => gains[i] > Number.NEGATIVE_INFINITY)
      .sort((a, b) => gains[b] - gains[a] || a - b);
    if (missing === 1) {
      if (ranked.length > 0) offer([...chosen, ranked[0]], value + gains[ranked[0]]);
      return;
    }
    for (let place = 0; place + missing <= ranked.length; place++) {
      let bound = value;
      for (let t = place; t < place + missing; t++) bound += gains[ranked[t]];
      if (!isBetter(bound)) return; // and so are all that follow
      isSpent ||= nodes >= mostNodes || (nodes % 256 === 255 && isOver());
      if (isSpent) {
        openBound = Math.max(openBound, bound);
        return;
      }
      nodes++;
      const item = ranked[place];
      const rest = ranked.subarray(place + 1);
      condition(item, rest, depth);
      const after = cover?.copy() ?? null;
      after?.add(item);
      search([...chosen, item], rest, value + gains[item], after);
    }
  }

  function gainOf(depth: number, cover: CoverageTerm | null, i: number): number {
    const residual = levels[depth].residuals[i];
    if (!(residual > floors[i])) return Number.NEGATIVE_INFINITY;
    return Math.log(residual) + 2 * logQuality[i] + (cover === null ? 0 : coverageWeight * cover.gain(i));
  }

  /** The level below: what holds of `rest` given `item` too. */
  function condition(item: number, rest: Iterable<number>, depth: number): void {
    const { residuals, coordinates } = levels[depth];
    const next = levels[depth + 1];
    const scale = 1 / Math.sqrt(residuals[item]);
    const own = item * k;
    for (const i of rest) {
      const at = i * k;
      let value = kernel[item * n + i];
      for (let t = 0; t < depth; t++) {
        value -= coordinates[own + t] * coordinates[at + t];
        next.coordinates[at + t] = coordinates[at + t];
      }
      const coordinate = value * scale;
      next.coordinates[at + depth] = coordinate;
      next.residuals[i] = residuals[i] - coordinate * coordinate;
    }
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

  function worthOf(items: readonly number[]): number {
    const cover = coverage?.copy() ?? null;
    let value = 0;
    items.forEach((item, depth) => {
      value += gainOf(depth, cover, item);
      condition(item, items.slice(depth + 1), depth);
      cover?.add(item);
    });
    return value;
  }
}

/** What holds of every item given the items chosen so far. */
interface Level {
  readonly residuals: Float64Array;
  readonly gains: Float64Array;
  /** Along the chosen items; item-major, n x k. */
  readonly coordinates: Float64Array;
}

function newLevel(n: number, k: number): Level {
  return { residuals: new Float64Array(n), gains: new Float64Array(n), coordinates: new Float64Array(n * k) };
}
