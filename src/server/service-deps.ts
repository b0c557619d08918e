import type { DigestDeps, Engine } from '../digest/index.ts';
import { type Database, forTenant, storeCache } from '../store/index.ts';

/** What the service makes digests with: their dependencies, over a database that also keeps what callers made. */
export interface ServiceDeps extends DigestDeps {
  readonly database: Database;
}

/**
 * The same dependencies over the rows of one tenant, with its share of the engine.
 *
 * @param signal given when nobody waits for what they are used for
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
