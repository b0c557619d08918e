import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { createSelection } from '../digest/create-selection.ts';
import type { DigestParts } from '../digest/digest-parts.ts';
import { plain } from './plain.ts';
import { onInvalid } from './respond.ts';
import { bodyProblems, json, problemAnswer } from './responses.ts';
import { selectionsAnswerSchema, selectionsRequestSchema } from './selection-schemas.ts';

const create = createRoute({
  method: 'post',
  path: '/v1/selections',
  summary: 'Select among items, embeddings, a kernel, or the points of a stored digest',
  request: { body: { required: true, content: { 'application/json': { schema: selectionsRequestSchema } } } },
  responses: {
    200: json(selectionsAnswerSchema, 'What was selected, and a receipt for every item; with `draws`, the sets drawn.'),
    404: problemAnswer('There is no digest with this id.'),
    ...bodyProblems,
  },
});

export function selectionRoutes(parts: DigestParts) {
  return new OpenAPIHono({ defaultHook: onInvalid }).openapi(create, async (context) =>
    context.json(plain(await createSelection(context.req.valid('json'), parts)), 200),
  );
}
