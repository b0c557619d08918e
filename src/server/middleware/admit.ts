import type { Context } from 'hono';
import { TesseraError } from '../../text/index.ts';
import { depsFor, type ServiceDeps } from '../service-deps.ts';
import type { ServiceEnv } from '../service-env.ts';
import type { Admission } from './admission.ts';
import { OverloadedError } from './overloaded-error.ts';

/** The caller went away; the answer is read by nobody. */
export class CallerGoneError extends TesseraError {
  readonly code = 'caller-gone';

  constructor(cause: unknown) {
    super('The caller has closed the connection.', { cause });
  }
}

/**
 * Does work that a caller waits for, if it can be begun in good time, with the tenant's share of the service. It ends with its
 * caller, unless the caller sent an idempotency key and may come back for the answer.
 *
 * @param work given a signal that says that nobody waits any more
 * @throws OverloadedError, and CallerGoneError where the caller went away
 */
export async function admit<Deps extends ServiceDeps, T>(
  context: Context<ServiceEnv>,
  admission: Admission,
  deps: Deps,
  work: (own: Deps, signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { tenant } = context.var.caller;
  const leave = admission.enter(tenant);
  if (leave === null) throw new OverloadedError('waiting');
  const signal = context.get('keyed') === undefined ? context.req.raw.signal : undefined;
  try {
    const own = depsFor(deps, tenant, signal);
    // What was called off did not fail.
    const reportFailure: ServiceDeps['reportFailure'] = (failure, where) => {
      if (!signal?.aborted) deps.reportFailure(failure, where);
    };
    return await work({ ...own, reportFailure }, signal);
  } catch (failure) {
    throw signal?.aborted ? new CallerGoneError(failure) : failure;
  } finally {
    leave();
  }
}
