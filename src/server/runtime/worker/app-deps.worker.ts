import { sql } from 'drizzle-orm';
import type { AppDeps } from '../../app.ts';
import { memoryBudget } from '../../jobs/memory-budget.ts';
import { requestWorker } from '../../jobs/request-worker.ts';
import { bucketsOf, type RateBuckets } from '../../middleware/rate-limit.ts';
import type { TokenBuckets } from '../../middleware/token-bucket.ts';
import { NO_METRICS } from '../../service-metrics.ts';
import { MAX_CHARACTERS_IN_A_REQUEST } from './edge-configuration.worker.ts';
import type { EdgeEnv } from './edge-env.worker.ts';
import type { EdgeService } from './service.worker.ts';
import { sharedBuckets } from './tenant-rate.worker.ts';

/** Milliseconds: two queries twice a second stay below the 1,000 of a request. A stream that ends then is gone on with. */
const PATIENCE = 180_000;

/** Characters of digests that the requests of this isolate are at. Longer than a request may wait, and go on after it. */
const isolate = memoryBudget({ most: 2 * MAX_CHARACTERS_IN_A_REQUEST, longest: PATIENCE, now: () => Date.now() });

/** Requests, by the rate that they are held to. */
const buckets = new Map<string, TokenBuckets>();

/**
 * What the HTTP service is built from for one request to a Worker.
 *
 * @param waitUntil keeps the runtime from ending the request before this has settled
 */
export function workerAppDeps(
  { deps, jobs, deliver, configuration, log }: EdgeService,
  env: EdgeEnv,
  waitUntil: (work: Promise<unknown>) => void,
): AppDeps {
  const { service: settings, maxBodyBytes, logLevel } = configuration;
  return {
    ...deps,
    worker: requestWorker(jobs, {
      maxCharacters: MAX_CHARACTERS_IN_A_REQUEST,
      room: isolate,
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
    maxBodyBytes,
    limits: settings.limits,
    rate: settings.rate,
    buckets: bucketsFor(settings.rate, env.RATES, (err) => log('warn', { err }, 'counted a request by itself')),
    allowsOpen: env.TESSERA_OPEN === 'yes',
    // Nobody is turned away for others: an app serves one request.
    concurrency: { digests: 1, others: 1, maxWaitMilliseconds: settings.maxWaitMilliseconds },
    maxCollectionDocuments: settings.collectionDocuments,
    allowedTargets: settings.webhookTargets,
    metrics: NO_METRICS,
    page: null, // the platform serves it, as wrangler.toml says
    log,
    logsPaths: logLevel === 'debug',
    reportError: (err, request) => log('error', { err, ...request }, 'request failed'),
  };
}

function bucketsFor(
  rate: AppDeps['rate'],
  shared: EdgeEnv['RATES'],
  report: (failure: unknown) => void,
): RateBuckets | undefined {
  if (rate === null) return undefined;
  const name = `${rate.requests}/${rate.seconds}`;
  const own = buckets.get(name) ?? bucketsOf(rate, () => Date.now());
  buckets.set(name, own);
  return shared === undefined ? own : sharedBuckets(shared, rate, own, report);
}
