import type { PackedPoints } from './packed-points.ts';
import type { Relevance } from './relevance.ts';
import { type AskedFacet, estimate, foundOf, signals } from './relevance-estimate.ts';

/** What a scan found, as `RelevanceInput.earlier` of the points in `indices`. */
export interface Scanned extends Pick<Relevance, 'surroundings'> {
  readonly found: NonNullable<Relevance['found']>;
  /** Ascending. */
  readonly indices: readonly number[];
}

interface ScanOptions {
  readonly surroundings: number;
  /** Points of each facet. */
  readonly most: number;
  /** Whether all points of a document are wanted. */
  readonly isWhole: readonly boolean[];
}

/**
 * The points most relevant to each facet before any is read, each with the one before it in its document, with what tells their
 * relevance among all points.
 */
export function scan(
  packed: PackedPoints,
  facets: readonly AskedFacet[],
  { surroundings, most, isWhole }: ScanOptions,
): Scanned {
  const { documents } = packed;
  const found = signals(packed, facets);
  const isWanted = Uint8Array.from(documents, (document) => Number(isWhole[document]));
  const values = new Float64Array(documents.length).fill(Number.NEGATIVE_INFINITY);
  const ofFacet = new Int32Array(documents.length);
  facets.forEach((_, f) => {
    const own = estimate(found, f, undefined, surroundings);
    for (let i = 0; i < own.length; i++) {
      if (own[i] <= values[i]) continue;
      values[i] = own[i];
      ofFacet[i] = f;
    }
  });
  facets.forEach((_, f) => {
    const sorted = values.filter((_, i) => ofFacet[i] === f).sort();
    const level = sorted[sorted.length - most] ?? Number.NEGATIVE_INFINITY;
    let equal = most - sorted.filter((value) => value > level).length;
    for (let i = 0; i < values.length; i++) {
      if (ofFacet[i] !== f || values[i] < level || (values[i] === level && equal-- <= 0)) continue;
      isWanted[i] = 1;
      if (documents[i - 1] === documents[i]) isWanted[i - 1] = 1;
    }
  });
  const indices = [...isWanted.keys()].filter((i) => isWanted[i] === 1);
  return {
    found: foundOf(found, indices),
    indices,
    surroundings: surroundings === 0 ? 0 : surroundings * packed.coherence(),
  };
}
