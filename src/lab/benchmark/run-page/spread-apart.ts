/**
 * Moves places apart where they are too near to each other; which comes before which stays the same.
 *
 * @param places in any order
 * @param gap least distance, at which all of them have to fit between `low` and `high`
 * @returns new places, in the order in which the old ones were given
 */
export function spreadApart(places: readonly number[], gap: number, low: number, high: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b] || a - b);
  const moved = [...places];
  let least = low;
  for (const index of order) {
    moved[index] = Math.max(places[index], least);
    least = moved[index] + gap;
  }
  let most = high;
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index], most);
    most = moved[index] - gap;
  }
  return moved;
}
