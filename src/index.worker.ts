import type { WorkCache } from './models/index.ts';
import { forTenant, storeCache } from './store/index.ts';
import { openD1 } from './store/index.worker.ts';

export * from './index.ts';
export { DEFAULT_WORKERS_AI, workersAiEncoder } from './models/index.ts';

/** A cache in a D1 database with the tables of `migrations/`. @param tenant whose rows are read and written */
export function d1Cache(binding: Parameters<typeof openD1>[0], tenant: string): WorkCache {
  return storeCache(forTenant(openD1(binding), tenant));
}
