import { type ClaimedWebhook, claimWebhooks, nextDue } from '../../store/index.ts';
import { type DeliveryDeps, deliverWebhook, LEASE, TIMEOUT } from './deliver-webhook.ts';

export interface WebhookDeps extends DeliveryDeps {
  /** Longest pause between two looks into the database; 1 s by default. */
  readonly pollMilliseconds?: number | undefined;
  /** Attempts under way at once; 8 by default. */
  readonly concurrency?: number | undefined;
}

/** The delivery of webhooks by this process. */
export interface Webhooks {
  /** Looks for messages at once, for there may be a new one. */
  wake(): void;
  /** Takes no further messages, and waits for the attempts under way. */
  stop(): Promise<void>;
}

/** Delivers messages as they become due, beside other processes that do the same, until it is stopped. */
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

  /** Takes what is due; returns the milliseconds until the next look, unless something wakes it before. */
  async function look(): Promise<number> {
    let pause = pollMilliseconds;
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        pause = await take();
      } catch (error) {
        pause = pollMilliseconds;
        notify(error);
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
    const delivery = deliverWebhook(deps, webhook).then(end, end); // what reports may throw: the loop goes on
    underWay.add(delivery);
  }

  function notify(error: unknown): void {
    try {
      deps.reportError?.(error);
    } catch {
      // Nobody is left to be told.
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
