/** Room in one memory that several share without waiting for each other. */
export interface MemoryBudget {
  /** A function to call when the work has ended; null where there is too little room for it. */
  enter(size: number): (() => void) | null;
}

/**
 * Room for work of so much size together.
 *
 * @param longest milliseconds after which work is taken to have been cut off: whoever is cut off does not say so
 */
export function memoryBudget({
  most,
  longest,
  now,
}: {
  readonly most: number;
  readonly longest: number;
  readonly now: () => number;
}): MemoryBudget {
  const inside = new Map<symbol, { readonly size: number; readonly until: number }>();
  return {
    enter(size) {
      const time = now();
      let taken = 0;
      for (const [key, entry] of inside) {
        if (entry.until <= time) inside.delete(key);
        else taken += entry.size;
      }
      if (taken + size > most) return null;
      const own = Symbol();
      inside.set(own, { size, until: time + longest });
      return () => void inside.delete(own);
    },
  };
}
