import { type Listing, listing } from './listing.ts';
import { path, query } from './path.ts';
import type { Transport } from './transport.ts';
import type { ListOptions, PostOptions, WebhookEntry } from './types.ts';

export interface ListWebhooksOptions extends ListOptions {
  readonly status?: WebhookEntry['status'] | undefined;
}

/** Messages that digests have ended. */
export interface WebhooksClient {
  /** The messages of this key's tenant, with what came of them. */
  list(options?: ListWebhooksOptions): Listing<WebhookEntry>;
  /** Has a message that was given up sent again, under its id. */
  retry(id: string, options?: PostOptions): Promise<WebhookEntry>;
}

export function webhooksClient({ send }: Transport): WebhooksClient {
  return {
    list({ limit, cursor: first, status, signal } = {}) {
      return listing(async (cursor) => {
        const { body } = await send<{ readonly webhooks: readonly WebhookEntry[]; readonly next: string | null }>({
          method: 'GET',
          path: `/v1/webhooks${query({ limit, cursor, status })}`,
          signal,
        });
        return { items: body.webhooks, next: body.next };
      }, first);
    },
    async retry(id, { signal, idempotencyKey } = {}) {
      const at = path`/v1/webhooks/${id}/retry`;
      return (await send<WebhookEntry>({ method: 'POST', path: at, body: {}, signal, idempotencyKey })).body;
    },
  };
}
