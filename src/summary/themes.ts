/** Maximum number of points of a theme, for a readable paragraph. */
const LARGEST_THEME = 5;
/** Minimum similarity of two groups that share a theme, in standard deviations of the pairs above the mean. */
const CUT_ABOVE_MEAN = 0.5;
const NO_SPREAD = 1e-6;

interface Themes {
  readonly themes: number[][];
  /** Points without a similar one, in groups of at most 5, so that each does not become a paragraph. */
  readonly others: number[][];
}

/**
 * Groups points by agglomerative clustering with average linkage (Sokal & Michener 1958): merges the closest groups
 * until none are closer than half a standard deviation above the mean pair. A theme holds at most 5 points, more only
 * if `linked` pairs require it. Ties go to the lower index.
 * @param similarity n * n values, row-major.
 * @param linked Pairs that must share a theme whatever their similarity.
 */
export function themes(
  similarity: Float32Array | Float64Array,
  n: number,
  linked: readonly (readonly [number, number])[] = [],
): Themes {
  const groups: (number[] | null)[] = Array.from({ length: n }, (_, index) => [index]);
  const between = Float64Array.from(similarity.subarray(0, n * n));
  const { mean, deviation } = pairStatistics(between, n);
  for (const [a, b] of linked) {
    const [i, j] = [groupOf(groups, a), groupOf(groups, b)];
    if (i !== j) merge(groups, between, n, Math.min(i, j), Math.max(i, j));
  }
  const cut = deviation < NO_SPREAD ? mean - NO_SPREAD : mean + CUT_ABOVE_MEAN * deviation;
  mergeClosest(groups, between, n, cut);
  return settle(groups, between, n, mean);
}

function mergeClosest(groups: (number[] | null)[], between: Float64Array, n: number, cut: number): void {
  const nearest = new Int32Array(n);
  for (let i = 0; i < n; i++) nearest[i] = nearestOf(groups, between, n, i);
  for (;;) {
    let best = -1;
    let closest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const j = nearest[i] as number;
      const value = j < 0 ? Number.NEGATIVE_INFINITY : (between[i * n + j] as number);
      if (value > closest) [best, closest] = [i, value];
    }
    if (best < 0 || closest < cut) return;
    const other = nearest[best] as number;
    merge(groups, between, n, best, other);
    for (let i = 0; i < n; i++) {
      // Average linkage is reducible: a merged group is no closer to another than the closer of its parts was.
      const stale = i === best || i === other || nearest[i] === best || nearest[i] === other;
      if (stale) nearest[i] = nearestOf(groups, between, n, i);
    }
  }
}

function nearestOf(groups: (number[] | null)[], between: Float64Array, n: number, i: number): number {
  const size = groups[i]?.length ?? LARGEST_THEME;
  let nearest = -1;
  let closest = Number.NEGATIVE_INFINITY;
  for (let j = i + 1; j < n; j++) {
    const group = groups[j];
    if (!group || size + group.length > LARGEST_THEME) continue;
    const value = between[i * n + j] as number;
    if (value > closest) [nearest, closest] = [j, value];
  }
  return nearest;
}

function merge(groups: (number[] | null)[], between: Float64Array, n: number, i: number, j: number): void {
  const [left, right] = [groups[i] ?? [], groups[j] ?? []];
  const [a, b] = [left.length, right.length];
  for (let k = 0; k < n; k++) {
    const value = (a * (between[i * n + k] as number) + b * (between[j * n + k] as number)) / (a + b);
    between[i * n + k] = value;
    between[k * n + i] = value;
  }
  groups[i] = [...left, ...right].sort((x, y) => x - y);
  groups[j] = null;
}

function settle(groups: readonly (number[] | null)[], between: Float64Array, n: number, mean: number): Themes {
  const found = groups.flatMap((group, row) => (group && group.length > 1 ? [{ group: [...group], row }] : []));
  const others: number[] = [];
  for (const [point, group] of groups.entries()) {
    if (group?.length !== 1) continue;
    const closeness = (theme: { row: number }) => between[point * n + theme.row] as number;
    const home = found
      .filter((theme) => theme.group.length < LARGEST_THEME)
      .reduce<{ group: number[]; row: number } | null>(
        (best, theme) => (best && closeness(best) >= closeness(theme) ? best : theme),
        null,
      );
    if (home && closeness(home) >= mean) home.group.push(point);
    else others.push(point);
  }
  return { themes: found.map(({ group }) => group.sort((a, b) => a - b)), others: evenChunks(others) };
}

function evenChunks(indices: readonly number[]): number[][] {
  const chunks = Math.ceil(indices.length / LARGEST_THEME);
  return Array.from({ length: chunks }, (_, chunk) =>
    indices.slice((chunk * indices.length) / chunks, ((chunk + 1) * indices.length) / chunks),
  );
}

function groupOf(groups: readonly (number[] | null)[], point: number): number {
  return groups.findIndex((group) => group?.includes(point));
}

function pairStatistics(values: Float64Array, n: number): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      const value = values[i * n + j] as number;
      sum += value;
      squares += value * value;
    }
  }
  const pairs = Math.max(1, n * (n - 1));
  const mean = sum / pairs;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / pairs - mean * mean)) };
}
