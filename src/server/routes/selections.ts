import { OpenAPIHono } from '@hono/zod-openapi';
import {
  DRAWS,
  SELECTION,
  SELECTIONS_REQUESTS,
  selectionsAnswerSchema,
  selectionsRequestSchema,
} from '../../contract/index.ts';
import { createSelection } from '../../digest/index.ts';
import { checkLimits } from '../limits.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain } from '../problem.ts';
import {
  example,
  idempotencyHeaders,
  json,
  jsonBody,
  missing,
  operations,
  replayHeaders,
  workProblems,
} from '../responses.ts';
import type { ServiceEnv } from '../service-deps.ts';
import { storedDigests } from '../stored/stored-digests.ts';
import type { WorkDeps } from './key-points.ts';

const api = operations('Selections');

const create = api.post('/v1/selections', 'createSelection', 'Select items', {
  description:
    'Options that are left out take the defaults of this call: no gate, no coverage, no surroundings, also over a stored digest, whose own options its answer gives in `selection`. Similarities of a digest are kept in memory for a while, so that only the first call computes them.',
  request: {
    headers: idempotencyHeaders,
    body: jsonBody(selectionsRequestSchema, SELECTIONS_REQUESTS),
  },
  responses: {
    200: {
      ...json(
        selectionsAnswerSchema,
        'What was selected, and a receipt for every item; with `draws`, the sets drawn.',
        { ...example('Selection', SELECTION), ...example('Draws', DRAWS) },
      ),
      headers: replayHeaders,
    },
    ...missing('There is no digest with this id.'),
    ...workProblems,
  },
});

export function selectionRoutes(deps: WorkDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid }).openapi(create, async (context) => {
    const request = context.req.valid('json');
    const { selection } = request;
    checkLimits({ selection }, deps.limits);
    const made = await admit(context, admission, deps, (own, signal) =>
      createSelection(request, own, storedDigests(own.database), signal),
    );
    return context.json(plain(made), 200);
  });
}
