import { type ClaimedWebhook, claimWebhooks, nextDue } from '../../store/index.ts';
import { type DeliveryDeps, deliverWebhook, LEASE, TIMEOUT } from './deliver.ts';

export interface WebhookDeps extends DeliveryDeps {
  /** Max pause between two database polls; 1 s by default. */
  readonly pollMilliseconds?: number | undefined;
  readonly concurrency?: number | undefined;
}

export interface Webhooks {
  wake(): void;
  stop(): Promise<void>;
}

/** Delivers due webhooks until stopped, alongside other processes. */
export function startWebhooks(deps: WebhookDeps): Webhooks {
  const { connection, pollMilliseconds = 1000, concurrency = 8, timeoutMilliseconds = TIMEOUT } = deps;
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  let isWoken = false;
  let looking: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wake(): void {
    isWoken = true;
    if (isStopped || looking !== null) return;
    clearTimeout(timer);
    looking = look().then((pause) => {
      looking = null;
      if (!isStopped) timer = setTimeout(wake, pause);
    });
  }

  /** Returns the milliseconds until the next poll. */
  async function look(): Promise<number> {
    let pause = pollMilliseconds;
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        pause = await take();
      } catch (error) {
        pause = pollMilliseconds;
        report(error);
      }
    }
    return pause;
  }

  async function take(): Promise<number> {
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
      wake();
    };
    const delivery = deliverWebhook(deps, webhook).then(end, end); // a report that throws does not end the loop
    underWay.add(delivery);
  }

  function report(error: unknown): void {
    try {
      deps.reportError?.(error);
    } catch {
      // Nobody is left to notify.
    }
  }

  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(underWay);
    },
  };
}
