import type { MiddlewareHandler } from 'hono';
import { preferenceIn } from '../routes/prefer.ts';
import type { ServiceEnv } from '../service-env.ts';
import type { Admission } from './admission.ts';
import { OverloadedError } from './overloaded-error.ts';

/**
 * Turns callers away who would have to wait too long, before their bodies are read: refusing costs less than serving then. Who
 * sends a key may be given an answer that is there already; the route decides.
 */
export function shedEarly({
  digests,
  others,
}: {
  readonly digests: Admission;
  readonly others: Admission;
}): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const { method, path } = context.req;
    const isDigest = path === '/v1/digests';
    const isNote = path === '/v1/collections' || path.startsWith('/v1/experiments');
    const isWork = (method === 'PUT' || method === 'POST') && !isNote;
    const isAwaited = !isDigest || preferenceIn(context.req.header('prefer')).wait !== 0;
    const hasApiKeys = context.req.header('idempotency-key') !== undefined;
    if (isWork && isAwaited && !hasApiKeys && (isDigest ? digests : others).isFull())
      throw new OverloadedError('waiting');
    await next();
  };
}
