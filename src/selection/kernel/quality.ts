export interface QualityInput {
  readonly relevance: Float64Array;
  /** Distinct documents that support each point. */
  readonly salience: Float64Array;
  /** Largest similarity of each point to what the reader knows; null without background. */
  readonly known: Float64Array | null;
  /** Positive factor per point: its document's weight times how well it reads alone. */
  readonly factors: Float64Array;
}

interface QualityOptions {
  readonly relevance: { readonly form: 'exponential' | 'score'; readonly weight: number };
  readonly salience: { readonly weight: number };
  readonly background: { readonly weight: number };
}

/** Least quality of `score`, so that q stays positive. */
const MIN_SCORE = 1e-3;

/**
 * log q of every point, for L = diag(q) K diag(q) (Kulesza & Taskar 2012): relevance as the paper's max(r, 1e-3) or as
 * exp(a z(r)) with a = w / (2 (1 - w)) (Chen et al. 2018), times exp(b z(log(1 + D))) for salience, times exp(-g known) for
 * background, times the factors.
 */
export function logQuality(input: QualityInput, options: QualityOptions): Float64Array {
  const { form, weight } = options.relevance;
  const a = weight / (2 * (1 - weight));
  const z = standardise(input.relevance);
  const zSalience = standardise(input.salience.map((d) => Math.log1p(d)));
  return input.relevance.map((r, i) => {
    const relevance = form === 'score' ? Math.log(Math.max(r, MIN_SCORE)) : a * z[i];
    const known = input.known === null ? 0 : -options.background.weight * input.known[i];
    return relevance + options.salience.weight * zSalience[i] + known + Math.log(input.factors[i]);
  });
}
/** z-scores; all 0 where the values do not differ. */
export function standardise(values: Float64Array): Float64Array {
  const n = values.length;
  if (n === 0) return new Float64Array(0);
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n);
  // A deviation that is rounding noise beside the mean is none.
  if (deviation <= 1e-12 * Math.max(1, Math.abs(mean))) return new Float64Array(n);
  return values.map((v) => (v - mean) / deviation);
}
