import type { D1Database, Queue, Workflow } from '@cloudflare/workers-types';
import type { RunModel } from '../../../models/index.ts';
import type { TenantRates } from './tenant-rate.worker.ts';

/** Names a digest whose job is to be done. */
export interface JobMessage {
  readonly id: string;
  /** Which run of it this is; the first where it is absent. */
  readonly run?: number;
}

/** What wrangler.toml binds, and the variables and secrets beside it. */
export interface EdgeEnv {
  readonly DB: D1Database;
  readonly JOBS: Queue<JobMessage>;
  readonly DIGESTS: Workflow<JobMessage>;
  /** Requests of tenants, counted for all isolates; where it is absent each counts for itself. */
  readonly RATES?: TenantRates;
  /** Workers AI; absent where an encoder behind an endpoint is used. */
  readonly AI?: EdgeAi;
  readonly [variable: string]: unknown;
}

interface EdgeAi {
  run: RunModel;
}
