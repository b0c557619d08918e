import type { MiddlewareHandler } from 'hono';
import { preferenceIn } from '../routes/prefer.ts';
import type { ServiceEnv } from '../service-env.ts';
import type { Admission } from './admission.ts';
import { OverloadedError } from './overloaded-error.ts';

/** Milliseconds between two refusals, and for which a caller waits for its refusal at most. */
const BETWEEN_REFUSALS = 2;
const MAX_PAUSE = 1000;

/**
 * Spaces out refusals: callers who come again at once are kept waiting, where refusing them all at once would take the time of
 * those who are served. A single refusal comes at once.
 *
 * @returns resolves when it is the next caller's turn
 */
export function pacer(now: () => number = () => performance.now()): () => Promise<void> {
  let next = 0;
  return () => {
    const time = now();
    const wait = Math.min(MAX_PAUSE, Math.max(0, next - time));
    next = time + wait + BETWEEN_REFUSALS;
    return wait === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait));
  };
}

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
  const pause = pacer();
  return async (context, next) => {
    const { method, path } = context.req;
    const isDigest = path === '/v1/digests';
    const isNote = path === '/v1/collections' || path.startsWith('/v1/experiments');
    const isWork = (method === 'PUT' || method === 'POST') && !isNote;
    const isAwaited = !isDigest || preferenceIn(context.req.header('prefer')).wait !== 0;
    const hasKey = context.req.header('idempotency-key') !== undefined;
    if (isWork && isAwaited && !hasKey && (isDigest ? digests : others).isFull(context.var.caller.tenant)) {
      await pause();
      throw new OverloadedError('waiting');
    }
    await next();
  };
}
