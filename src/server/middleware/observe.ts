import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ServiceEnv } from '../service-env.ts';
import type { ServiceMetrics } from '../service-metrics.ts';

/** The route of requests for which there is none. */
const OTHER_ROUTE = 'other';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts requests by method, route and status, and how long they took; of a stream, until it began. Whatever a client
 * makes up, there are only so many values of each.
 */
export function observe(
  metrics: Pick<ServiceMetrics, 'request'>,
  now: () => number = () => performance.now(),
): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const start = now();
    await next();
    const { method } = context.req;
    metrics.request(
      METHODS.has(method) ? method : OTHER_ROUTE,
      routeOf(context),
      context.res.status,
      (now() - start) / 1000,
    );
  };
}

/** The address of the request's route as the OpenAPI document writes it, such as `/v1/digests/{id}`, without what stood for the id. */
export function routeOf(context: Context): string {
  // Middleware is registered for all methods, and routes for theirs.
  const route = matchedRoutes(context).findLast(({ method }) => method !== 'ALL');
  return route?.path.replaceAll(/\/:(\w+)(?:\{[^/]*\})?\??/g, '/{$1}') ?? OTHER_ROUTE;
}
