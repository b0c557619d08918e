import type { PackedPoints } from './packed-points.ts';
import { highest } from './reference.ts';
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
  const n = documents.length;
  const found = signals(packed, facets);
  const isWanted = new Uint8Array(n);
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const ofFacet = new Int32Array(n);
  const take = (i: number): void => {
    isWanted[i] = 1;
    if (documents[i - 1] === documents[i]) isWanted[i - 1] = 1;
  };
  facets.forEach((_, f) => {
    const own = estimate(found, f, undefined, surroundings);
    let best = 0;
    for (let i = 0; i < n; i++) {
      if (own[i] > own[best]) best = i;
      if (own[i] <= values[i]) continue;
      values[i] = own[i];
      ofFacet[i] = f;
    }
    if (n > 0) take(best);
  });
  facets.forEach((_, f) => {
    const isOwn = (i: number) => ofFacet[i] === f && !isWhole[documents[i]];
    for (const i of highest(values, most.kept + most.read, isOwn)) take(i);
  });
  const isReadable = facts.map(({ points }, document) => !isWhole[document] && points <= MAX_READ_LENGTH);
  for (const i of highest(values, most.read, (i) => isReadable[documents[i]])) take(i);
  const indices: number[] = [];
  for (let i = 0; i < n; i++) if (isWanted[i] === 1 || isWhole[documents[i]]) indices.push(i);
  return {
    found: foundOf(found, indices),
    indices,
    surroundings: surroundings === 0 ? 0 : surroundings * packed.coherence(),
  };
}
