import { groupBy } from '../../text/index.ts';
import { deviations } from './relevance-estimate.ts';

const LEADERS = 20;

/** Points with r >= m - (1 - gate)|m|, m = the mean of the 20 highest r, ascending. @param gate in [0, 1]; null passes everything */
export function keptByGate(relevance: Float64Array, gate: number | null): number[] {
  const everyone = [...relevance.keys()];
  if (gate === null || relevance.length === 0) return everyone;
  const leaders = Float64Array.from(relevance).sort().slice(-LEADERS);
  const mean = leaders.reduce((sum, r) => sum + r, 0) / leaders.length;
  const level = mean - (1 - gate) * Math.abs(mean);
  // The best point always passes: with gate 1 and equal relevances, rounding could shut everyone out.
  const best = leaders[leaders.length - 1];
  return everyone.filter((i) => relevance[i] >= level || relevance[i] === best);
}

/**
 * The most relevant points, facets taking turns; ascending.
 *
 * @param past indices of the points to choose from, ascending
 * @param facets the facet of each of all points
 */
export function topOfFacets(
  past: readonly number[],
  { values, facets }: { readonly values: Float64Array; readonly facets: Int32Array },
  most: number,
): number[] {
  if (past.length <= most) return [...past];
  const byValue = (a: number, b: number): number => values[b] - values[a] || a - b;
  const queues = groupBy(past.toSorted(byValue), (i) => facets[i]);
  return [...queues.values()]
    .flatMap((queue) => queue.map((i, turn) => ({ i, turn })))
    .sort((a, b) => a.turn - b.turn || byValue(a.i, b.i))
    .slice(0, most)
    .map(({ i }) => i)
    .sort((a, b) => a - b);
}

interface QualityInput {
  readonly relevance: Float64Array;
  readonly salience: Float64Array;
  readonly known: Float64Array | null;
  /** Positive factor per point: its document's weight times how well it reads alone. */
  readonly factors: Float64Array;
}

interface QualityOptions {
  readonly relevance: { readonly form: 'exponential' | 'score'; readonly weight: number };
  readonly salience: { readonly weight: number };
  readonly background: { readonly weight: number };
}

const MIN_SCORE = 1e-3;

/**
 * log q for L = diag(q) K diag(q) (Kulesza & Taskar 2012): relevance max(r, 1e-3), or exp(a z(r)) with a = w / (2 (1 - w)) (Chen et al.
 * 2018), times exp(b z(log(1 + D))) for salience, exp(-g known) for background, and the factors.
 */
export function logQuality(input: QualityInput, options: QualityOptions): Float64Array {
  const { form, weight } = options.relevance;
  const a = weight / (2 * (1 - weight));
  const z = deviations(input.relevance);
  const zSalience = deviations(input.salience.map((d) => Math.log1p(d)));
  return input.relevance.map((r, i) => {
    const relevance = form === 'score' ? Math.log(Math.max(r, MIN_SCORE)) : a * z[i];
    const known = input.known === null ? 0 : -options.background.weight * input.known[i];
    return relevance + options.salience.weight * zSalience[i] + known + Math.log(input.factors[i]);
  });
}
