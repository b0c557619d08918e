import type { MiddlewareHandler } from 'hono';
import type { Caller, ServiceEnv } from '../service-env.ts';
import { routeOf } from './observe.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes one structured line. */
export type Log = (level: LogLevel, fields: Readonly<Record<string, unknown>>, message: string) => void;

/** What asks for these asks every few seconds. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs one line for each request, once the head of its response is there: failures of the service as errors, probes for
 * debugging only. Of what the caller sent it holds the method and the request id; no body, query string or header, and
 * of the address only the route, unless `paths` is set.
 *
 * Goes right after `requestId`.
 *
 * @param options.paths whether to log the path with the ids in it: where the level is debug
 * @param options.now milliseconds of any clock
 */
export function requestLog({
  log,
  paths = false,
  now = () => performance.now(),
}: {
  readonly log: Log;
  readonly paths?: boolean;
  readonly now?: () => number;
}): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const start = now();
    await next();
    const { method, path } = context.req;
    const route = routeOf(context);
    const { status, headers } = context.res;
    // Nobody has said who calls where the request failed before, or where it does not matter.
    const caller: Caller | undefined = context.var.caller;
    const bytes = headers.get('content-length');
    log(
      levelOf(status, route),
      {
        requestId: context.var.requestId,
        method,
        route,
        ...(paths && { path }),
        status,
        milliseconds: Math.round(10 * (now() - start)) / 10,
        ...(caller && { tenant: caller.tenant, key: caller.key }),
        ...(bytes !== null && { bytes: Number(bytes) }),
        ...(headers.get('content-type')?.startsWith('text/event-stream') && { streamed: true }),
      },
      'request',
    );
  };
}

function levelOf(status: number, route: string): LogLevel {
  if (status === 503) return 'warn'; // turned away on purpose
  if (status >= 500) return 'error';
  return QUIET.has(route) ? 'debug' : 'info';
}
