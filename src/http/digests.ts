import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { createDigest } from '../digest/create-digest.ts';
import type { Digest } from '../digest/digest.ts';
import { DigestNotFoundError } from '../digest/digest-not-found-error.ts';
import { readDigest } from '../store/digests.ts';
import { digestSchema } from './answer-schemas.ts';
import { type StreamParts, streamDigest } from './digest-stream.ts';
import { plain } from './plain.ts';
import { onInvalid } from './respond.ts';
import { bodyProblems, json, problemAnswer } from './responses.ts';
import { digestRequestSchema } from './schemas.ts';

const STREAM = 'text/event-stream';

const create = createRoute({
  method: 'post',
  path: '/v1/digests',
  summary: 'Make a digest of documents for one reader',
  request: { body: { required: true, content: { 'application/json': { schema: digestRequestSchema } } } },
  responses: {
    200: {
      description:
        'With `Accept: text/event-stream`: `progress` events (stage, done, total, document), a `sentence` event for each sentence of the summary once it stands, and one `digest` event with what 201 answers; or an `error` event with a problem.',
      content: { [STREAM]: { schema: z.string() } },
    },
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

function wantsStream(context: Context): boolean {
  return (
    accepts(context, { header: 'Accept', supports: ['application/json', STREAM], default: 'application/json' }) ===
    STREAM
  );
}

export function digestRoutes(parts: StreamParts) {
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const request = context.req.valid('json');
      // Hono types what a route answers by its JSON; a stream is none.
      if (wantsStream(context)) return streamDigest(context, request, parts) as never;
      const { signal } = context.req.raw;
      const digest = await createDigest(request, parts, {}, signal).catch((failure: unknown) => {
        if (!signal.aborted) throw failure;
        return null;
      });
      // Nobody reads this answer: the client closed the connection.
      if (digest === null) return new Response(null, { status: 499 }) as never;
      return context.json(plain(digest), 201, { location: `/v1/digests/${digest.id}` });
    })
    .openapi(read, async (context) => {
      const { id } = context.req.valid('param');
      const stored = await readDigest(parts.database, id);
      if (stored === undefined) throw new DigestNotFoundError(id);
      return context.json(plain(JSON.parse(stored.answer) as Digest), 200);
    });
}
