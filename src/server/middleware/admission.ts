import type { Context, MiddlewareHandler } from 'hono';
import { CallerGoneError, OverloadedError } from '../errors.ts';
import { tenantTally } from '../limits.ts';
import { depsFor, type ServiceDeps, type ServiceEnv } from '../service-deps.ts';
import { preferenceIn } from './http-fields.ts';

export interface Admission {
  /** Returns a function for the end of the work; null if the wait would be too long. */
  enter(tenant: string): (() => void) | null;
  isFull(tenant: string): boolean;
}

const NEWEST = 0.1;

/**
 * Refuses callers who would wait longer than `most` milliseconds: a caller waits the gap between departures for each caller ahead. Tenants take
 * turns, so each has at most as many callers ahead as the caller's own tenant. `concurrency` callers are never refused.
 */
export function admission(concurrency: number, most: number, now = () => performance.now()): Admission {
  const held = tenantTally();
  /** Mean time between departures while all places are taken; 0 if unknown. */
  let gap = 0;
  /** Shortest duration so far; divided by the concurrency, the initial estimate of the gap. */
  let fastest = 0;
  /** When the last place was taken, or a caller left since. */
  let since = 0;
  const isFull = (tenant: string): boolean => {
    if (held.all < concurrency) return false;
    const own = held.of(tenant);
    let first = 0;
    for (const count of held.each()) first += Math.min(count, own + 1);
    return Math.max(0, first - concurrency + 1) * (gap || fastest / Math.max(1, concurrency)) > most;
  };
  return {
    isFull,
    enter(tenant) {
      if (isFull(tenant)) return null;
      const release = held.take(tenant, 1);
      const came = now();
      if (held.all === Math.max(1, concurrency)) since = came;
      return () => {
        const wasFull = held.all >= concurrency;
        if (!release()) return;
        const time = now();
        fastest = fastest === 0 ? time - came : Math.min(fastest, time - came);
        if (!wasFull) return;
        gap = gap === 0 ? time - since : gap + NEWEST * (time - since - gap);
        since = time;
      };
    },
  };
}

/**
 * Runs work until its caller leaves, or to the end if an Idempotency-Key lets the caller return, or until the service stops.
 * @throws OverloadedError, CallerGoneError
 */
export async function admit<Deps extends ServiceDeps, T>(
  context: Context<ServiceEnv>,
  admission: Admission,
  deps: Deps,
  work: (own: Deps, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { tenant } = context.var.caller;
  const leave = admission.enter(tenant);
  if (leave === null) throw new OverloadedError('waiting');
  const gone = context.get('keyed') === undefined ? context.req.raw.signal : undefined;
  const { stopping } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  const end = (): void => ending.abort();
  // Node keeps each signal that AbortSignal.any makes of one that never aborts.
  const awaited = [gone, stopping].filter((each) => each !== undefined);
  for (const each of awaited) {
    if (each.aborted) end();
    else each.addEventListener('abort', end);
  }
  try {
    const own = depsFor(deps, tenant, signal);
    const reportFailure: ServiceDeps['reportFailure'] = (failure, where) => {
      if (!signal.aborted) deps.reportFailure(failure, where);
    };
    return await work({ ...own, reportFailure }, signal);
  } catch (failure) {
    if (gone?.aborted) throw new CallerGoneError('The caller has closed the connection.', { cause: failure });
    throw stopping?.aborted ? new OverloadedError('stopping') : failure;
  } finally {
    for (const each of awaited) each.removeEventListener('abort', end);
    leave();
  }
}

const BETWEEN_REFUSALS = 2;
const MAX_PAUSE = 1000;

/** Spaces out refusals, so that immediate retries do not slow down others. A single refusal is not delayed. */
function pacer(): () => Promise<void> {
  let next = 0;
  return () => {
    const time = performance.now();
    const wait = Math.min(MAX_PAUSE, Math.max(0, next - time));
    next = time + wait + BETWEEN_REFUSALS;
    return wait === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait));
  };
}

/** Refuses callers before reading their bodies. Requests with an Idempotency-Key pass, since their answer may exist already. */
export function shedEarly(digests: Admission, others: Admission): MiddlewareHandler<ServiceEnv> {
  const pause = pacer();
  return async (context, next) => {
    const { method, path } = context.req;
    const isDigest = path === '/v1/digests';
    const isNote = ['/v1/collections', '/v1/subscriptions'].includes(path) || path.startsWith('/v1/experiments');
    const isWork = (method === 'PUT' || method === 'POST') && !isNote;
    const isAwaited = !isDigest || preferenceIn(context.req.header('prefer')).wait !== 0;
    const hasKey = context.req.header('idempotency-key') !== undefined;
    if (isWork && isAwaited && !hasKey && (isDigest ? digests : others).isFull(context.var.caller.tenant)) {
      await pause();
      throw new OverloadedError('waiting');
    }
    await next();
  };
}
