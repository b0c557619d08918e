import { OpenAPIHono } from '@hono/zod-openapi';
import { KEY_POINTS, KEY_POINTS_REQUESTS, keyPointsRequestSchema, keyPointsSchema } from '../../contract/index.ts';
import { extractKeyPoints } from '../../digest/index.ts';
import { nextTurn } from '../../text/index.ts';
import { checkLimits, type Limits } from '../limits.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain } from '../problem.ts';
import { example, idempotencyHeaders, json, jsonBody, operations, replayHeaders, workProblems } from '../responses.ts';
import type { ServiceDeps, ServiceEnv } from '../service-deps.ts';

const api = operations('Key points');

const extract = api.post('/v1/key-points', 'extractKeyPoints', 'Extract key points', {
  description: 'Extracts the key points of documents, without selecting among them or writing a summary.',
  request: {
    headers: idempotencyHeaders,
    body: jsonBody(keyPointsRequestSchema, KEY_POINTS_REQUESTS),
  },
  responses: {
    200: {
      ...json(keyPointsSchema, 'The key points with their quotes.', example('By rules', KEY_POINTS)),
      headers: replayHeaders,
    },
    ...workProblems,
  },
});

export interface WorkDeps extends ServiceDeps {
  readonly limits: Limits;
}

export function keyPointRoutes(deps: WorkDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(extract, async (context) => {
    const request = context.req.valid('json');
    checkLimits(request, deps.limits);
    const made = await admit(context, admission, deps, (own, signal) => extractKeyPoints(request, own, signal));
    await nextTurn(); // serialising many points takes a while
    return context.json(plain(made), 200);
  });
}
