/** Maximum number of points of a theme, for a readable paragraph. */
const LARGEST_THEME = 5;
/** Minimum similarity of two groups that share a theme, in standard deviations of the pairs above the mean. */
const CUT_ABOVE_MEAN = 0.5;
const NO_SPREAD = 1e-6;

/**
 * Groups points by agglomerative clustering with average linkage (Sokal & Michener 1958): merges the closest groups
 * until none are closer than half a standard deviation above the mean pair. A theme holds at most 5 points, more only
 * if `linked` pairs require it. Points without a similar one come last, in groups of at most 5, so that each does not
 * become a paragraph. Ties go to the lower index.
 * @param similarity n * n values, row-major.
 * @param linked Pairs that must share a theme whatever their similarity.
 */
export function themes(
  similarity: Float32Array | Float64Array,
  n: number,
  linked: readonly (readonly [number, number])[] = [],
): number[][] {
  const between = Float64Array.from(similarity);
  const pairs = between.filter((_, cell) => cell % (n + 1) !== 0);
  const count = Math.max(1, pairs.length);
  const mean = pairs.reduce((sum, value) => sum + value, 0) / count;
  const squares = pairs.reduce((sum, value) => sum + value * value, 0) / count;
  const deviation = Math.sqrt(Math.max(0, squares - mean * mean));
  const cut = deviation < NO_SPREAD ? mean - NO_SPREAD : mean + CUT_ABOVE_MEAN * deviation;

  const groups: number[][] = Array.from({ length: n }, (_, index) => [index]);
  for (const pair of linked) {
    const [i, j] = pair.map((point) => groups.findIndex((group) => group.includes(point))).sort((a, b) => a - b);
    if (i !== j) merge(groups, between, i, j);
  }
  mergeClosest(groups, between, cut);

  const found = groups.flatMap((group, row) => (group.length > 1 ? [{ group: [...group], row }] : []));
  const others: number[] = [];
  for (const [point, group] of groups.entries()) {
    if (group.length !== 1) continue;
    const closeness = (theme: { row: number }) => between[point * n + theme.row];
    const [home] = found
      .filter((theme) => theme.group.length < LARGEST_THEME)
      .sort((a, b) => closeness(b) - closeness(a));
    if (home !== undefined && closeness(home) >= mean) home.group.push(point);
    else others.push(point);
  }
  return [...found.map(({ group }) => group.sort((a, b) => a - b)), ...evenChunks(others)];
}

function mergeClosest(groups: number[][], between: Float64Array, cut: number): void {
  const n = groups.length;
  const nearestOf = (i: number): number => {
    let nearest = -1;
    for (let j = i + 1; j < n; j++) {
      const size = groups[i].length + groups[j].length;
      const isOpen = groups[i].length > 0 && groups[j].length > 0 && size <= LARGEST_THEME;
      if (isOpen && (nearest < 0 || between[i * n + j] > between[i * n + nearest])) nearest = j;
    }
    return nearest;
  };
  const nearest = Int32Array.from(groups.keys(), nearestOf);
  for (;;) {
    let best = -1;
    for (let i = 0; i < n; i++) {
      if (nearest[i] < 0) continue;
      if (best < 0 || between[i * n + nearest[i]] > between[best * n + nearest[best]]) best = i;
    }
    const other = nearest[best];
    if (best < 0 || between[best * n + other] < cut) return;
    merge(groups, between, best, other);
    // Average linkage is reducible: a merged group is no closer to another than the closer of its parts was.
    const isStale = (i: number): boolean => [i, nearest[i]].some((each) => each === best || each === other);
    for (let i = 0; i < n; i++) if (isStale(i)) nearest[i] = nearestOf(i);
  }
}

/** Moves the points of group `j` to group `i`. */
function merge(groups: number[][], between: Float64Array, i: number, j: number): void {
  const n = groups.length;
  const [a, b] = [groups[i].length, groups[j].length];
  for (let k = 0; k < n; k++) {
    const value = (a * between[i * n + k] + b * between[j * n + k]) / (a + b);
    between[i * n + k] = value;
    between[k * n + i] = value;
  }
  groups[i] = [...groups[i], ...groups[j]].sort((x, y) => x - y);
  groups[j] = [];
}

function evenChunks(indices: readonly number[]): number[][] {
  const chunks = Math.ceil(indices.length / LARGEST_THEME);
  return Array.from({ length: chunks }, (_, chunk) =>
    indices.slice((chunk * indices.length) / chunks, ((chunk + 1) * indices.length) / chunks),
  );
}
