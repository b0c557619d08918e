import type { DigestParts } from '../digest/index.ts';
import { type Database, forTenant, storeCache } from '../store/index.ts';

/** What the service makes digests with: their parts, over a database that also keeps what callers made. */
export interface ServiceParts extends DigestParts {
  readonly database: Database;
}

/** The same parts over the rows of one tenant. */
export function partsOf<Parts extends { readonly database: Database }>(parts: Parts, tenant: string): Parts {
  const database = forTenant(parts.database, tenant);
  return { ...parts, database, cache: storeCache(database) };
}
