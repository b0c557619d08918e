import { OpenAPIHono } from '@hono/zod-openapi';
import type { ServiceEnv } from '../service-deps.ts';

export const VERSION = '0.1.0';

const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'Tessera',
    version: VERSION,
    description:
      'Turns documents and a question into a short digest in which every sentence cites an exact quote. Errors are RFC 9457 problems. Every response has an `X-Request-Id`; where a rate limit is set, `RateLimit` tells how many requests are left. Every POST takes an `Idempotency-Key`.',
  },
  security: [{ key: [] }],
  tags: [
    { name: 'Digests', description: 'Short answers from many documents, with citations.' },
    { name: 'Collections', description: 'Documents that are stored and processed once for any number of digests.' },
    { name: 'Tables', description: 'Several questions over several documents, a cell each.' },
    { name: 'Key points', description: 'Extraction alone.' },
    { name: 'Selections', description: 'Selection alone, among your own items or the key points of a digest.' },
    { name: 'Evaluations', description: 'Scores of digests and other texts by published measures.' },
    { name: 'Experiments', description: 'A/B tests of digest options.' },
    { name: 'Subscriptions', description: 'Digests of what is new in a collection, made when documents are added.' },
    { name: 'Webhooks', description: 'Messages that a digest has ended, and what came of sending them.' },
    { name: 'Service', description: 'Health and metrics.' },
  ],
};

export function openApiRoutes(app: OpenAPIHono<ServiceEnv>) {
  const routes = new OpenAPIHono<ServiceEnv>();
  let document: ReturnType<typeof app.getOpenAPI31Document> | undefined;
  routes.get('/openapi.json', (context) => {
    document ??= app.getOpenAPI31Document(openApiInfo);
    return context.json(document);
  });
  return routes;
}
