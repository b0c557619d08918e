import { tenantTally } from '../tenant-tally.ts';

/** Lets work in as long as it can be begun in good time. */
export interface Admission {
  /** A function to call when the tenant's work has ended; null where it would have to wait too long. */
  enter(tenant: string): (() => void) | null;
  /** Whether `enter` would turn a caller of the tenant away now. */
  isFull(tenant: string): boolean;
  readonly inFlight: number;
}

/** Share of the newest gap in the mean. */
const NEWEST = 0.1;

/**
 * While as many callers are served as may be and one leaves every g milliseconds, the next waits g for each caller that is served
 * before it and that is not served yet. Tenants are served in turn, so that of another tenant only as many come first as the
 * caller's own tenant has in line. Who would wait longer than `most` is turned away before the queue grows to where everybody
 * times out.
 *
 * @param concurrency callers served at once, who are never turned away; 0 and a negative `most` turn everybody away
 * @param most milliseconds
 */
export function admission({
  concurrency,
  most,
  now = () => performance.now(),
}: {
  readonly concurrency: number;
  readonly most: number;
  readonly now?: () => number;
}): Admission {
  const held = tenantTally();
  /** Mean time between two callers that leave while as many are served as may be; 0 before that. */
  let gap = 0;
  /** What the fastest took so far: its share by the concurrency stands for the gap as long as that is not known. */
  let fastest = 0;
  /** When the last free place was taken, or the last caller left since. */
  let since = 0;
  const isFull = (tenant: string): boolean => {
    if (held.all < concurrency) return false;
    const own = held.of(tenant);
    let first = 0;
    for (const count of held.each()) first += Math.min(count, own + 1);
    return Math.max(0, first - concurrency + 1) * (gap || fastest / Math.max(1, concurrency)) > most;
  };
  return {
    isFull,
    enter(tenant) {
      if (isFull(tenant)) return null;
      const release = held.take(tenant, 1);
      const came = now();
      if (held.all === Math.max(1, concurrency)) since = came;
      return () => {
        const wasFull = held.all >= concurrency;
        if (!release()) return;
        const time = now();
        fastest = fastest === 0 ? time - came : Math.min(fastest, time - came);
        if (!wasFull) return;
        gap = gap === 0 ? time - since : gap + NEWEST * (time - since - gap);
        since = time;
      };
    },
    get inFlight() {
      return held.all;
    },
  };
}
