import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import { callerProblems, missing } from '../responses.ts';
import type { ServiceEnv } from '../service-env.ts';
import type { ServiceMetrics } from '../service-metrics.ts';

const EXAMPLE = `# HELP tessera_jobs Jobs that wait and that run, of all processes on this database.
# TYPE tessera_jobs gauge
tessera_jobs{state="queued"} 2
tessera_jobs{state="running"} 4
`;

const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tags: ['Service'],
  summary: 'Get metrics',
  description: 'Metrics of this process in the Prometheus format.',
  responses: {
    200: { description: 'The metrics.', content: { 'text/plain': { schema: z.string(), example: EXAMPLE } } },
    ...missing('This service has no metrics.'),
    ...callerProblems,
  },
});

export function metricsRoutes({ metrics }: { readonly metrics: ServiceMetrics }) {
  return new OpenAPIHono<ServiceEnv>().openapi(metricsRoute, async (context) => {
    const rendered = await metrics.render();
    // Hono types what a route answers by its schemas; problems and text are made by hand.
    if (rendered === null)
      return respond(problem(404, 'not-found', 'Not found', 'This service has no metrics.')) as never;
    return context.body(rendered.body, 200, { 'content-type': rendered.contentType }) as never;
  });
}
