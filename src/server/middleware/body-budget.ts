import type { MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../service-env.ts';
import { tenantTally } from '../tenant-tally.ts';
import { OverloadedError } from './overloaded-error.ts';

/** Bytes below which a body counts nothing: as many of them as there may be callers fit in memory. */
const SMALL = 256 * 1024;
/** Largest bodies that are held at once. */
const BODIES = 3;

/**
 * Bounds the bytes of the bodies that are read and worked on at once, which take many times as much memory as values: three of
 * the largest in all, and half of that for a tenant. Whoever comes with more is turned away before the body is read. One body
 * always fits.
 *
 * @param maxBytes of one body, which one counts for that does not say how large it is
 */
export function bodyBudget(maxBytes: number): MiddlewareHandler<ServiceEnv> {
  const most = BODIES * maxBytes;
  const held = tenantTally();
  return async (context, next) => {
    if (!['POST', 'PUT', 'PATCH'].includes(context.req.method)) return next();
    const isChunked = context.req.header('transfer-encoding') !== undefined;
    const bytes = Math.min(maxBytes, isChunked ? maxBytes : Number(context.req.header('content-length') ?? 0));
    if (!(bytes > SMALL)) return next();
    const { tenant } = context.var.caller;
    const own = held.of(tenant);
    if ((own > 0 && own + bytes > most / 2) || (held.all > 0 && held.all + bytes > most)) {
      throw new OverloadedError('bodies');
    }
    const release = held.take(tenant, bytes);
    try {
      return await next();
    } finally {
      release();
    }
  };
}
