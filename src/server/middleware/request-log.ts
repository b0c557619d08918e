import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Caller, ServiceEnv } from '../service-deps.ts';
import type { ServiceMetrics } from '../service-metrics.ts';

const HEADER = 'X-Request-Id';
const USABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's `X-Request-Id` if it is safe for logs. Hono's own allows other characters, and is missing from responses of error handlers. */
export const requestId: MiddlewareHandler<ServiceEnv> = async (context, next) => {
  const given = context.req.header(HEADER);
  const id = given !== undefined && USABLE.test(given) ? given : crypto.randomUUID();
  context.set('requestId', id);
  await next();
  context.header(HEADER, id);
};

const OTHER = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function routeOf(context: Context): string {
  // Middleware is registered for all methods.
  const route = matchedRoutes(context).findLast(({ method }) => method !== 'ALL');
  return route?.path.replaceAll(/\/:(\w+)(?:\{[^/]*\})?\??/g, '/{$1}') ?? OTHER;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Log = (level: LogLevel, fields: Readonly<Record<string, unknown>>, message: string) => void;

const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs and times each request, right after `requestId`. Logs no body, query string or header, and only the route, since paths contain ids. */
export function requestLog(log: Log, metrics: Pick<ServiceMetrics, 'time'>): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const milliseconds = performance.now() - start;
    const { method } = context.req;
    const route = routeOf(context);
    const { status, headers } = context.res;
    metrics.time('requests', { method: METHODS.has(method) ? method : OTHER, route, status }, milliseconds / 1000);
    // Missing if the request failed before authentication, or needs none.
    const caller: Caller | undefined = context.var.caller;
    const bytes = headers.get('content-length');
    const fields = {
      requestId: context.var.requestId,
      method,
      route,
      status,
      milliseconds: Math.round(10 * milliseconds) / 10,
      ...(caller && { tenant: caller.tenant, key: caller.key }),
      ...(bytes !== null && { bytes: Number(bytes) }),
      ...(headers.get('content-type')?.startsWith('text/event-stream') && { streamed: true }),
    };
    log(levelOf(status, route), fields, 'request');
  };
}

function levelOf(status: number, route: string): LogLevel {
  if (status === 503) return 'warn'; // load shedding
  if (status >= 500) return 'error';
  return QUIET.has(route) ? 'debug' : 'info';
}
