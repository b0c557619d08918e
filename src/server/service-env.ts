import type { Context } from 'hono';
import type { Database, Scope } from '../store/index.ts';
import type { IdempotentCall } from './middleware/idempotent-call.ts';
import { depsFor } from './service-deps.ts';

/** Who asks. */
export interface Caller {
  readonly tenant: string;
  /** Null where nobody has a key, and none is needed. */
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

/** What middleware leaves for the routes. */
export interface ServiceEnv {
  Variables: {
    readonly requestId: string;
    readonly caller: Caller;
    /** Absent where the request came without an idempotency key. */
    readonly keyed?: IdempotentCall;
  };
}

/** The parts of the service as this caller may use them: over the rows of the caller's tenant. */
export function callerDeps<Parts extends { readonly database: Database }>(
  context: Context<ServiceEnv>,
  parts: Parts,
): Parts {
  return depsFor(parts, context.var.caller.tenant);
}
