import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { createDigest } from '../digest/create-digest.ts';
import type { Digest } from '../digest/digest.ts';
import { DigestNotFoundError } from '../digest/digest-not-found-error.ts';
import type { DigestParts } from '../digest/digest-parts.ts';
import { readDigest } from '../store/digests.ts';
import { digestSchema } from './answer-schemas.ts';
import { plain } from './plain.ts';
import { onInvalid } from './respond.ts';
import { bodyProblems, json, problemAnswer } from './responses.ts';
import { digestRequestSchema } from './schemas.ts';

const create = createRoute({
  method: 'post',
  path: '/v1/digests',
  summary: 'Make a digest of documents for one reader',
  request: { body: { required: true, content: { 'application/json': { schema: digestRequestSchema } } } },
  responses: {
    201: {
      ...json(digestSchema, 'The digest; its own address is in `Location`.'),
      headers: z.object({ location: z.string() }),
    },
    ...bodyProblems,
  },
});

const read = createRoute({
  method: 'get',
  path: '/v1/digests/{id}',
  summary: 'Read a stored digest',
  request: { params: z.object({ id: z.string().openapi({ example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' }) }) },
  responses: {
    200: json(digestSchema, 'The digest as it was answered.'),
    404: problemAnswer('There is no digest with this id.'),
    500: problemAnswer('Something went wrong here.'),
  },
});

export function digestRoutes(parts: DigestParts) {
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const digest = await createDigest(context.req.valid('json'), parts);
      return context.json(plain(digest), 201, { location: `/v1/digests/${digest.id}` });
    })
    .openapi(read, async (context) => {
      const { id } = context.req.valid('param');
      const stored = await readDigest(parts.database, id);
      if (stored === undefined) throw new DigestNotFoundError(id);
      return context.json(plain(JSON.parse(stored.answer) as Digest), 200);
    });
}
