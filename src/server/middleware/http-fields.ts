import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { accepts } from 'hono/accepts';
import { METHODS } from 'hono/router';
import { parseUrl } from '../../text/index.ts';
import { problem, respond } from '../problem.ts';
import type { ServiceEnv } from '../service-deps.ts';

export interface Preference {
  readonly wait: number | null;
  readonly applied: string | null;
}

/** Reads `Prefer: respond-async`, `Prefer: wait=10`, and both: then async after ten seconds. */
export function preferenceIn(header: string | undefined): Preference {
  const asked = (header ?? '').split(',').map((part) => part.split(';')[0].trim().toLowerCase());
  const isAsync = asked.includes('respond-async');
  const wait = asked
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  if (!isAsync && wait === undefined) return { wait: null, applied: null };
  const applied = [...(isAsync ? ['respond-async'] : []), ...(wait === undefined ? [] : [`wait=${Number(wait)}`])];
  return { wait: wait === undefined ? 0 : Number(wait), applied: applied.join(', ') };
}

export const STREAM = 'text/event-stream';

export function wantsStream(context: Context): boolean {
  const supports = ['application/json', STREAM];
  return accepts(context, { header: 'Accept', supports, default: supports[0] }) === STREAM;
}

/** Keeps a tenant's texts out of caches and other sites. */
export const privateAnswers: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  context.header('x-content-type-options', 'nosniff');
  context.header('cross-origin-resource-policy', 'same-origin');
  if (!headers.has('cache-control')) context.header('cache-control', 'no-store');
};

/** Answers 400 for an invalid host and 405 with `Allow` for unsupported methods. */
export function knownAddress(router: Pick<OpenAPIHono<ServiceEnv>['router'], 'match'>): MiddlewareHandler {
  return async (context, next) => {
    if (parseUrl(context.req.url) === null) return respond('malformed-host');
    const { method, path } = context.req;
    const allowed = METHODS.map((each) => each.toUpperCase()).filter((each) =>
      router.match(each, path)[0].some(([[, route]]) => route.method === each),
    );
    if (allowed.includes('GET')) allowed.push('HEAD');
    if (allowed.length === 0 || allowed.includes(method)) return next();
    const allow = allowed.join(', ');
    return respond(problem('method-not-allowed', `This address takes ${allow}.`), { allow });
  };
}
