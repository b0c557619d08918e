import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { digestParams, pendingDigestSchema, QUEUED } from '../../contract/index.ts';
import { countJobs, readDigest } from '../../store/index.ts';
import { DigestNotFailedError } from '../jobs/digest-not-failed-error.ts';
import { retryDigest } from '../jobs/retry-digest.ts';
import { OverloadedError } from '../middleware/overloaded-error.ts';
import { plain } from '../plain.ts';
import { conflict } from '../problem.ts';
import { onInvalid } from '../respond.ts';
import {
  bodylessProblems,
  conflicts,
  digestProblems,
  idempotencyHeaders,
  json,
  madeHeaders,
  missing,
  workProblems,
} from '../responses.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { callerDeps, type ServiceEnv } from '../service-env.ts';
import { DigestNotFoundError } from '../stored/digest-not-found-error.ts';
import type { DigestRouteDeps } from './answer-digest.ts';
import { pendingView } from './pending-view.ts';

const retry = createRoute({
  method: 'post',
  path: '/v1/digests/{id}/retry',
  operationId: 'retryDigest',
  tags: ['Digests'],
  summary: 'Retry a failed digest',
  description:
    'Makes a digest again whose work failed, from the same request and under the same id. Its end is reported by a new webhook with an id of its own.',
  request: { params: digestParams, headers: idempotencyHeaders },
  responses: {
    202: {
      ...json(pendingDigestSchema, 'Accepted. Poll `Location` for the digest.', {
        queued: { summary: 'Queued', value: QUEUED },
      }),
      headers: madeHeaders('/v1/digests/dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071'),
    },
    ...missing('There is no digest with this id.'),
    ...bodylessProblems,
    ...conflicts('The digest has not failed', conflict(new DigestNotFailedError(''))),
    429: digestProblems[429],
    503: workProblems[503],
  },
});

export function retryRoutes(deps: ServiceDeps & Pick<DigestRouteDeps, 'worker' | 'limits' | 'metrics'>) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(retry, async (context) => {
    const { database, worker, limits, metrics } = callerDeps(context, deps);
    const { id } = context.req.valid('param');
    if ((await countJobs(database)).queued >= limits.queuedDigests) throw new OverloadedError('queue');
    const run = await retryDigest(id, database, limits.digestsPerTenant);
    metrics.job('queued');
    worker.wake(id, run);
    const stored = await readDigest(database, id);
    if (stored === undefined) throw new DigestNotFoundError(id);
    return context.json(plain(pendingView(stored)), 202, { location: `/v1/digests/${id}` });
  });
}
