import { DurableObject } from 'cloudflare:workers';
import {
  type RateBuckets,
  type RateLimit,
  type Taken,
  type TokenBuckets,
  tokenBuckets,
} from '../../middleware/rate-limit.ts';

/** The bucket of one tenant for all isolates, in memory only: a timer prevents hibernation until the bucket is full. */
export class TenantRate extends DurableObject {
  #buckets: { readonly rate: string; readonly tokens: TokenBuckets } | null = null;
  #awake: ReturnType<typeof setTimeout> | undefined;

  take(limit: RateLimit): Taken {
    const rate = `${limit.requests}/${limit.seconds}`;
    if (this.#buckets?.rate !== rate) this.#buckets = { rate, tokens: tokenBuckets(limit, () => Date.now()) };
    clearTimeout(this.#awake);
    this.#awake = setTimeout(() => {}, limit.seconds * 1000);
    return this.#buckets.tokens.take('');
  }
}

export interface TenantRates {
  idFromName(tenant: string): object;
  get(id: object): { take(limit: RateLimit): Promise<Taken> };
}

/** Falls back to a bucket of the isolate if a shared one does not respond. */
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
