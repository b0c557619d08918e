import type { Context, MiddlewareHandler } from 'hono';
import type { Problem } from '../../contract/index.ts';
import {
  type ApiKey,
  type Connection,
  DEFAULT_TENANT,
  findKey,
  hasKeys,
  noteKeyUse,
  SCOPES,
} from '../../store/index.ts';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import type { Caller, ServiceEnv } from '../service-env.ts';

export interface AuthenticateDeps {
  readonly database: Connection;
  /** Whether it may serve everybody as long as no key was ever made: true where it is bound to loopback. */
  readonly allowsOpen: boolean;
}

/** A revoked key is refused after this long. */
const KEY_MILLISECONDS = 5000;
/** A service is closed this long after its first key was made. */
const OPEN_MILLISECONDS = 1000;
/** Keys that are remembered at most. */
const MAX_KEYS = 1000;

/** Who asks while no key was ever made. */
const ANYBODY: Caller = { tenant: DEFAULT_TENANT, key: null, scopes: SCOPES };

const NOT_AUTHENTICATED = 'Authentication required';
const NO_KEYS = problem(
  401,
  'authentication-required',
  NOT_AUTHENTICATED,
  'No key exists yet: create one with "tessera keys create --name NAME" on the server, with --sql for D1.',
);
const NO_KEY = problem(
  401,
  'authentication-required',
  NOT_AUTHENTICATED,
  'Send a key in the header "Authorization: Bearer tsr_…".',
);
/** One answer for what is mistyped, unknown or revoked: it tells nothing about which keys there are. */
const BAD_KEY = problem(401, 'invalid-key', 'Invalid key', 'The key is mistyped, unknown or revoked.');
const FOREIGN_HOST = problem(
  403,
  'foreign-host',
  'Foreign host',
  'Until a key exists, the service accepts only requests to localhost; create a key to use another host name.',
);

/** `localhost`, names under it, 127.0.0.0/8 and ::1, with or without a port. */
const LOOPBACK_HOST = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Finds out who asks, and refuses those it does not know: by `Authorization: Bearer tsr_…`, or anybody on loopback as
 * long as no key was ever made.
 */
export function authenticate({ database, allowsOpen }: AuthenticateDeps): MiddlewareHandler<ServiceEnv> {
  const lookUp = rememberKeys(database);
  const hasApiKeys = rememberKeyed(database);
  return async (context, next) => {
    const token = bearerToken(context.req.header('authorization'));
    // Before the question whether it is open: the first key holds from its first request on.
    const key = token === null ? undefined : await lookUp(token);
    if (key !== undefined) {
      context.set('caller', { tenant: key.tenant, key: key.id, scopes: key.scopes });
      return next();
    }
    if (await hasApiKeys()) return refuse(token === null ? NO_KEY : BAD_KEY);
    if (!allowsOpen) return refuse(NO_KEYS);
    // A page of the Web can have its own name lead to loopback, and would be of one origin with this service.
    if (!LOOPBACK_HOST.test(hostOf(context))) return respond(FOREIGN_HOST);
    context.set('caller', ANYBODY);
    return next();
  };
}

function refuse(answer: Problem): Response {
  const response = respond(answer);
  response.headers.set('www-authenticate', 'Bearer');
  return response;
}

/** What is sent as a key; null where nothing is. */
function bearerToken(header: string | undefined): string | null {
  const scheme = /^bearer(?: +|$)/i.exec(header ?? '');
  return scheme === null || header === undefined ? null : header.slice(scheme[0].length).trimEnd();
}

function hostOf({ req }: Context): string {
  return req.header('host') ?? new URL(req.url).host;
}

/** Looks keys up, and remembers those that are good for a few seconds. */
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
    // Who may ask does not hang on whether this could be written.
    await noteKeyUse(database, row).catch(() => undefined);
    return row;
  };
}

/** Tells whether a key was ever made, and remembers it: for ever once there was one. */
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

/** A clock that was set back makes nothing fresh for longer. */
function isFresh(at: number, time: number, milliseconds: number): boolean {
  return time >= at && time - at < milliseconds;
}
