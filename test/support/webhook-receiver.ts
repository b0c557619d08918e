import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

/** A message as it came, whose signature was right. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly digest: string;
  readonly body: string;
  /** How it was answered; null where the sender was gone by then. */
  status: number | null;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What was wrong with a message: each is a failure of the service. */
  readonly wrong: readonly string[];
}

export interface ReceiverOptions {
  /** Checks signatures, as `tessera webhooks secret` prints it. */
  readonly secret: string;
  /** What else must hold of a message when it comes; says what is wrong. */
  readonly check?: (received: Received) => string | null;
  /** How the n-th message is answered, and after how many milliseconds. */
  readonly answer?: (n: number) => { readonly status: number; readonly delay: number };
}

/** Receives webhooks on this machine until the test ends. */
export async function webhookReceiver({
  secret,
  check = () => null,
  answer = () => ({ status: 204, delay: 0 }),
}: ReceiverOptions): Promise<WebhookReceiver> {
  const verifier = new Webhook(secret);
  const received: Received[] = [];
  const wrong: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let count = 0;
  const checked = (message: Received): string | null => {
    try {
      return check(message);
    } catch (failure) {
      return String(failure);
    }
  };
  const server = createServer((request, response) => {
    const { status, delay } = answer(count++);
    text(request).then(
      (body) => {
        const message = verified(verifier, body, request.headers);
        if (typeof message === 'string') wrong.push(message);
        else {
          received.push(message);
          const problem = checked(message);
          if (problem !== null) wrong.push(problem);
        }
        const timer = setTimeout(() => {
          timers.delete(timer);
          if (response.destroyed) return;
          if (typeof message !== 'string') message.status = status;
          response.writeHead(status).end();
        }, delay);
        timers.add(timer);
      },
      () => {}, // the sender was killed while it sent
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const timer of timers) clearTimeout(timer);
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, wrong };
}

/** The message, or what is wrong with it. */
function verified(verifier: Webhook, body: string, headers: IncomingHttpHeaders): Received | string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    return `no headers of a webhook: ${JSON.stringify(headers)}`;
  }
  try {
    verifier.verify(body, { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature });
    const { type, data } = JSON.parse(body);
    return { id, type, digest: data.id, body, status: null };
  } catch (failure) {
    return `a message that is not right: ${String(failure)}: ${body}`;
  }
}
