import { Webhook } from 'standardwebhooks';
import {
  type ClaimedWebhook,
  type Connection,
  endWebhook,
  forTenant,
  postponeWebhook,
  webhookSecrets,
} from '../../store/index.ts';
import { TesseraError } from '../../text/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each attempt, from the end of the one before: the schedule of Standard Webhooks, about three days. */
const WAITS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** How far a wait may be off, so that messages that failed together do not come again together. */
const JITTER = 0.1;

/**
 * Milliseconds to wait after an attempt that failed; null after the last.
 *
 * @param attempt which it was, from 1
 * @param asked milliseconds that the receiver asks to wait: may make the wait as long as the step after it, not shorter
 * @param random from 0 to 1
 */
export function waitAfter(attempt: number, asked: number | null, random: () => number): number | null {
  const wait = WAITS[attempt];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.max(jittered, Math.min(asked ?? 0, WAITS[attempt + 1] ?? wait)));
}

/** What came of sending: the status of the answer, or the name of what went wrong. */
type Answer =
  | {
      readonly status: number;
      /** Milliseconds that the receiver asks to wait. */
      readonly retryAfter: number | null;
    }
  | { readonly failure: string };

/** What becomes of the message, and why. */
type Verdict =
  | { readonly state: 'delivered' | 'failed'; readonly outcome: string }
  | { readonly state: 'waiting'; readonly outcome: string; readonly waitMilliseconds: number };

/** The receiver wants no more of it. */
const GONE = 410;

/** Judges an attempt, counted from 1: delivered by any 2xx, and otherwise tried again while the schedule lasts. */
export function judgeAnswer(answer: Answer, attempt: number, random: () => number): Verdict {
  if ('failure' in answer) return again(answer.failure, attempt, null, random);
  const { status, retryAfter } = answer;
  const outcome = String(status);
  if (status >= 200 && status < 300) return { state: 'delivered', outcome };
  if (status === GONE) return { state: 'failed', outcome };
  return again(outcome, attempt, retryAfter, random);
}

function again(outcome: string, attempt: number, asked: number | null, random: () => number): Verdict {
  const waitMilliseconds = waitAfter(attempt, asked, random);
  return waitMilliseconds === null ? { state: 'failed', outcome } : { state: 'waiting', outcome, waitMilliseconds };
}

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

export interface DeliveryDeps {
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
export async function deliverWebhook(deps: DeliveryDeps, webhook: ClaimedWebhook): Promise<void> {
  const { connection, report, random = Math.random } = deps;
  try {
    const secrets = await webhookSecrets(forTenant(connection, webhook.tenant));
    const headers = signWebhook(webhook, connection.now(), secrets);
    const verdict = judgeAnswer(await attempt(deps, webhook, headers), webhook.attempt, random);
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
    deps.reportError?.(error);
  }
}

async function attempt(
  { send, timeoutMilliseconds = TIMEOUT }: DeliveryDeps,
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

/**
 * The headers of Standard Webhooks for a message: who receives it checks them with the secret.
 *
 * @param now milliseconds since 1970; receivers refuse old messages, so each attempt is signed anew
 * @param secrets `whsec_…`; each gives a signature
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
