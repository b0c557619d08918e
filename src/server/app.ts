import { OpenAPIHono } from '@hono/zod-openapi';
import { except } from 'hono/combine';
import { HTTPException } from 'hono/http-exception';
import type { Database } from '../store/index.ts';
import { CallerGoneError, OverloadedError } from './errors.ts';
import { streamPlaces } from './jobs/follow-digest.ts';
import { admission, shedEarly } from './middleware/admission.ts';
import { type AuthenticateDeps, authenticate, requireScope } from './middleware/authenticate.ts';
import { bodyBudget, boundedBody, isBodyless, isLines, jsonOnly, oneATurn } from './middleware/bodies.ts';
import { knownAddress, privateAnswers } from './middleware/http-fields.ts';
import { idempotency } from './middleware/idempotency.ts';
import { type RateBuckets, type RateLimit, rateLimit } from './middleware/rate-limit.ts';
import { type Log, requestId, requestLog } from './middleware/request-log.ts';
import { isFailure, problem, problemOf, respond } from './problem.ts';
import { type CollectionDeps, collectionRoutes } from './routes/collections.ts';
import { digestRoutes } from './routes/digests.ts';
import { experimentRoutes } from './routes/experiments.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { openApiRoutes } from './routes/open-api.ts';
import { type PageFiles, pageRoutes } from './routes/page.ts';
import { type ServiceRouteDeps, serviceRoutes } from './routes/service.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';
import { tableRoutes } from './routes/tables.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workRoutes } from './routes/work.ts';
import type { ServiceEnv } from './service-deps.ts';

export interface AppDeps
  extends Omit<CollectionDeps, 'digestAdmission' | 'otherAdmission' | 'enterStream'>,
    AuthenticateDeps,
    ServiceRouteDeps {
  readonly database: Database;
  readonly maxBodyBytes: number;
  readonly rate: RateLimit | null;
  /** Shared buckets for the rate limit; counts in the process by default. */
  readonly buckets?: RateBuckets | undefined;
  readonly concurrency: { readonly digests: number; readonly others: number; readonly maxWaitMilliseconds: number };
  readonly page: PageFiles | null;
  readonly log: Log;
}

const EXPERIMENT_PATHS = '/v1/experiments/*';
/** What needs a key: `/v1/*` and `/mcp`. */
const KEYED_PATHS = '/:place{v1|mcp}/*';

/** The service as a Hono app; entry points bind it, tests call `app.request`. */
export function createApp(deps: AppDeps) {
  const { concurrency, metrics, database } = deps;
  const most = concurrency.maxWaitMilliseconds;
  const digestAdmission = admission(concurrency.digests, most);
  const otherAdmission = admission(concurrency.others, most);
  const enterStream = streamPlaces(deps.limits.streams);
  const routeDeps = { ...deps, digestAdmission, otherAdmission, enterStream };
  const app = new OpenAPIHono<ServiceEnv>();
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key from `tessera keys create`. Not needed on localhost until the first key is created.',
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException && error.status === 400) return respond('malformed-json');
    // The caller is gone, so the status is not part of the contract.
    if (error instanceof CallerGoneError) return new Response(null, { status: 499 });
    if (error instanceof OverloadedError) metrics.count('sheds', { reason: error.reason });
    const answer = problemOf(error);
    if (isFailure(answer)) deps.reportError(error, { method: context.req.method, path: context.req.path });
    return respond(answer, [429, 503].includes(answer.status) ? { 'retry-after': '5' } : {});
  });
  app.notFound(() => respond(problem('not-found', 'No route matches this path.')));
  app.use(requestId);
  app.use(requestLog(deps.log, metrics));
  app.use(knownAddress(app.router));
  app.use(KEYED_PATHS, privateAnswers);
  for (const path of [KEYED_PATHS, '/metrics']) {
    app.use(path, authenticate(deps));
    app.use(path, rateLimit(deps.rate, database.now, metrics, deps.buckets));
  }
  app.use('/metrics', requireScope('admin'));
  app.use(EXPERIMENT_PATHS, requireScope('experiments'));
  app.use(KEYED_PATHS, except(EXPERIMENT_PATHS, requireScope('digests')));
  app.use('/v1/*', shedEarly(digestAdmission, otherAdmission));
  app.use(KEYED_PATHS, bodyBudget(deps.maxBodyBytes));
  app.use(KEYED_PATHS, oneATurn());
  app.use(KEYED_PATHS, except([isBodyless, isLines], jsonOnly));
  app.use(KEYED_PATHS, boundedBody(deps.maxBodyBytes));
  app.use('/v1/*', idempotency(deps));
  return app
    .route('/', digestRoutes(routeDeps))
    .route('/', tableRoutes(routeDeps))
    .route('/', collectionRoutes(routeDeps))
    .route('/', workRoutes(deps, otherAdmission))
    .route('/', experimentRoutes(deps, otherAdmission))
    .route('/', subscriptionRoutes(deps))
    .route('/', webhookRoutes(deps))
    .route('/', serviceRoutes(deps))
    .route('/', openApiRoutes(app))
    .route(
      '/',
      mcpRoutes(deps, async (request, caller) => app.fetch(request, { caller })),
    )
    .route('/', pageRoutes(deps.page));
}

export type App = ReturnType<typeof createApp>;
