import fc from 'fast-check';

/** A place in something of any length, as a share of it; doubles of fast-check's own lie next to 0 and 1 mostly. */
export const place = fc.integer({ min: 0, max: 10_000 }).map((whole) => whole / 10_000);

/** Places at which something is cut. */
export const cuts = fc.array(place, { maxLength: 12 });

/** The pieces of a text or of bytes, cut at shares of its length; some may be empty. */
export function chunksOf<Sliced extends { readonly length: number; slice(start: number, end?: number): Sliced }>(
  whole: Sliced,
  places: readonly number[],
): Sliced[] {
  const at = [0, ...places.map((share) => Math.round(share * whole.length)).sort((a, b) => a - b), whole.length];
  return at.slice(1).map((end, i) => whole.slice(at[i], end));
}
