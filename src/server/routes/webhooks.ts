import { OpenAPIHono } from '@hono/zod-openapi';
import * as contract from '../../contract/index.ts';
import { listWebhooks, type StoredWebhook } from '../../store/index.ts';
import { parseUrl } from '../../text/index.ts';
import { onInvalid } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceDeps, type ServiceEnv } from '../service-deps.ts';
import { resendWebhook } from '../webhooks/deliver.ts';

const api = answers.operations('Webhooks');

const list = api.get('/v1/webhooks', 'listWebhooks', 'List webhooks', {
  description: 'The newest first. With `status=failed`, those that were given up after their last attempt.',
  request: { query: contract.webhookQuery },
  responses: {
    200: answers.json(
      contract.webhookListSchema,
      'A page of webhooks.',
      answers.example('A page', { webhooks: [contract.FAILED_WEBHOOK], next: null }),
    ),
    ...answers.readProblems,
  },
});

const retry = api.post('/v1/webhooks/{id}/retry', 'retryWebhook', 'Retry a failed webhook', {
  description: 'Sends a webhook again that was given up, under the same id, up to ten times as at first.',
  request: { params: contract.webhookParams, headers: answers.idempotencyHeaders },
  responses: {
    202: {
      ...answers.json(
        contract.webhookSchema,
        'The webhook is to be sent again.',
        answers.example('Waiting', contract.WAITING_WEBHOOK),
      ),
      headers: answers.replayHeaders,
    },
    ...answers.missing('There is no webhook with this id.'),
    ...answers.bodylessProblems,
    ...answers.conflicts('The webhook has not failed', 'webhook-not-failed'),
  },
});

export function webhookRoutes(deps: ServiceDeps) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(list, async (context) => {
      const { status, ...page } = context.req.valid('query');
      const { rows, next } = await listWebhooks(callerDeps(context, deps).database, page, status);
      return context.json({ webhooks: rows.map(entryOf), next }, 200);
    })
    .openapi(retry, async (context) => {
      const { id } = context.req.valid('param');
      return context.json(entryOf(await resendWebhook(id, callerDeps(context, deps).database)), 202);
    });
}

function entryOf(webhook: StoredWebhook): contract.WebhookEntry {
  const { id, digestId, url, state, attempt, notBefore, outcome, createdAt, endedAt } = webhook;
  return {
    id,
    digest: digestId,
    target: parseUrl(url)?.origin ?? '',
    status: state as contract.WebhookEntry['status'], // only this service writes states
    attempts: attempt,
    outcome,
    createdAt: new Date(createdAt).toISOString(),
    nextAttemptAt: state === 'waiting' ? new Date(notBefore).toISOString() : null,
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  };
}
