import { addTo, dot, subtract, unit } from './vectors.ts';

/** Distances at which coherence is measured; at 1, two sentences of one statement would count. */
const LAGS = [2, 3, 4];
/** Coherence that documents of unrelated statements reach by chance, and the noise of a single pair. */
const CHANCE = { level: 0.02, perPair: 0.2 };
const FULL = 0.03;
/** Points at which it is measured at most: the first, which are of documents in no order of their own. */
export const MEASURED = 10_000;

/**
 * How much more alike nearby points are than any two, in [0, 1]: 1 in meetings and reports, 0 in short or mixed documents.
 *
 * @param vectors sentence vectors in reading order, document after document
 */
export function coherence(vectors: readonly Float32Array[], documents: ArrayLike<number>): number {
  const n = Math.min(vectors.length, MEASURED);
  if (n < 2) return 0;
  const dimensions = vectors[0].length;
  const mean = new Float64Array(dimensions);
  for (let i = 0; i < n; i++) addTo(mean, vectors[i], 1 / n);

  const apart = Array.from({ length: 1 + Math.max(...LAGS) }, () => new Float32Array(dimensions));
  const total = new Float64Array(dimensions);
  const byLag: number[][] = LAGS.map(() => []);
  for (let i = 0; i < n; i++) {
    const own = unit(subtract(apart[i % apart.length], vectors[i], mean));
    addTo(total, own);
    LAGS.forEach((lag, l) => {
      const before = i - lag;
      if (before < 0 || documents[before] !== documents[i]) return;
      byLag[l].push(dot(apart[before % apart.length], own));
    });
  }
  const pairs = byLag.flat();
  if (pairs.length === 0) return 0;
  const any = (total.reduce((sum, t) => sum + t * t, 0) - n) / (n * (n - 1));
  const near = pairs.reduce((sum, each) => sum + each) / pairs.length;
  const above = near - any - CHANCE.level - CHANCE.perPair / Math.sqrt(pairs.length);
  return Math.min(1, Math.max(0, above / FULL));
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

function* stretches(documents: ArrayLike<number>): Generator<Stretch> {
  for (let from = 0; from < documents.length; ) {
    let to = from + 1;
    while (to < documents.length && documents[to] === documents[from]) to++;
    yield { from, to };
    from = to;
  }
}

/** Sums over the neighbours in one document and the point itself, weighted by exp(-distance / reach). */
export function spread(rows: readonly Float32Array[], reach: number): Float32Array[] {
  const decay = Math.exp(-1 / reach);
  const out = rows.map((row) => row.slice());
  const carry = new Float32Array(rows[0]?.length ?? 0);
  for (let i = 0; i < rows.length; i++) filter(rows[i], out[i], carry, decay);
  carry.fill(0);
  for (let i = rows.length - 1; i >= 0; i--) filter(rows[i], out[i], carry, decay);
  return out;
}

function filter(row: Float32Array, sum: Float32Array, carry: Float32Array, decay: number): void {
  for (let c = 0; c < row.length; c++) {
    carry[c] *= decay;
    sum[c] += carry[c];
    carry[c] += row[c];
  }
}

/** Points over which a neighbour's weight falls to 1/e: of vectors, and of words, which are sparser. */
const REACH = { vectors: 4, words: 8 };

/**
 * Unit vectors of points' surroundings, themselves included.
 *
 * @param vectors of all points in reading order
 * @param wanted ascending; all by default
 */
export function contextVectors(
  vectors: readonly Float32Array[],
  documents: ArrayLike<number>,
  wanted: readonly number[] = [...vectors.keys()],
): Float32Array[] {
  const found: Float32Array[] = [];
  let next = 0;
  for (const { from, to } of stretches(documents)) {
    if (next === wanted.length) break;
    if (wanted[next] >= to) continue;
    const own = spread(vectors.slice(from, to), REACH.vectors).map(unit);
    for (; wanted[next] < to; next++) found.push(own[wanted[next] - from]);
  }
  return found;
}

const HALF = 2;

/** @param flags 1 for texts that hold a term, else 0 */
export function inverseFrequency(flags: Uint8Array): number {
  return Math.log((flags.length + 1) / (flags.reduce((sum, flag) => sum + flag, 0) + 1));
}

/** sum_g idf(g) tf(g) / (tf(g) + 2) / sum_g idf(g), tf the occurrences of term g around a point; in [0, 1). */
export function termsAround(occurs: readonly Uint8Array[], n: number, documents: ArrayLike<number>): Float64Array {
  const weights = occurs.map(inverseFrequency);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const out = new Float64Array(n);
  if (total === 0) return out;
  for (const { from, to } of stretches(documents)) {
    if (!occurs.some((flags) => flags.subarray(from, to).includes(1))) continue;
    const rows = Array.from({ length: to - from }, (_, i) => Float32Array.from(occurs, (flags) => flags[from + i]));
    spread(rows, REACH.words).forEach((row, i) => {
      let sum = 0;
      for (let g = 0; g < row.length; g++) sum += (weights[g] * row[g]) / (row[g] + HALF);
      out[from + i] = sum / total;
    });
  }
  return out;
}

export interface Setting {
  readonly text: string;
  readonly vector: Float32Array;
}

/** Unit vectors of points p together with their settings u, (p + u) / |p + u|. */
export interface PlacedPoints {
  /** Squared length of each: 1, except for texts without tokens. */
  readonly squares: Float64Array;
  dots(query: Float32Array): Float64Array;
  sum(weights: ArrayLike<number>): Float32Array;
  /** Lengths of the sums over the surroundings of each, as of `contextVectors`. */
  norms(): Float64Array;
}

/** The vectors are never materialised. Settings are shared, so terms linear in u are computed once per setting. */
export function placedPoints(
  vectors: readonly Float32Array[],
  under: readonly (Setting | null)[],
  documents: Int32Array,
): PlacedPoints & { readonly scales: Float64Array } {
  const n = vectors.length;
  const settings = [...new Set(under)].filter((setting) => setting !== null);
  const numbers = new Map(settings.map((setting, s) => [setting, s]));
  const numberOf = under.map((setting) => (setting === null ? -1 : (numbers.get(setting) ?? -1)));
  const lengths = settings.map(({ vector }) => dot(vector, vector));
  const scales = Float64Array.from(vectors, (vector, i) => {
    const setting = under[i];
    if (setting === null) return 1;
    const sum = dot(vector, vector) + 2 * dot(vector, setting.vector) + lengths[numberOf[i]];
    return sum > 0 ? 1 / Math.sqrt(sum) : 0;
  });

  return {
    scales,
    squares: scales.map((scale, i) => (under[i] === null ? dot(vectors[i], vectors[i]) : Number(scale > 0))),
    dots(query: Float32Array): Float64Array {
      const common = settings.map(({ vector }) => dot(vector, query));
      return Float64Array.from(vectors, (vector, i) => scales[i] * (dot(vector, query) + (common[numberOf[i]] ?? 0)));
    },
    sum(weights: ArrayLike<number>): Float32Array {
      const ofSetting = new Float64Array(settings.length);
      const total = new Float64Array(vectors[0]?.length ?? 0);
      for (let i = 0; i < n; i++) {
        const weight = scales[i] * weights[i];
        if (weight === 0) continue;
        addTo(total, vectors[i], weight);
        if (numberOf[i] >= 0) ofSetting[numberOf[i]] += weight;
      }
      settings.forEach(({ vector }, s) => {
        if (ofSetting[s] !== 0) addTo(total, vector, ofSetting[s]);
      });
      return Float32Array.from(total);
    },
    norms() {
      const norms = new Float64Array(n);
      for (const { from, to } of stretches(documents)) {
        const rows = vectors.slice(from, to).map((vector, at) => placed(vector, under[from + at], scales[from + at]));
        norms.set(
          spread(rows, REACH.vectors).map((sum) => Math.sqrt(dot(sum, sum))),
          from,
        );
      }
      return norms;
    },
  };
}

function placed(vector: Float32Array, setting: Setting | null, scale: number): Float32Array {
  return setting === null ? vector : vector.map((value, c) => scale * (value + setting.vector[c]));
}

/** Sums of values over the surroundings of each point. */
export function surroundingSums(values: Float64Array, documents: ArrayLike<number>): Float64Array {
  const decay = Math.exp(-1 / REACH.vectors);
  const out = values.slice();
  const carry = { value: 0 };
  const pass = (i: number): void => {
    out[i] += decay * carry.value;
    carry.value = decay * carry.value + values[i];
  };
  for (const { from, to } of stretches(documents)) {
    carry.value = 0;
    for (let i = from; i < to; i++) pass(i);
    carry.value = 0;
    for (let i = to - 1; i >= from; i--) pass(i);
  }
  return out;
}
