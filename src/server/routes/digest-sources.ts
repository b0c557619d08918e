import { OpenAPIHono } from '@hono/zod-openapi';
import {
  digestDocumentParams,
  digestMapSchema,
  digestParams,
  keptRequestSchema,
  mapQuery,
  sourceTextSchema,
} from '../../contract/index.ts';
import { type Admission, admit } from '../middleware/admission.ts';
import { onInvalid, plain } from '../problem.ts';
import { callerProblems, json, missing, noRoom, operations, readProblems, workProblems } from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import { readRequest, readSourceText } from '../stored/requests.ts';
import { mapDigest } from '../stored/stored-digests.ts';
import type { WorkDeps } from './key-points.ts';

const api = operations('Digests');

const noDigest = 'There is no digest with this id.';
const noDocument = 'There is no document with this id in the digest.';

const map = api.get('/v1/digests/{id}/map', 'getDigestMap', 'Get a map of the key points', {
  description: 'Places each key point of a digest along the directions in which the key points differ most.',
  request: { params: digestParams, query: mapQuery },
  responses: {
    200: json(digestMapSchema, 'Principal components of the sentence vectors.'),
    ...missing(noDigest, 'No digest with this id exists, or it is not finished.'),
    ...readProblems,
    502: workProblems[502],
    503: workProblems[503],
    ...noRoom,
  },
});

const request = api.get('/v1/digests/{id}/request', 'getDigestRequest', 'Get the request of a digest', {
  description: 'Documents come without their texts, and webhook addresses are left out.',
  request: { params: digestParams },
  responses: { 200: json(keptRequestSchema, 'The request.'), ...missing(noDigest), ...callerProblems },
});

const readDocument = api.get(
  '/v1/digests/{id}/documents/{documentId}',
  'getDigestDocument',
  'Get a document of a digest',
  {
    description:
      'The document with its text as the digest read it. The text is kept as long as the digest, even if the document changes in its collection.',
    request: { params: digestDocumentParams },
    responses: {
      200: json(sourceTextSchema, 'The document.'),
      ...missing(noDocument, 'No digest or document with this id exists; or its text is no longer stored.'),
      ...readProblems,
    },
  },
);

export function digestSourceRoutes(deps: WorkDeps, admission: Admission) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(map, async (context) => {
      const { id } = context.req.valid('param');
      const { dimensions } = context.req.valid('query');
      const made = await admit(context, admission, deps, (own) => mapDigest(id, dimensions, own));
      return context.json(plain(made), 200);
    })
    .openapi(request, async (context) => {
      const { id } = context.req.valid('param');
      return context.json(plain(await readRequest(id, callerDeps(context, deps).database)), 200);
    })
    .openapi(readDocument, async (context) => {
      const { id, documentId } = context.req.valid('param');
      return context.json(plain(await readSourceText(id, documentId, callerDeps(context, deps).database)), 200);
    });
}
