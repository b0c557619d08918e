import type { MiddlewareHandler } from 'hono';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import type { ServiceEnv } from '../service-env.ts';
import type { ServiceMetrics } from '../service-metrics.ts';
import { type TokenBuckets, tokenBuckets } from './token-bucket.ts';

/** How often a tenant may ask: so many requests at once, and as many again evenly over so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What a request for a token came to. */
export type Taken = ReturnType<TokenBuckets['take']>;

/** Buckets of one token a request, in this process or elsewhere. */
export interface RateBuckets {
  take(tenant: string): Taken | Promise<Taken>;
}

/**
 * Holds each tenant to a rate. Every response of the routes it covers says in `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10) how many requests are left and in how many seconds there is one more; whoever
 * has none left is answered 429 with `Retry-After`.
 *
 * Goes after what says who the caller is. Each process counts for itself, unless it is given buckets that others share.
 *
 * @param limit null for none, and no headers
 * @param options.buckets of this limit, where they outlive the app
 * @throws RangeError where the limit is no rate
 */
export function rateLimit(
  limit: RateLimit | null,
  {
    now,
    metrics,
    buckets: given,
  }: {
    readonly now: () => number;
    readonly metrics: Pick<ServiceMetrics, 'rateLimited'>;
    readonly buckets?: RateBuckets | undefined;
  },
): MiddlewareHandler<ServiceEnv> {
  if (limit === null) return (_, next) => next();
  const { requests, seconds } = limit;
  const buckets = given ?? bucketsOf(limit, now);
  const policy = `"default";q=${requests};w=${seconds}`;
  return async (context, next) => {
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = await buckets.take(context.var.caller.tenant);
    if (allowed) await next();
    else {
      metrics.rateLimited();
      context.res = respond(
        problem(
          429,
          'too-many-requests',
          'Too many requests',
          `${requests} requests in ${spoken(seconds)} are served; the next one in ${spoken(retryAfterSeconds)}.`,
        ),
      );
      context.header('Retry-After', String(retryAfterSeconds));
    }
    // After the answer is there: one that a route made itself would not carry what was set before.
    context.header('RateLimit-Policy', policy);
    context.header('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
  };
}

/** Buckets that hold tenants to a rate. @throws RangeError where it is none */
export function bucketsOf({ requests, seconds }: RateLimit, now: () => number): TokenBuckets {
  return tokenBuckets({ capacity: requests, seconds, now });
}

function spoken(seconds: number): string {
  return seconds === 1 ? 'one second' : `${seconds} seconds`;
}
