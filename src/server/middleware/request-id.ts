import type { MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../service-env.ts';

const HEADER = 'X-Request-Id';
const USABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Gives each request an id: the caller's `X-Request-Id` where it is fit for logs, else a new one. Every response says it.
 *
 * Hono's own allows other characters, and sets the header before the answer is there, which a `Response` that a route
 * or an error handler made itself does not carry.
 */
export function requestId(make: () => string = () => crypto.randomUUID()): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const given = context.req.header(HEADER);
    const id = given !== undefined && USABLE.test(given) ? given : make();
    context.set('requestId', id);
    await next();
    context.header(HEADER, id);
  };
}
