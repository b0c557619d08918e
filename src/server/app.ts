import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { except } from 'hono/combine';
import { HTTPException } from 'hono/http-exception';
import type { Problem } from '../contract/index.ts';
import type { Database } from '../store/index.ts';
import { admission } from './middleware/admission.ts';
import { type AuthenticateParts, authenticate } from './middleware/authenticate.ts';
import { idempotency } from './middleware/idempotency.ts';
import { jsonOnly } from './middleware/json-only.ts';
import { observe } from './middleware/observe.ts';
import { OverloadedError } from './middleware/overloaded-error.ts';
import { type RateLimit, rateLimit } from './middleware/rate-limit.ts';
import { requestId } from './middleware/request-id.ts';
import { type Log, requestLog } from './middleware/request-log.ts';
import { requireScope } from './middleware/require-scope.ts';
import { shedEarly } from './middleware/shed-early.ts';
import type { TokenBuckets } from './middleware/token-bucket.ts';
import { problem, problemOf } from './problem.ts';
import { respond } from './respond.ts';
import type { DigestRouteParts } from './routes/answer-digest.ts';
import { type CollectionParts, collectionRoutes } from './routes/collections.ts';
import { digestSourceRoutes } from './routes/digest-sources.ts';
import { digestRoutes } from './routes/digests.ts';
import { docsRoutes } from './routes/docs-routes.ts';
import { evaluationRoutes } from './routes/evaluations.ts';
import { experimentRunRoutes, isBodyless } from './routes/experiment-runs.ts';
import { experimentSubjectRoutes } from './routes/experiment-subjects.ts';
import { experimentRoutes } from './routes/experiments.ts';
import { healthRoutes } from './routes/health.ts';
import { keyPointRoutes } from './routes/key-points.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { type PageFiles, pageRoutes } from './routes/page-routes.ts';
import { selectionRoutes } from './routes/selections.ts';
import type { ServiceEnv } from './service-env.ts';

/** What the HTTP service is built from. */
export interface AppParts extends Omit<DigestRouteParts, 'digestAdmission'>, CollectionParts, AuthenticateParts {
  readonly database: Database;
  /** Answers once the database can be read and written. */
  readonly ready: () => Promise<void>;
  /** Largest body in bytes. */
  readonly maxBodyBytes: number;
  /** Requests of a tenant; null for any number. */
  readonly rate: RateLimit | null;
  /** What is left of the rate, where there is an app for each request; an app keeps count itself by default. */
  readonly buckets?: TokenBuckets | undefined;
  /** Hands that do digests, and hands that do other work, at once; and how long a caller may wait for one. */
  readonly hands: { readonly digests: number; readonly others: number; readonly patienceMilliseconds: number };
  /** The page to look at; null where there is none, or the runtime serves it before the app is asked. */
  readonly page: PageFiles | null;
  readonly log: Log;
  /** Whether paths, with the ids in them, are logged. */
  readonly logsPaths?: boolean;
}

/** What needs the scope `experiments`. */
const EXPERIMENT_PATHS = '/v1/experiments/*';

/** The whole service as a Hono app; entry points bind it, tests call `app.request`. */
export function createApp(parts: AppParts) {
  const { hands, metrics, database } = parts;
  const most = hands.patienceMilliseconds;
  const digestAdmission = admission({ hands: hands.digests, most });
  const otherAdmission = admission({ hands: hands.others, most });
  const app = new OpenAPIHono<ServiceEnv>();
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of `tessera keys create`; none is needed on loopback as long as none was made.',
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return respond(ofHttpException(error));
    if (error instanceof OverloadedError) metrics.shed(error.reason);
    const answer = problemOf(error);
    if (answer.status >= 500 && answer.status !== 503)
      parts.reportError(error, { method: context.req.method, path: context.req.path });
    return respond(answer, [429, 503].includes(answer.status) ? { 'retry-after': '5' } : {});
  });
  app.notFound(() => respond(problem(404, 'not-found', 'Not found', 'There is nothing at this address.')));
  app.use(requestId());
  app.use(requestLog({ log: parts.log, paths: parts.logsPaths ?? false }));
  app.use(observe(metrics));
  for (const path of ['/v1/*', '/metrics']) {
    app.use(path, authenticate(parts));
    app.use(path, rateLimit(parts.rate, { now: database.now, metrics, buckets: parts.buckets }));
  }
  app.use('/metrics', requireScope('admin'));
  app.use(EXPERIMENT_PATHS, requireScope('experiments'));
  app.use('/v1/*', except(EXPERIMENT_PATHS, requireScope('digests')));
  app.use('/v1/*', shedEarly({ digests: digestAdmission, others: otherAdmission }));
  app.use(
    '/v1/*',
    bodyLimit({
      maxSize: parts.maxBodyBytes,
      onError: () =>
        respond(
          problem(413, 'body-too-large', 'The body is too large', `At most ${parts.maxBodyBytes} bytes are accepted.`),
        ),
    }),
  );
  app.use('/v1/*', except(isBodyless, jsonOnly));
  app.use('/v1/*', idempotency(parts));
  return app
    .route('/', healthRoutes(parts))
    .route('/', metricsRoutes(parts))
    .route('/', docsRoutes(app))
    .route('/', pageRoutes(parts.page))
    .route('/', keyPointRoutes(parts, otherAdmission))
    .route('/', digestRoutes({ ...parts, digestAdmission }))
    .route('/', digestSourceRoutes(parts, otherAdmission))
    .route('/', selectionRoutes(parts, otherAdmission))
    .route('/', evaluationRoutes(parts, otherAdmission))
    .route('/', collectionRoutes(parts, otherAdmission))
    .route('/', experimentRoutes(parts))
    .route('/', experimentRunRoutes(parts, otherAdmission))
    .route('/', experimentSubjectRoutes(parts));
}

export type App = ReturnType<typeof createApp>;

function ofHttpException({ status, message }: HTTPException): Problem {
  if (status === 400)
    return problem(400, 'malformed-json', 'The body is not JSON', 'The body could not be read as JSON.');
  return problem(status, 'http-error', 'The request cannot be served', message);
}
