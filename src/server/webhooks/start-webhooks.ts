import { type ClaimedWebhook, claimWebhooks, nextDue } from '../../store/index.ts';
import { type Polling, poll } from '../jobs/poll.ts';
import { type DeliveryDeps, deliverWebhook, LEASE, TIMEOUT } from './deliver.ts';

export interface WebhookDeps extends DeliveryDeps {
  /** Max pause between two database polls; 1 s by default. */
  readonly pollMilliseconds?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** Delivers due webhooks until stopped, alongside other processes. */
export function startWebhooks(deps: WebhookDeps): Polling {
  const { connection, pollMilliseconds = 1000, concurrency = 8, timeoutMilliseconds = TIMEOUT } = deps;
  const underWay = new Set<Promise<void>>();
  const polling = poll(look, pollMilliseconds, (error) => deps.reportError?.(error));

  async function look(): Promise<number> {
    const free = concurrency - underWay.size;
    if (free <= 0) return pollMilliseconds; // the next attempt that ends wakes it
    const taken = await claimWebhooks(connection, free, LEASE * timeoutMilliseconds);
    for (const webhook of taken) deliver(webhook);
    if (taken.length === free) return pollMilliseconds;
    const due = await nextDue(connection);
    return due === null ? pollMilliseconds : Math.min(Math.max(due - connection.now(), 1), pollMilliseconds);
  }

  function deliver(webhook: ClaimedWebhook): void {
    const end = (): void => {
      underWay.delete(delivery);
      polling.wake();
    };
    const delivery = deliverWebhook(deps, webhook).then(end, end); // a report that throws does not end the loop
    underWay.add(delivery);
  }

  polling.wake();
  return {
    wake: polling.wake,
    async stop() {
      await polling.stop();
      await Promise.all(underWay);
    },
  };
}
