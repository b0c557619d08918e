/** How relevant every point is to an intent. */
export interface Relevance {
  /** One per point. */
  readonly values: Float64Array;
  /** The facet each point answers best. */
  readonly facets: Int32Array;
  /** Best plain cosine that each facet finds among the points. */
  readonly best: Float64Array;
}

/**
 * Relevance as the cosine of unit sentence vectors, of the best facet.
 *
 * @param points row-major, n x dimensions
 * @param facets one unit vector per facet; at least one
 */
export function cosineRelevance(points: Float32Array, n: number, facets: readonly Float32Array[]): Relevance {
  const dimensions = facets[0].length;
  return bestFacet(
    n,
    facets.map((facet) => {
      const values = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        let dot = 0;
        for (let c = 0, at = i * dimensions; c < dimensions; c++) dot += points[at + c] * facet[c];
        values[i] = dot;
      }
      return values;
    }),
  );
}

/** The best of several facets' relevances, and which it was (the first of equals). */
export function bestFacet(n: number, perFacet: readonly Float64Array[]): Relevance {
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const best = new Float64Array(perFacet.length).fill(Number.NEGATIVE_INFINITY);
  perFacet.forEach((relevance, f) => {
    for (let i = 0; i < n; i++) {
      if (relevance[i] > best[f]) best[f] = relevance[i];
      if (relevance[i] > values[i]) {
        values[i] = relevance[i];
        facets[i] = f;
      }
    }
  });
  return { values, facets, best };
}
