import type { SubscriptionRequest } from '../../contract/index.ts';
import { claimSubscriptions, endClaim, type StoredSubscription } from '../../store/index.ts';
import { contentHash } from '../../text/index.ts';
import { acceptDigest, requestPlanner } from '../jobs/accept-digest.ts';
import type { Worker } from '../jobs/start-worker.ts';
import type { Limits } from '../limits.ts';
import type { Log } from '../middleware/request-log.ts';
import { problemOf } from '../problem.ts';
import { depsFor, type ServiceDeps } from '../service-deps.ts';

interface RunDeps extends ServiceDeps {
  readonly service: { readonly limits: Limits; readonly quietMilliseconds: number };
  readonly worker: Pick<Worker, 'owner' | 'reserve' | 'wake'>;
  readonly log: Log;
}

/** Accepts the digests of due subscriptions, and returns their ids. */
export async function runSubscriptions(deps: RunDeps): Promise<string[]> {
  const accepted: string[] = [];
  for (const due of await claimSubscriptions(deps.database, deps.service.quietMilliseconds)) {
    const failed = (err: unknown): void => deps.log('error', { err, subscription: due.id }, 'subscription failed');
    await run(due, depsFor(deps, due.tenant), accepted).catch(failed);
  }
  return accepted;
}

async function run(due: StoredSubscription, deps: RunDeps, accepted: string[]): Promise<void> {
  const { database, worker } = deps;
  const { digestsPerTenant: most, characters: maxCharacters } = deps.service.limits;
  const asked: SubscriptionRequest = JSON.parse(due.request); // as it was checked
  const { intent, collection, webhook, sendEmpty } = asked;
  const end = (run?: object) => {
    const facts = { startedAt: new Date(database.now()).toISOString(), newDocuments: due.unseen, empty: null };
    return endClaim(database, due.id, run && JSON.stringify({ ...facts, ...run }));
  };
  try {
    if (due.unseen < asked.minDocuments) await database.commit([end()]);
    else {
      const report = typeof intent === 'string' ? { problem: intent } : intent;
      const news = due.digestId === null ? intent : { ...report, background: { digest: due.digestId } };
      const plan = (await requestPlanner({ intent: news }, deps))(asked);
      const id = await acceptDigest({ collection, callbackUrl: webhook?.url }, plan, deps, worker, {
        id: `dig_${contentHash(`${due.id} ${due.lastRun}`).slice(0, 32)}`, // no process can accept a run again
        parts: { subscription: { id: due.id, sendEmpty } },
        ...{ isAwaited: false, most, maxCharacters },
        statements: (digest) => [end({ digest })],
      });
      accepted.push(id);
    }
  } catch (failure) {
    const error = problemOf(failure);
    if (error.status >= 500) throw failure;
    // Too many digests under way: it stays due. Other problems stay until something is added.
    if (error.status !== 429) await database.commit([end({ digest: null, error })]);
  }
}
