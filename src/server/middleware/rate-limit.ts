import type { MiddlewareHandler } from 'hono';
import { counted } from '../../text/index.ts';
import { problem, respond } from '../problem.ts';
import type { ServiceEnv } from '../service-deps.ts';
import type { ServiceMetrics } from '../service-metrics.ts';

/** Requests of a tenant: an initial burst, and the same number again evenly per window. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds, rounded up, until the next whole token: the `t` of draft-10. */
  readonly resetSeconds: number;
  /** Seconds, rounded up, until a retry can succeed; 0 if allowed. */
  readonly retryAfterSeconds: number;
}

export interface RateBuckets {
  take(tenant: string): Taken | Promise<Taken>;
}

/**
 * Limits the rate of each tenant, after `authenticate`, with the headers of draft-ietf-httpapi-ratelimit-headers-10. Each process counts for
 * itself unless buckets are shared. A null `limit` means neither limit nor headers.
 */
export function rateLimit(
  limit: RateLimit | null,
  now: () => number,
  metrics: Pick<ServiceMetrics, 'count'>,
  shared?: RateBuckets,
): MiddlewareHandler<ServiceEnv> {
  if (limit === null) return (_, next) => next();
  const { requests, seconds } = limit;
  const buckets = shared ?? tokenBuckets(limit, now);
  const policy = `"default";q=${requests};w=${seconds}`;
  return async (context, next) => {
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = await buckets.take(context.var.caller.tenant);
    if (allowed) await next();
    else {
      metrics.count('limited', {});
      const detail = `At most ${counted(requests, 'request')} in ${spoken(seconds)} can be served; the next one in ${spoken(retryAfterSeconds)}.`;
      context.res = respond(problem('too-many-requests', detail));
      context.header('Retry-After', String(retryAfterSeconds));
    }
    // Set afterwards: a response built by a route drops headers set before.
    context.header('RateLimit-Policy', policy);
    context.header('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
  };
}

function spoken(seconds: number): string {
  return seconds === 1 ? 'one second' : `${seconds} seconds`;
}

/**
 * Token buckets, refilled evenly in `seconds`. If the clock is set back, time stands still. Not from a library (November 2026): `limiter` 4.1
 * starts empty; `rate-limiter-flexible` 11.4 and `hono-rate-limiter` 0.5 count in fixed windows, which let twice the quota through at their edge.
 */
export function tokenBuckets({ requests, seconds }: RateLimit, now: () => number) {
  const window = seconds * 1000;
  // Count tokens × window, to which each millisecond adds `requests`: whole numbers, without rounding errors.
  const full = requests * window;

  const buckets = new Map<string, { readonly level: number; readonly at: number }>();
  let seen = Math.floor(now());
  let time = 0;
  const levelOf = ({ level, at }: { readonly level: number; readonly at: number }) =>
    Math.min(full, level + (time - at) * requests);
  const secondsFor = (missing: number) => Math.ceil(missing / (requests * 1000));

  return {
    take(tenant: string): Taken {
      const reading = Math.floor(now());
      time += Math.max(0, reading - seen);
      seen = reading;
      for (const [each, bucket] of buckets) {
        if (levelOf(bucket) < full) break;
        buckets.delete(each); // a full bucket is like a new one
      }
      const known = buckets.get(tenant);
      const before = known ? levelOf(known) : full;
      const allowed = before >= window;
      const level = allowed ? before - window : before;
      buckets.delete(tenant);
      buckets.set(tenant, { level, at: time });
      return {
        allowed,
        remaining: Math.floor(level / window),
        resetSeconds: secondsFor(window - (level % window)),
        retryAfterSeconds: allowed ? 0 : secondsFor(window - level),
      };
    },
    /** Remembered buckets: at most the tenants seen within one window. */
    get size(): number {
      return buckets.size;
    },
  };
}

export type TokenBuckets = ReturnType<typeof tokenBuckets>;
