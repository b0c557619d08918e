import { DurableObject } from 'cloudflare:workers';
import { bucketsOf, type RateBuckets, type RateLimit, type Taken } from '../../middleware/rate-limit.ts';
import type { TokenBuckets } from '../../middleware/token-bucket.ts';

/**
 * The tokens of one tenant, for all isolates. They are in memory alone: the object stays there as long as they are not all
 * back, since a timer that is set keeps it from hibernating.
 */
export class TenantRate extends DurableObject {
  #buckets: { readonly rate: string; readonly tokens: TokenBuckets } | null = null;
  #awake: ReturnType<typeof setTimeout> | undefined;

  /** Takes a token; after a change of the limit, out of a new bucket. */
  take(limit: RateLimit): Taken {
    const rate = `${limit.requests}/${limit.seconds}`;
    if (this.#buckets?.rate !== rate) this.#buckets = { rate, tokens: bucketsOf(limit, () => Date.now()) };
    clearTimeout(this.#awake);
    this.#awake = setTimeout(() => {}, limit.seconds * 1000);
    return this.#buckets.tokens.take('');
  }
}

/** The objects of all tenants, as a Worker is given them. */
export interface TenantRates {
  idFromName(tenant: string): object;
  get(id: object): { take(limit: RateLimit): Promise<Taken> };
}

/**
 * Buckets that all isolates share. A bucket that does not answer is replaced by the isolate's own: callers are not refused because
 * they cannot be counted.
 */
export function sharedBuckets(
  rates: TenantRates,
  limit: RateLimit,
  own: TokenBuckets,
  report: (failure: unknown) => void,
): RateBuckets {
  return {
    async take(tenant) {
      try {
        const { allowed, remaining, resetSeconds, retryAfterSeconds } = await rates
          .get(rates.idFromName(tenant))
          .take(limit);
        return { allowed, remaining, resetSeconds, retryAfterSeconds };
      } catch (failure) {
        report(failure);
        return own.take(tenant);
      }
    },
  };
}
