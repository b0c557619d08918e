/** Gains so close to the largest are a tie, which the lowest canonical key wins. */
export const TIE = 1e-9;

/** The level from which gains tie with the largest. */
export function tieLevel(largest: number): number {
  return largest - TIE * Math.max(1, Math.abs(largest));
}

/**
 * Finds items of the largest gain where gains only fall from pick to pick, as those of submodular objectives do: an item is
 * looked at again only while its last known gain could still be the largest (Minoux 1978), so that what is found is what a
 * look at every item finds.
 */
interface LazyGains {
  /** The items that tie for the largest gain now, ascending; none where every gain is -Infinity. */
  leaders(): { readonly items: readonly number[]; readonly gain: number };
}

/** @param gain of item i now; falls with every pick */
export function lazyGains(n: number, gain: (i: number) => number): LazyGains {
  const bounds = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  return {
    leaders() {
      let first = 0;
      for (let i = 1; i < n; i++) if (bounds[i] > bounds[first]) first = i;
      let largest = n === 0 ? Number.NEGATIVE_INFINITY : gain(first);
      if (n > 0) bounds[first] = largest;
      let level = tieLevel(largest);
      for (let i = 0; i < n; i++) {
        if (i === first || bounds[i] < level || bounds[i] === Number.NEGATIVE_INFINITY) continue;
        bounds[i] = gain(i);
        if (bounds[i] <= largest) continue;
        largest = bounds[i];
        level = tieLevel(largest);
      }
      const items: number[] = [];
      if (largest > Number.NEGATIVE_INFINITY) for (let i = 0; i < n; i++) if (bounds[i] >= level) items.push(i);
      return { items, gain: largest };
    },
  };
}
