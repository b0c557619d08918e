import { z } from '@hono/zod-openapi';
import { digestOptions, digestRequestSchema, reportRequestSchema } from './digest-request.ts';
import { nextCursor, question, type TypeOf } from './fields.ts';
import { problemSchema } from './service.ts';
import { FAILED_WEBHOOK } from './webhooks.ts';

const REQUEST = { collection: 'col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92', intent: 'What did the council decide?' };
const ID = 'sub_8c2f1d7a9b3e4c56a0d1f2e3b4c5d6e7';
const { digest, createdAt, target } = FAILED_WEBHOOK;
const ANSWER = {
  ...REQUEST,
  ...{ id: ID, minDocuments: 1, sendEmpty: false, webhook: { target }, state: 'active' as const, createdAt },
  ...{ documents: { seen: 12, new: 0 }, lastDigest: digest },
  lastRun: { startedAt: createdAt, newDocuments: 2, digest, empty: false },
};

const time = z.iso.datetime();
const count = z.int().min(0);
const state = z.enum(['active', 'paused']);
const standing = {
  collection: digestRequestSchema.shape.collection.unwrap(),
  intent: z.union([question.min(1), reportRequestSchema.omit({ background: true })]),
  ...digestOptions,
  minDocuments: z.int().min(1).max(10_000).default(1).openapi({ description: 'New documents to wait for.' }),
  sendEmpty: z.boolean().default(false).openapi({ description: 'Whether to send digests that find nothing new.' }),
};

export const subscriptionParams = z.object({ id: z.string().openapi({ example: ID }) });

export const subscriptionRequestSchema = z
  .strictObject({
    ...standing,
    engine: digestRequestSchema.shape.engine,
    webhook: z.strictObject({ url: digestRequestSchema.shape.callbackUrl.unwrap() }).optional(),
  })
  .openapi('SubscriptionRequest', { example: { ...REQUEST, webhook: { url: 'https://app.example.org/hook' } } });
export type SubscriptionRequest = TypeOf<typeof subscriptionRequestSchema>;
export type SubscriptionInput = Partial<SubscriptionRequest> & Pick<SubscriptionRequest, 'collection' | 'intent'>;

export const subscriptionChangeSchema = z.strictObject({ state }).openapi({ example: { state: 'paused' } });

export const subscriptionSchema = z
  .strictObject({
    ...standing,
    id: z.string(),
    webhook: z.strictObject({ target: z.string() }).nullable().openapi({ description: 'Scheme and host of the URL.' }),
    state,
    documents: z.strictObject({ seen: count, new: count }),
    lastDigest: z.string().nullable().openapi({ description: 'Background of the next digest; null before the first.' }),
    lastRun: z
      .strictObject({
        startedAt: time,
        newDocuments: count,
        digest: z.string().nullable().openapi({ description: 'Null if it could not be started, for `error`.' }),
        empty: z.boolean().nullable().openapi({ description: 'Whether it found nothing new; null until it is made.' }),
        error: problemSchema.optional(),
      })
      .nullable(),
    createdAt: time,
  })
  .openapi('Subscription', { example: ANSWER });
export type Subscription = TypeOf<typeof subscriptionSchema>;

export const subscriptionsSchema = z
  .strictObject({ subscriptions: z.array(subscriptionSchema), next: nextCursor })
  .openapi('Subscriptions', { example: { subscriptions: [ANSWER], next: null } });
