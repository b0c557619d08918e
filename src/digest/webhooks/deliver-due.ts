import { claimWebhooks } from '../../store/webhooks.ts';
import { type DeliveryParts, deliverWebhook, LEASE, TIMEOUT } from './deliver-webhook.ts';

/**
 * Makes one attempt at each message that is due, at once, beside others who may do the same.
 *
 * @param most messages
 */
export async function deliverDue(parts: DeliveryParts, most: number): Promise<void> {
  const { connection, timeoutMilliseconds = TIMEOUT } = parts;
  const taken = await claimWebhooks(connection, most, LEASE * timeoutMilliseconds);
  await Promise.all(taken.map((webhook) => deliverWebhook(parts, webhook)));
}
