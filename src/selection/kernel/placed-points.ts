import { stretches, surroundingLengths, surroundingSums } from './surroundings.ts';
import { addTo, dot } from './vectors.ts';

/** What points stand under: texts, and their mean vector. */
export interface Setting {
  readonly text: string;
  readonly vector: Float32Array;
}

/** Points with what they stand under, of which each counts as much as the other: vectors that are never made. */
export interface PlacedPoints {
  /** Squared length of each: 1, but for texts without tokens. */
  readonly squares: Float64Array;
  /** Inner product of each with a vector. */
  dots(query: Float32Array): Float64Array;
  /** Their sum, each times its weight. */
  sum(weights: ArrayLike<number>): Float32Array;
  /**
   * What stands around each point in its document, itself included, as what turns inner products of the points into its cosines.
   */
  reach(documents: Int32Array): (dots: Float64Array) => Float64Array;
}

/**
 * (p + u) / |p + u|, for a point p and what it stands under u, which many have in common: whatever is linear in u is found once for all of
 * them.
 */
export function placedPoints({
  vectors,
  under,
}: {
  readonly vectors: readonly Float32Array[];
  readonly under: readonly (Setting | null)[];
}): PlacedPoints {
  const n = vectors.length;
  const width = vectors[0]?.length ?? 0;
  const lengths = new Map<Setting, number>();
  const scales = Float64Array.from(vectors, (vector, i) => {
    const setting = under[i];
    if (setting === null) return 1;
    const square = lengths.get(setting) ?? dot(setting.vector, setting.vector);
    lengths.set(setting, square);
    const sum = dot(vector, vector) + 2 * dot(vector, setting.vector) + square;
    return sum > 0 ? 1 / Math.sqrt(sum) : 0;
  });

  return {
    squares: scales.map((scale, i) => (under[i] === null ? dot(vectors[i], vectors[i]) : Number(scale > 0))),
    dots(query) {
      const ofSetting = new Map<Setting, number>();
      return Float64Array.from(vectors, (vector, i) => {
        const setting = under[i];
        if (setting === null) return dot(vector, query);
        const common = ofSetting.get(setting) ?? dot(setting.vector, query);
        ofSetting.set(setting, common);
        return scales[i] * (dot(vector, query) + common);
      });
    },
    sum(weights) {
      const ofSetting = new Map<Setting, number>();
      const total = new Float64Array(width);
      for (let i = 0; i < n; i++) {
        const weight = scales[i] * weights[i];
        if (weight === 0) continue;
        addTo(total, vectors[i], weight);
        const setting = under[i];
        if (setting !== null) ofSetting.set(setting, (ofSetting.get(setting) ?? 0) + weight);
      }
      for (const [{ vector }, weight] of ofSetting) addTo(total, vector, weight);
      return Float32Array.from(total);
    },
    reach(documents) {
      const norms = new Float64Array(n);
      for (const { from, to } of stretches(documents)) {
        const block = new Float32Array((to - from) * width);
        const rows = Array.from({ length: to - from }, (_, at) => {
          const row = block.subarray(at * width, (at + 1) * width);
          place(row, vectors[from + at], under[from + at]?.vector ?? null, scales[from + at]);
          return row;
        });
        norms.set(surroundingLengths(rows), from);
      }
      return (dots) => surroundingSums(dots, documents).map((sum, i) => (norms[i] === 0 ? 0 : sum / norms[i]));
    },
  };
}

function place(out: Float32Array, vector: Float32Array, above: Float32Array | null, scale: number): void {
  if (above === null) out.set(vector);
  else for (let c = 0; c < out.length; c++) out[c] = scale * (vector[c] + above[c]);
}
