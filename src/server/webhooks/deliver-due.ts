import { claimWebhooks } from '../../store/index.ts';
import { type DeliveryDeps, deliverWebhook, LEASE, TIMEOUT } from './deliver-webhook.ts';

/**
 * Makes one attempt at messages that are due, some at once, beside others who may do the same.
 *
 * @param atOnce attempts under way together
 * @param rounds of so many at most: each waits for the slowest of the one before
 */
export async function deliverDue(deps: DeliveryDeps, atOnce: number, rounds = 1): Promise<void> {
  const { connection, timeoutMilliseconds = TIMEOUT } = deps;
  for (let round = 0; round < rounds; round++) {
    const taken = await claimWebhooks(connection, atOnce, LEASE * timeoutMilliseconds);
    await Promise.all(taken.map((webhook) => deliverWebhook(deps, webhook)));
    if (taken.length < atOnce) return;
  }
}
