import { Webhook } from 'standardwebhooks';
import type { DigestStatus } from '../../contract/index.ts';
import {
  type ClaimedWebhook,
  type Connection,
  claimWebhooks,
  type Database,
  forTenant,
  nextDue,
  readWebhook,
  retryWebhook,
  type StoredWebhook,
  settleWebhook,
  type WebhookVerdict,
  webhookSecrets,
} from '../../store/index.ts';
import { parseUrl, TesseraError } from '../../text/index.ts';
import { DeliveryError, NotFoundError, ServiceError } from '../errors.ts';
import { type Polling, poll } from '../jobs/poll.ts';

/** The address of the digest, without its content. */
export function webhookPayload(digestId: string, status: DigestStatus | 'cancelled', now: number): string {
  return JSON.stringify({
    type: `digest.${status}`,
    timestamp: new Date(now).toISOString(),
    data: { id: digestId, status, url: `/v1/digests/${digestId}` },
  });
}

/** Retries a failed webhook under its id, with all its attempts. @throws NotFoundError; ServiceError if it has not failed */
export async function resendWebhook(id: string, database: Database): Promise<StoredWebhook> {
  const isRetried = await retryWebhook(database, id);
  const webhook = await readWebhook(database, id);
  if (webhook === undefined) throw new NotFoundError('webhook');
  if (!isRetried) throw new ServiceError('webhook-not-failed');
  return webhook;
}

const HOUR = 3600;

/** Milliseconds before each attempt: the schedule of Standard Webhooks, about three days. */
const WAITS: readonly number[] = [0, 5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR].map(
  (seconds) => 1000 * seconds,
);

/** Relative jitter, so that webhooks that failed together are not retried together. */
const JITTER = 0.1;

/** Milliseconds after a failed attempt (from 1), at most the next wait if the receiver has `asked` for more; null after the last. */
function waitAfter(attempt: number, asked: number | null, random: () => number): number | null {
  const wait = WAITS[attempt];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.max(jittered, Math.min(asked ?? 0, WAITS[attempt + 1] ?? wait)));
}

/** Delivered by any 2xx, otherwise retried while the schedule lasts, unless the receiver is gone (410). `attempt` starts at 1. */
function judgeAnswer({ outcome, retryAfter }: Answer, attempt: number, random: () => number): WebhookVerdict {
  if (/^2\d\d$/.test(outcome)) return { state: 'delivered', outcome, waitMilliseconds: null };
  const waitMilliseconds = outcome === '410' ? null : waitAfter(attempt, retryAfter, random);
  return { state: waitMilliseconds === null ? 'failed' : 'waiting', outcome, waitMilliseconds };
}

interface Answer {
  /** A status, or the name of a failure. */
  readonly outcome: string;
  /** Milliseconds. */
  readonly retryAfter: number | null;
}

/** Posts a body without following redirects. Rejects without an answer; the failure's `code` names the reason. */
export type SendWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly retryAfter: number | null }>;

export interface WebhookReport extends WebhookVerdict {
  readonly id: string;
  readonly tenant: string;
  readonly digestId: string;
  /** Protocol and host only, since paths and queries of callback URLs often carry keys. */
  readonly origin: string;
  readonly attempt: number;
}

export interface DeliveryDeps {
  readonly connection: Connection;
  readonly send: SendWebhook;
  readonly report?: ((report: WebhookReport) => void) | undefined;
  /** Called if the database fails; the webhook becomes due again when its lease ends. */
  readonly reportError?: ((error: unknown) => void) | undefined;
  /** Limit of an attempt if `send` does not end by itself; 20 s by default. */
  readonly timeoutMilliseconds?: number | undefined;
  readonly random?: (() => number) | undefined;
}

const TIMEOUT = 20_000;
const LEASE = 3;

/** Attempts due webhooks once, `atOnce` concurrently, in at most `rounds` batches, each after the slowest attempt of the previous one. */
export async function deliverDue(deps: DeliveryDeps, atOnce: number, rounds = 1): Promise<void> {
  const { connection, timeoutMilliseconds = TIMEOUT } = deps;
  for (let round = 0; round < rounds; round++) {
    const taken = await claimWebhooks(connection, atOnce, LEASE * timeoutMilliseconds);
    await Promise.all(taken.map((webhook) => deliverWebhook(deps, webhook)));
    if (taken.length < atOnce) return;
  }
}

/** Never rejects. */
export async function deliverWebhook(deps: DeliveryDeps, webhook: ClaimedWebhook): Promise<void> {
  const { connection, report, random = Math.random } = deps;
  try {
    const secrets = await webhookSecrets(forTenant(connection, webhook.tenant));
    const headers = signWebhook(webhook, connection.now(), secrets);
    const verdict = judgeAnswer(await attempt(deps, webhook, headers), webhook.attempt, random);
    if (!(await settleWebhook(connection, webhook, verdict))) return; // the lease has ended, and another process reports it
    const { id, tenant, digestId, url } = webhook;
    report?.({ id, tenant, digestId, origin: parseUrl(url)?.origin ?? '', attempt: webhook.attempt, ...verdict });
  } catch (error) {
    deps.reportError?.(error);
  }
}

async function attempt(
  { send, timeoutMilliseconds = TIMEOUT }: DeliveryDeps,
  { url, payload }: ClaimedWebhook,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  // Do not rely on `send` alone to end: a stopping process waits for this.
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DeliveryError('timeout', 'No answer in time.')));
  });
  try {
    const { status, retryAfter } = await Promise.race([send(url, headers, payload, signal), late]);
    return { outcome: String(status), retryAfter };
  } catch (error) {
    return { outcome: nameOf(error), retryAfter: null };
  }
}

/** Not the message, which may repeat the URL. */
function nameOf(error: unknown): string {
  if (error instanceof TesseraError) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : 'network-failure';
}

/**
 * The headers of Standard Webhooks. Each attempt is signed anew, since receivers refuse old signatures; one signature per `whsec_…` secret.
 */
export function signWebhook(
  { id, payload }: { readonly id: string; readonly payload: string },
  now: number,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const date = new Date(now);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, date, payload)).join(' '),
  };
}

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
