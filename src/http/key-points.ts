import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { DigestParts } from '../digest/digest-parts.ts';
import { extractKeyPoints } from '../digest/extract-key-points.ts';
import { keyPointsSchema } from './answer-schemas.ts';
import { plain } from './plain.ts';
import { onInvalid } from './respond.ts';
import { bodyProblems, json } from './responses.ts';
import { keyPointsRequestSchema } from './schemas.ts';

const extract = createRoute({
  method: 'post',
  path: '/v1/key-points',
  summary: 'Extract the key points of documents',
  request: { body: { required: true, content: { 'application/json': { schema: keyPointsRequestSchema } } } },
  responses: { 200: json(keyPointsSchema, 'The key points with their quotes.'), ...bodyProblems },
});

export function keyPointRoutes(parts: DigestParts) {
  return new OpenAPIHono({ defaultHook: onInvalid }).openapi(extract, async (context) =>
    context.json(plain(await extractKeyPoints(context.req.valid('json'), parts)), 200),
  );
}
