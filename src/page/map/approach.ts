/** Share of the way that is left which a frame goes, and pixels at which a point has arrived. */
const STEP = 0.28;
const NEAR = 0.25;

/**
 * Moves points a frame's way towards where they belong, in place.
 *
 * @param pixels x and y of each point, one after the other
 * @returns whether all have arrived
 */
export function approach(pixels: Float64Array, target: Float64Array): boolean {
  let farthest = 0;
  for (let i = 0; i < pixels.length; i++) {
    const way = target[i] - pixels[i];
    farthest = Math.max(farthest, Math.abs(way));
    pixels[i] += STEP * way;
  }
  if (farthest > NEAR) return false;
  pixels.set(target);
  return true;
}
