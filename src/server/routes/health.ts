import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { readinessSchema } from '../../contract/index.ts';
import { failure, json, noRoom } from '../responses.ts';
import type { ServiceDeps } from '../service-deps.ts';

const health = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  tags: ['Service'],
  security: [],
  summary: 'Check liveness',
  description: 'Whether the process responds.',
  responses: {
    200: json(z.object({ status: z.literal('ok') }).openapi({ example: { status: 'ok' } }), 'The process responds.'),
  },
});

const readiness = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tags: ['Service'],
  security: [],
  summary: 'Check readiness',
  description: 'Whether the service can handle requests, and with which models.',
  responses: {
    200: json(readinessSchema, 'The service is ready.'),
    ...failure,
    ...noRoom,
  },
});

export interface HealthDeps extends Pick<ServiceDeps, 'engine' | 'models'> {
  /** Answers once the database can be read and written. */
  readonly ready: () => Promise<void>;
}

export function healthRoutes({ ready, engine, models }: HealthDeps) {
  return new OpenAPIHono()
    .openapi(health, (context) => context.json({ status: 'ok' as const }, 200))
    .openapi(readiness, async (context) => {
      await ready();
      return context.json(
        {
          status: 'ready' as const,
          encoder: engine.defaultEncoder,
          encoders: [...engine.encoders.keys()],
          rerankers: [...engine.rerankers.keys()],
          verifiers: [...engine.verifiers.keys()],
          matrix: engine.matrix,
          languageModel: models.model && { model: models.model.defaultModel },
          extractor: models.extractor,
          writer: models.writer,
        },
        200,
      );
    });
}
