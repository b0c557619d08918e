import { type Connection, forTenant } from '../../store/database.ts';
import { webhookSecrets } from '../../store/webhook-secrets.ts';
import { type ClaimedWebhook, endWebhook, postponeWebhook } from '../../store/webhooks.ts';
import { TesseraError } from '../../contract/tessera-error.ts';
import { type Answer, judgeAnswer } from './judge-answer.ts';
import { signWebhook } from './sign-webhook.ts';

/**
 * Posts a body and says how it was answered: status, and how many milliseconds the receiver asks to wait. Follows no
 * redirects. Fails where there is no answer; the failure's `code` names why.
 */
export type SendWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly retryAfter: number | null }>;

/** How an attempt ended, as a log may tell it. */
export interface WebhookReport {
  readonly id: string;
  readonly tenant: string;
  readonly digestId: string;
  /** Protocol and host: paths and queries of callback URLs often carry keys. */
  readonly origin: string;
  readonly attempt: number;
  readonly state: 'delivered' | 'failed' | 'waiting';
  /** A status, or the name of a failure. */
  readonly outcome: string;
  /** Milliseconds until the next attempt; null where there is none. */
  readonly waitMilliseconds: number | null;
}

export interface DeliveryParts {
  readonly connection: Connection;
  readonly send: SendWebhook;
  /** Is told of each attempt. */
  readonly report?: ((report: WebhookReport) => void) | undefined;
  /** Is told when the database cannot be read or written; the message becomes due again when its lease ends. */
  readonly reportError?: ((error: unknown) => void) | undefined;
  /** How long an attempt may take, should `send` not end by itself before; 20 s by default. */
  readonly timeoutMilliseconds?: number | undefined;
  readonly random?: (() => number) | undefined;
}

export const TIMEOUT = 20_000;
/** A lease is so many times as long as an attempt may take. */
export const LEASE = 3;

/** Makes one attempt at a message that was claimed, and keeps what came of it. Never fails. */
export async function deliverWebhook(parts: DeliveryParts, webhook: ClaimedWebhook): Promise<void> {
  const { connection, report, random = Math.random } = parts;
  try {
    const secrets = await webhookSecrets(forTenant(connection, webhook.tenant));
    const headers = signWebhook(webhook, connection.now(), secrets);
    const verdict = judgeAnswer(await attempt(parts, webhook, headers), webhook.attempt, random);
    const { state, outcome } = verdict;
    const waitMilliseconds = verdict.state === 'waiting' ? verdict.waitMilliseconds : null;
    const counted =
      verdict.state === 'waiting'
        ? await postponeWebhook(connection, webhook, connection.now() + verdict.waitMilliseconds, outcome)
        : await endWebhook(connection, webhook, verdict.state, outcome);
    if (!counted) return; // the lease had ended, and another process tells of it
    const { id, tenant, digestId } = webhook;
    const origin = originOf(webhook.url);
    report?.({ id, tenant, digestId, origin, attempt: webhook.attempt, state, outcome, waitMilliseconds });
  } catch (error) {
    parts.reportError?.(error);
  }
}

async function attempt(
  { send, timeoutMilliseconds = TIMEOUT }: DeliveryParts,
  { url, payload }: ClaimedWebhook,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      resolve({ failure: 'timeout' });
      controller.abort();
    }, timeoutMilliseconds);
  });
  try {
    // Not left to `send` alone: who stops waits for this.
    return await Promise.race([send(url, headers, payload, controller.signal), late]);
  } catch (error) {
    return { failure: nameOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The name of a failure: messages may repeat the URL. */
function nameOf(error: unknown): string {
  if (error instanceof TesseraError) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : 'network-failure';
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
