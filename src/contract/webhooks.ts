import { z } from '@hono/zod-openapi';
import { pageQuery } from './collections.ts';
import { nextCursor, type TypeOf } from './fields.ts';

const WEBHOOK_STATUSES = ['waiting', 'delivered', 'failed'] as const;

/** A webhook that failed after its last attempt. */
export const FAILED_WEBHOOK = {
  id: 'msg_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  target: 'https://app.example.org',
  status: 'failed',
  attempts: 10,
  outcome: '503',
  createdAt: '2026-11-21T09:30:00.000Z',
  nextAttemptAt: null,
  endedAt: '2026-11-24T13:05:00.000Z',
};

export const WAITING_WEBHOOK = {
  ...FAILED_WEBHOOK,
  status: 'waiting',
  attempts: 0,
  nextAttemptAt: '2026-11-25T08:00:00.000Z',
  endedAt: null,
};

const time = z.iso.datetime();

/** A message that a digest has ended, and its delivery. */
export const webhookSchema = z
  .strictObject({
    id: z.string().openapi({ description: 'The `webhook-id` header that the receiver gets.' }),
    digest: z.string(),
    target: z.string().openapi({
      description: 'Scheme and host of the callback URL; the rest is not shown, since it may hold a secret.',
    }),
    status: z.enum(WEBHOOK_STATUSES),
    attempts: z.int().min(0),
    outcome: z.string().nullable().openapi({
      description: 'Result of the last attempt: an HTTP status, or the name of what went wrong; null before the first.',
    }),
    createdAt: time,
    nextAttemptAt: time
      .nullable()
      .openapi({ description: 'When it is sent next; null once it is delivered or failed.' }),
    endedAt: time.nullable(),
  })
  .openapi('Webhook', { example: FAILED_WEBHOOK });
export type WebhookEntry = TypeOf<typeof webhookSchema>;

export const webhookListSchema = z
  .strictObject({
    webhooks: z.array(webhookSchema),
    next: nextCursor,
  })
  .openapi('Webhooks', { example: { webhooks: [FAILED_WEBHOOK], next: null } });

export const webhookQuery = pageQuery.extend({ status: z.enum(WEBHOOK_STATUSES).optional() });

export const webhookParams = z.object({ id: z.string().openapi({ example: FAILED_WEBHOOK.id }) });
