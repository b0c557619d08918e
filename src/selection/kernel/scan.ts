import type { PackedPoints } from './packed-points.ts';
import type { Relevance } from './relevance.ts';
import { type AskedFacet, estimate, foundOf, MAX_READ_LENGTH, signals } from './relevance-estimate.ts';

/** What a scan found, as `RelevanceInput.earlier` of the points in `indices`. */
export interface Scanned extends Pick<Relevance, 'surroundings'> {
  readonly found: NonNullable<Relevance['found']>;
  /** Ascending. */
  readonly indices: readonly number[];
}

interface ScanOptions {
  readonly surroundings: number;
  /** Points of each facet, and of all that a reader may read. */
  readonly most: { readonly kept: number; readonly read: number };
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
  const { documents, facts } = packed;
  const found = signals(packed, facets);
  const isWanted = Uint8Array.from(documents, (document) => Number(isWhole[document]));
  const values = new Float64Array(documents.length).fill(Number.NEGATIVE_INFINITY);
  const ofFacet = new Int32Array(documents.length);
  const take = (i: number): void => {
    isWanted[i] = 1;
    if (documents[i - 1] === documents[i]) isWanted[i - 1] = 1;
  };
  facets.forEach((_, f) => {
    const own = estimate(found, f, undefined, surroundings);
    let best = 0;
    for (let i = 0; i < own.length; i++) {
      if (own[i] > own[best]) best = i;
      if (own[i] <= values[i]) continue;
      values[i] = own[i];
      ofFacet[i] = f;
    }
    if (own.length > 0) take(best);
  });
  const apart = [...documents.keys()].filter((i) => !isWhole[documents[i]]);
  facets.forEach((_, f) => {
    const own = apart.filter((i) => ofFacet[i] === f);
    for (const i of highest(own, values, most.kept + most.read)) take(i);
  });
  const readable = apart.filter((i) => facts[documents[i]].points <= MAX_READ_LENGTH);
  for (const i of highest(readable, values, most.read)) take(i);
  const indices = [...isWanted.keys()].filter((i) => isWanted[i] === 1);
  return {
    found: foundOf(found, indices),
    indices,
    surroundings: surroundings === 0 ? 0 : surroundings * packed.coherence(),
  };
}

/** Those with the highest values; of equal ones the first. */
function highest(indices: readonly number[], values: Float64Array, most: number): readonly number[] {
  if (indices.length <= most) return indices;
  const least = Float64Array.from(indices, (i) => values[i]).sort()[indices.length - most];
  let equal = most - indices.filter((i) => values[i] > least).length;
  return indices.filter((i) => values[i] > least || (values[i] === least && equal-- > 0));
}
