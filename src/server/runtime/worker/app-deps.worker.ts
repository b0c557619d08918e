import { DurableObject } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import type { AppDeps } from '../../app.ts';
import { memoryBudget, requestWorker } from '../../jobs/edge-work.ts';
import {
  type RateBuckets,
  type RateLimit,
  type Taken,
  type TokenBuckets,
  tokenBuckets,
} from '../../middleware/rate-limit.ts';
import { NO_METRICS } from '../../service-metrics.ts';
import { appSettings } from '../parts.ts';
import { type EdgeEnv, type EdgeService, MAX_CHARACTERS_IN_A_REQUEST, type TenantRates } from './service.worker.ts';

/** Milliseconds: two queries twice a second stay below the limit of 1,000 per request. Readers then resume the stream. */
const PATIENCE = 180_000;

const enterMemory = memoryBudget(2 * MAX_CHARACTERS_IN_A_REQUEST, PATIENCE, () => Date.now());

const buckets = new Map<string, TokenBuckets>();

/** The HTTP service of one request to a Worker. `waitUntil` keeps the runtime from ending the request before a promise settles. */
export function workerAppDeps(
  { deps, jobs, deliver, configuration, log }: EdgeService,
  env: EdgeEnv,
  waitUntil: (work: Promise<unknown>) => void,
): AppDeps {
  const { service: settings } = configuration;
  return {
    ...deps,
    ...appSettings(configuration, log),
    worker: requestWorker(jobs, {
      maxCharacters: MAX_CHARACTERS_IN_A_REQUEST,
      enterMemory,
      leaseMilliseconds: settings.leaseMilliseconds,
      maxWaitMilliseconds: PATIENCE,
      waitUntil,
      handOver: async (id, run) => {
        await env.JOBS.send(run === 1 ? { id } : { id, run });
      },
      deliver,
    }),
    ready: async () => {
      await deps.database.query.run(sql`select 1`);
    },
    buckets: bucketsFor(settings.rate, env.RATES, (err) => log('warn', { err }, 'counted a request by itself')),
    allowsOpen: env.TESSERA_OPEN === 'yes',
    concurrency: { digests: 1, others: 1, maxWaitMilliseconds: settings.maxWaitMilliseconds },
    metrics: NO_METRICS,
    page: null, // served by the platform, see wrangler.toml
  };
}

function bucketsFor(
  rate: AppDeps['rate'],
  shared: EdgeEnv['RATES'],
  report: (failure: unknown) => void,
): RateBuckets | undefined {
  if (rate === null) return undefined;
  const name = `${rate.requests}/${rate.seconds}`;
  const own = buckets.get(name) ?? tokenBuckets(rate, () => Date.now());
  buckets.set(name, own);
  return shared === undefined ? own : sharedBuckets(shared, rate, own, report);
}

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
