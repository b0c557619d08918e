import type { BatchItem } from 'drizzle-orm/batch';
import type { Context } from 'hono';
import { type DigestDeps, type DigestWork, type Engine, HERE } from '../digest/index.ts';
import { EVALUATIONS_HERE, type Evaluations } from '../evaluation/index.ts';
import { type Database, forTenant, type Scope, storeCache } from '../store/index.ts';

export interface ServiceDeps extends DigestDeps {
  readonly database: Database;
  readonly work: ServiceWork;
  /** Aborts once work that is not stored must end, as the service does. */
  readonly stopping?: AbortSignal | undefined;
}

/** Work that reads texts and a model's words: here, or in threads. */
interface ServiceWork extends DigestWork, Evaluations {}

export const WORK_HERE: ServiceWork = { ...HERE, ...EVALUATIONS_HERE };

/** Limits dependencies to the rows of one tenant and its share of the engine. `signal` aborts when nobody waits for the work. */
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
  /** Set where the service calls itself for a caller whom it knows; no request can set it. */
  Bindings: { readonly caller?: Caller };
  Variables: {
    readonly requestId: string;
    readonly caller: Caller;
    readonly keyed?: IdempotentCall;
  };
}

export function callerDeps<Parts extends { readonly database: Database }>(
  context: Context<ServiceEnv>,
  parts: Parts,
): Parts {
  return depsFor(parts, context.var.caller.tenant);
}

export interface IdempotentCall {
  /** The digest of an earlier attempt whose answer was lost; null if none. */
  readonly digest: string | null;
  readonly replays: number | null;
  bind(id: string): readonly BatchItem<'sqlite'>[];
  /** Refers to this digest as the answer, so that its body need not be stored. */
  answers(id: string): void;
}
