import { type Database, readWebhook, retryWebhook, type StoredWebhook } from '../../store/index.ts';
import { WebhookNotFailedError } from './webhook-not-failed-error.ts';
import { WebhookNotFoundError } from './webhook-not-found-error.ts';

/**
 * Sends a webhook again that could not be delivered, under its id and with all its attempts.
 *
 * @returns the webhook as it waits now
 * @throws WebhookNotFoundError, WebhookNotFailedError
 */
export async function resendWebhook(id: string, database: Database): Promise<StoredWebhook> {
  const isRetried = await retryWebhook(database, id);
  const webhook = await readWebhook(database, id);
  if (webhook === undefined) throw new WebhookNotFoundError(id);
  if (!isRetried) throw new WebhookNotFailedError(id);
  return webhook;
}
