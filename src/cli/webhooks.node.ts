import { type Database, rotateWebhookSecret, webhookSecrets } from '../store/index.ts';

/** How long a secret signs beside its successor: time to bring the new one to the receivers. */
const KEEP = 24 * 60 * 60 * 1000;

/** `tessera webhooks secret`: the line to print, which is the secret of the tenant; with `rotate` a new one. */
export async function webhookSecret(database: Database, { rotate }: { readonly rotate: boolean }): Promise<string> {
  if (rotate) return rotateWebhookSecret(database, KEEP);
  const [current] = await webhookSecrets(database);
  return current;
}
