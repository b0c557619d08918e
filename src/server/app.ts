import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { except } from 'hono/combine';
import { HTTPException } from 'hono/http-exception';
import type { Problem } from '../contract/index.ts';
import type { Database } from '../store/index.ts';
import { digestFeeds } from './jobs/digest-feeds.ts';
import { admission } from './middleware/admission.ts';
import { CallerGoneError } from './middleware/admit.ts';
import { type AuthenticateDeps, authenticate } from './middleware/authenticate.ts';
import { bodyBudget } from './middleware/body-budget.ts';
import { boundedFields } from './middleware/bounded-fields.ts';
import { idempotency } from './middleware/idempotency.ts';
import { jsonOnly } from './middleware/json-only.ts';
import { knownAddress } from './middleware/known-address.ts';
import { observe } from './middleware/observe.ts';
import { oneATurn } from './middleware/one-a-turn.ts';
import { OverloadedError } from './middleware/overloaded-error.ts';
import { privateAnswers } from './middleware/private-answers.ts';
import { type RateBuckets, type RateLimit, rateLimit } from './middleware/rate-limit.ts';
import { requestId } from './middleware/request-id.ts';
import { type Log, requestLog } from './middleware/request-log.ts';
import { requireScope } from './middleware/require-scope.ts';
import { shedEarly } from './middleware/shed-early.ts';
import { problem, problemOf } from './problem.ts';
import { respond } from './respond.ts';
import type { DigestRouteDeps } from './routes/answer-digest.ts';
import { type CollectionDeps, collectionRoutes } from './routes/collections.ts';
import { digestSourceRoutes } from './routes/digest-sources.ts';
import { digestRoutes } from './routes/digests.ts';
import { evaluationRoutes } from './routes/evaluations.ts';
import { experimentRunRoutes } from './routes/experiment-runs.ts';
import { experimentSubjectRoutes } from './routes/experiment-subjects.ts';
import { experimentRoutes } from './routes/experiments.ts';
import { type HealthDeps, healthRoutes } from './routes/health.ts';
import { isBodyless } from './routes/is-bodyless.ts';
import { keyPointRoutes } from './routes/key-points.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { openApiRoutes } from './routes/open-api-routes.ts';
import { type PageFiles, pageRoutes } from './routes/page-routes.ts';
import { retryRoutes } from './routes/retry-digest.ts';
import { selectionRoutes } from './routes/selections.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import type { ServiceEnv } from './service-env.ts';

/** What the HTTP service is built from. */
export interface AppDeps
  extends Omit<DigestRouteDeps, 'digestAdmission' | 'feeds'>,
    CollectionDeps,
    AuthenticateDeps,
    HealthDeps {
  readonly database: Database;
  /** Largest body in bytes. */
  readonly maxBodyBytes: number;
  /** Requests of a tenant; null for any number. */
  readonly rate: RateLimit | null;
  /** What is left of the rate, where there is an app for each request; an app keeps count itself by default. */
  readonly buckets?: RateBuckets | undefined;
  /** Digests and other requests served at once; and how long a caller may wait. */
  readonly concurrency: { readonly digests: number; readonly others: number; readonly maxWaitMilliseconds: number };
  /** The page to look at; null where there is none, or the runtime serves it before the app is asked. */
  readonly page: PageFiles | null;
  readonly log: Log;
  /** Whether paths, with the ids in them, are logged. */
  readonly logsPaths?: boolean;
}

/** What needs the scope `experiments`. */
const EXPERIMENT_PATHS = '/v1/experiments/*';

/** The whole service as a Hono app; entry points bind it, tests call `app.request`. */
export function createApp(deps: AppDeps) {
  const { concurrency, metrics, database } = deps;
  const most = concurrency.maxWaitMilliseconds;
  const digestAdmission = admission({ concurrency: concurrency.digests, most });
  const otherAdmission = admission({ concurrency: concurrency.others, most });
  const feeds = digestFeeds(deps.limits.streams);
  const app = new OpenAPIHono<ServiceEnv>();
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key from `tessera keys create`. Not needed on localhost until the first key is created.',
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return respond(ofHttpException(error));
    // Nobody reads this answer, which is none of the contract.
    if (error instanceof CallerGoneError) return new Response(null, { status: 499 });
    if (error instanceof OverloadedError) metrics.shed(error.reason);
    const answer = problemOf(error);
    if (answer.status >= 500 && answer.status !== 503)
      deps.reportError(error, { method: context.req.method, path: context.req.path });
    return respond(answer, [429, 503].includes(answer.status) ? { 'retry-after': '5' } : {});
  });
  app.notFound(() => respond(problem(404, 'not-found', 'Not found', 'No route matches this path.')));
  app.use(requestId());
  app.use(requestLog({ log: deps.log, paths: deps.logsPaths ?? false }));
  app.use(observe(metrics));
  app.use(knownAddress(app.router));
  app.use('/v1/*', privateAnswers);
  for (const path of ['/v1/*', '/metrics']) {
    app.use(path, authenticate(deps));
    app.use(path, rateLimit(deps.rate, { now: database.now, metrics, buckets: deps.buckets }));
  }
  app.use('/metrics', requireScope('admin'));
  app.use(EXPERIMENT_PATHS, requireScope('experiments'));
  app.use('/v1/*', except(EXPERIMENT_PATHS, requireScope('digests')));
  app.use('/v1/*', shedEarly({ digests: digestAdmission, others: otherAdmission }));
  app.use('/v1/*', bodyBudget(deps.maxBodyBytes));
  app.use('/v1/*', oneATurn());
  app.use(
    '/v1/*',
    bodyLimit({
      maxSize: deps.maxBodyBytes,
      onError: () =>
        respond(
          problem(
            413,
            'body-too-large',
            'Request body too large',
            `The request body may have at most ${deps.maxBodyBytes} bytes.`,
          ),
        ),
    }),
  );
  app.use('/v1/*', except(isBodyless, jsonOnly));
  app.use('/v1/*', boundedFields);
  app.use('/v1/*', idempotency(deps));
  // The order of the contract, and so of the API reference.
  return app
    .route('/', digestRoutes({ ...deps, digestAdmission, feeds }))
    .route('/', retryRoutes(deps))
    .route('/', digestSourceRoutes(deps, otherAdmission))
    .route('/', collectionRoutes(deps, otherAdmission))
    .route('/', keyPointRoutes(deps, otherAdmission))
    .route('/', selectionRoutes(deps, otherAdmission))
    .route('/', evaluationRoutes(deps, otherAdmission))
    .route('/', experimentRoutes(deps))
    .route('/', experimentRunRoutes(deps, otherAdmission))
    .route('/', experimentSubjectRoutes(deps))
    .route('/', webhookRoutes(deps))
    .route('/', healthRoutes(deps))
    .route('/', metricsRoutes(deps))
    .route('/', openApiRoutes(app))
    .route('/', pageRoutes(deps.page));
}

export type App = ReturnType<typeof createApp>;

function ofHttpException({ status, message }: HTTPException): Problem {
  if (status === 400) return problem(400, 'malformed-json', 'Malformed JSON', 'The request body is not valid JSON.');
  return problem(status, 'http-error', 'Request not supported', message);
}
