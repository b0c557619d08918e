import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { METHODS } from 'hono/router';
import { parseUrl } from '../../text/index.ts';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import type { ServiceEnv } from '../service-env.ts';

const BAD_HOST = problem(400, 'malformed-host', 'The host is malformed', 'The Host header names no host.');

/** Refuses a request whose host makes no URL (400), and a method that the address does not have (405, with those that it has). */
export function knownAddress(router: Pick<OpenAPIHono<ServiceEnv>['router'], 'match'>): MiddlewareHandler {
  return async (context, next) => {
    if (parseUrl(context.req.url) === null) return respond(BAD_HOST);
    const { method, path } = context.req;
    const allowed = METHODS.map((each) => each.toUpperCase()).filter((each) =>
      router.match(each, path)[0].some(([[, route]]) => route.method === each),
    );
    if (allowed.includes('GET')) allowed.push('HEAD');
    if (allowed.length === 0 || allowed.includes(method)) return next();
    const allow = allowed.join(', ');
    const answer = problem(405, 'method-not-allowed', 'Method not allowed', `This address takes ${allow}.`);
    return respond(answer, { allow });
  };
}
