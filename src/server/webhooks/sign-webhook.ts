import { Webhook } from 'standardwebhooks';

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
