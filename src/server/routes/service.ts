import { OpenAPIHono, z } from '@hono/zod-openapi';
import { readinessSchema } from '../../contract/index.ts';
import { problem, respond } from '../problem.ts';
import { callerProblems, failure, json, missing, noRoom, operations } from '../responses.ts';
import type { ServiceDeps, ServiceEnv } from '../service-deps.ts';
import type { ServiceMetrics } from '../service-metrics.ts';

const api = operations('Service');

const health = api.get('/healthz', 'getHealth', 'Check liveness', {
  security: [],
  description: 'Whether the process responds.',
  responses: {
    200: json(z.object({ status: z.literal('ok') }).openapi({ example: { status: 'ok' } }), 'The process responds.'),
  },
});

const readiness = api.get('/readyz', 'getReadiness', 'Check readiness', {
  security: [],
  description: 'Whether the service can handle requests, and with which models.',
  responses: {
    200: json(readinessSchema, 'The service is ready.'),
    ...failure,
    ...noRoom,
  },
});

const EXAMPLE = `# HELP tessera_jobs Jobs that wait and that run, of all processes on this database.
# TYPE tessera_jobs gauge
tessera_jobs{state="queued"} 2
tessera_jobs{state="running"} 4
`;
const NO_METRICS = 'This service has no metrics.';

const metricsRoute = api.get('/metrics', 'getMetrics', 'Get metrics', {
  description: 'Metrics of this process in the Prometheus format.',
  responses: {
    200: { description: 'The metrics.', content: { 'text/plain': { schema: z.string(), example: EXAMPLE } } },
    ...missing(NO_METRICS),
    ...callerProblems,
  },
});

export interface ServiceRouteDeps extends Pick<ServiceDeps, 'engine' | 'models'> {
  readonly ready: () => Promise<void>;
  readonly metrics: ServiceMetrics;
}

export function serviceRoutes({ ready, engine, models, metrics }: ServiceRouteDeps) {
  return new OpenAPIHono<ServiceEnv>()
    .openapi(health, (context) => context.json({ status: 'ok' as const }, 200))
    .openapi(readiness, async (context) => {
      await ready();
      return context.json(
        {
          status: 'ready' as const,
          encoder: engine.defaultEncoder,
          encoders: [...engine.encoders.keys()],
          rerankers: [...engine.rerankers.keys()],
          matrix: engine.matrix,
          languageModel: models.model && { model: models.model.defaultModel },
          extractor: models.extractor,
          writer: models.writer,
        },
        200,
      );
    })
    .openapi(metricsRoute, async (context) => {
      const rendered = await metrics.render();
      if (rendered === null) return respond(problem('not-found', NO_METRICS)) as never;
      return context.body(rendered.body, 200, { 'content-type': rendered.contentType }) as never;
    });
}
