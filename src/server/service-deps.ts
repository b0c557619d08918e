import type { DigestDeps } from '../digest/index.ts';
import { type Database, forTenant, storeCache } from '../store/index.ts';

/** What the service makes digests with: their dependencies, over a database that also keeps what callers made. */
export interface ServiceDeps extends DigestDeps {
  readonly database: Database;
}

/** The same dependencies over the rows of one tenant. */
export function depsFor<Deps extends { readonly database: Database }>(deps: Deps, tenant: string): Deps {
  const database = forTenant(deps.database, tenant);
  return { ...deps, database, cache: storeCache(database) };
}
