import type { MiddlewareHandler } from 'hono';
import type { Problem } from '../../contract/index.ts';
import {
  type Connection,
  DEFAULT_TENANT,
  findKey,
  hasKeys,
  isKeyValid,
  noteKeyUse,
  SCOPES,
  type Scope,
} from '../../store/index.ts';
import { problem, respond } from '../problem.ts';
import type { Caller, ServiceEnv } from '../service-deps.ts';

export interface AuthenticateDeps {
  readonly database: Connection;
  /** Serve anybody until the first key is created: true if bound to loopback. */
  readonly allowsOpen: boolean;
}

export const ANYBODY: Caller = { tenant: DEFAULT_TENANT, key: null, scopes: SCOPES };

const NO_KEYS = problem(
  'authentication-required',
  'No key exists yet: create one with "tessera keys create --name NAME" on the server, with --sql for D1.',
);

export function insufficientScope(scope: Scope): Problem {
  return problem('insufficient-scope', `This request needs a key with the scope "${scope}".`);
}

/** `localhost` and its subdomains, 127.0.0.0/8 and ::1, with or without a port. */
const LOOPBACK_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** Identifies the caller by `Authorization: Bearer tsr_…`. Until the first key is created, anybody on loopback is served. */
export function authenticate({ database, allowsOpen }: AuthenticateDeps): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const caller = context.env?.caller; // Hono's types do not say that a call without bindings has none
    if (caller !== undefined) {
      context.set('caller', caller);
      return next();
    }
    const token = bearerToken(context.req.header('authorization'));
    // Before the check for an open service, so that the first key works at once.
    const key = token === null ? undefined : await findKey(database, token);
    if (key !== undefined) {
      await noteKeyUse(database, key).catch(() => undefined); // a full disk locks nobody out
      context.set('caller', { tenant: key.tenant, key: key.id, scopes: key.scopes });
      const soon = performance.now() + 1000;
      await next();
      // Whoever waits for a digest waits longer.
      if (performance.now() > soon && !(await isKeyValid(database, key.id))) context.res = respond('invalid-key');
      return;
    }
    // The same answer for malformed, unknown and revoked keys reveals nothing about existing ones.
    const refusal = token === null ? 'authentication-required' : 'invalid-key';
    if (await hasKeys(database)) return respond(refusal, { 'www-authenticate': 'Bearer' });
    if (!allowsOpen) return respond(NO_KEYS, { 'www-authenticate': 'Bearer' });
    // A web page can resolve its own host name to loopback (DNS rebinding), and so have the same origin.
    if (!LOOPBACK_HOST.test(context.req.header('host') ?? new URL(context.req.url).host))
      return respond('foreign-host');
    context.set('caller', ANYBODY);
    return next();
  };
}

export function requireScope(scope: Scope): MiddlewareHandler<ServiceEnv> {
  const refusal = insufficientScope(scope);
  return async (context, next) => (context.var.caller.scopes.includes(scope) ? next() : respond(refusal));
}

function bearerToken(header: string | undefined): string | null {
  const scheme = /^bearer(?: +|$)/i.exec(header ?? '');
  return scheme === null || header === undefined ? null : header.slice(scheme[0].length).trimEnd();
}
