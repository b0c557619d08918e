/** How much of something tenants hold, each and together. */
interface TenantTally {
  readonly all: number;
  of(tenant: string): number;
  /** What each tenant holds that holds any. */
  each(): Iterable<number>;
  /** @returns gives the amount back, and tells whether it was held still: more than once is once */
  take(tenant: string, amount: number): () => boolean;
}

export function tenantTally(): TenantTally {
  const held = new Map<string, number>();
  let all = 0;
  return {
    get all() {
      return all;
    },
    of: (tenant) => held.get(tenant) ?? 0,
    each: () => held.values(),
    take(tenant, amount) {
      all += amount;
      held.set(tenant, (held.get(tenant) ?? 0) + amount);
      let isHeld = true;
      return () => {
        if (!isHeld) return false;
        isHeld = false;
        all -= amount;
        const left = (held.get(tenant) ?? amount) - amount;
        if (left > 0) held.set(tenant, left);
        else held.delete(tenant);
        return true;
      };
    },
  };
}
