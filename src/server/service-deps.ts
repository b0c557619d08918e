import type { BatchItem } from 'drizzle-orm/batch';
import type { Context } from 'hono';
import type { DigestDeps, Engine } from '../digest/index.ts';
import { type Database, forTenant, type Scope, storeCache } from '../store/index.ts';

/** The dependencies of digests, with the whole database. */
export interface ServiceDeps extends DigestDeps {
  readonly database: Database;
}

/**
 * The same dependencies, limited to the rows of one tenant and its share of the engine.
 *
 * @param signal aborted when nobody waits for the work any more
 */
export function depsFor<Deps extends { readonly database: Database; readonly engine?: Engine }>(
  deps: Deps,
  tenant: string,
  signal?: AbortSignal,
): Deps {
  const database = forTenant(deps.database, tenant);
  const engine = deps.engine?.forCaller?.(tenant, signal) ?? deps.engine;
  return { ...deps, database, cache: storeCache(database), ...(engine && { engine }) };
}

export interface Caller {
  readonly tenant: string;
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

export interface ServiceEnv {
  Variables: {
    readonly requestId: string;
    readonly caller: Caller;
    /** Absent without an Idempotency-Key. */
    readonly keyed?: IdempotentCall;
  };
}

/** The parts of the service, limited to the rows of the caller's tenant. */
export function callerDeps<Parts extends { readonly database: Database }>(
  context: Context<ServiceEnv>,
  parts: Parts,
): Parts {
  return depsFor(parts, context.var.caller.tenant);
}

/** The Idempotency-Key of a request, for its route. */
export interface IdempotentCall {
  /** The digest that an earlier attempt at this request made before its answer was lost; null if none. */
  readonly digest: string | null;
  /** The status of the stored answer, if the answer is a digest. */
  readonly replays: number | null;
  /** Statements to commit with the digest that the route makes. */
  bind(id: string): readonly BatchItem<'sqlite'>[];
  /** Declares that the answer is this digest, so that its body need not be stored. */
  answers(id: string): void;
}
