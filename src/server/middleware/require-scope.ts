import type { MiddlewareHandler } from 'hono';
import type { Scope } from '../../store/index.ts';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import type { ServiceEnv } from '../service-env.ts';

/** Refuses callers whose key is not for this; goes behind `authenticate`. */
export function requireScope(scope: Scope): MiddlewareHandler<ServiceEnv> {
  const refusal = problem(
    403,
    'insufficient-scope',
    'Insufficient scope',
    `This request needs a key with the scope "${scope}".`,
  );
  return async (context, next) => (context.var.caller.scopes.includes(scope) ? next() : respond(refusal));
}
