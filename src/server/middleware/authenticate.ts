import type { MiddlewareHandler } from 'hono';
import type { Problem } from '../../contract/index.ts';
import {
  type ApiKey,
  type Connection,
  DEFAULT_TENANT,
  findKey,
  hasKeys,
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

/** Cache lifetime of a valid key in milliseconds: the delay of a revocation. */
const KEY_MILLISECONDS = 5000;
/** Cache lifetime of the absence of keys in milliseconds: the delay until the first key closes the service. */
const OPEN_MILLISECONDS = 1000;
const MAX_KEYS = 1000;

const ANYBODY: Caller = { tenant: DEFAULT_TENANT, key: null, scopes: SCOPES };

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
  const lookUp = rememberKeys(database);
  const hasApiKeys = rememberKeyed(database);
  return async (context, next) => {
    const token = bearerToken(context.req.header('authorization'));
    // Before the check for an open service, so that the first key works at once.
    const key = token === null ? undefined : await lookUp(token);
    if (key !== undefined) {
      context.set('caller', { tenant: key.tenant, key: key.id, scopes: key.scopes });
      return next();
    }
    // The same answer for malformed, unknown and revoked keys reveals nothing about existing ones.
    const refusal = token === null ? 'authentication-required' : 'invalid-key';
    if (await hasApiKeys()) return respond(refusal, { 'www-authenticate': 'Bearer' });
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

function rememberKeys(database: Connection): (key: string) => Promise<ApiKey | undefined> {
  const remembered = new Map<string, { readonly row: ApiKey; readonly at: number }>();
  return async (key) => {
    const time = database.now();
    const known = remembered.get(key);
    if (known !== undefined && isFresh(known.at, time, KEY_MILLISECONDS)) return known.row;
    remembered.delete(key);
    const row = await findKey(database, key);
    if (row === undefined) return undefined;
    if (remembered.size >= MAX_KEYS) remembered.clear();
    remembered.set(key, { row, at: time });
    await noteKeyUse(database, row).catch(() => undefined); // a full disk locks nobody out
    return row;
  };
}

/** True is cached forever. */
function rememberKeyed(database: Connection): () => Promise<boolean> {
  let hasApiKeys = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const time = database.now();
    if (hasApiKeys || isFresh(askedAt, time, OPEN_MILLISECONDS)) return hasApiKeys;
    hasApiKeys = await hasKeys(database);
    askedAt = time;
    return hasApiKeys;
  };
}

/** False if the clock was set back. */
function isFresh(at: number, time: number, milliseconds: number): boolean {
  return time >= at && time - at < milliseconds;
}
