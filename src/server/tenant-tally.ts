/** How much of something tenants hold, each and together. */
interface TenantTally {
  readonly all: number;
  of(tenant: string): number;
  /** @returns gives the amount back; more than once is once */
  take(tenant: string, amount: number): () => void;
}

export function tenantTally(): TenantTally {
  const held = new Map<string, number>();
  let all = 0;
  return {
    get all() {
      return all;
    },
    of: (tenant) => held.get(tenant) ?? 0,
    take(tenant, amount) {
      all += amount;
      held.set(tenant, (held.get(tenant) ?? 0) + amount);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all -= amount;
        const left = (held.get(tenant) ?? amount) - amount;
        if (left > 0) held.set(tenant, left);
        else held.delete(tenant);
      };
    },
  };
}
