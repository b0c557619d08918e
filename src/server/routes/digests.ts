import { OpenAPIHono, z } from '@hono/zod-openapi';
import {
  CANCELLED,
  DIGEST,
  DIGEST_REQUESTS,
  digestDocumentParams,
  digestListSchema,
  digestParams,
  digestPartsQuery,
  digestPartsSchema,
  digestRequestSchema,
  digestSchema,
  EVENT_STREAM,
  FAILED,
  KEY_POINT_PAGE,
  keptRequestSchema,
  keyPointPageSchema,
  LISTED_TITLES,
  PENDING_STATUSES,
  pageQuery,
  partsOf,
  pendingDigestSchema,
  QUEUED,
  RUNNING,
  shortened,
  sourceTextSchema,
} from '../../contract/index.ts';
import {
  countJobs,
  type Database,
  deleteDigest,
  listDigests,
  readDigest,
  type StoredDigest,
} from '../../store/index.ts';
import { NotFoundError, OverloadedError } from '../errors.ts';
import { cancelDigest, retryDigest } from '../jobs/accept-digest.ts';
import { hasDigestEnded } from '../jobs/follow-digest.ts';
import { preferenceIn, STREAM, wantsStream } from '../middleware/http-fields.ts';
import { onInvalid, plain } from '../problem.ts';
import * as answers from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import { digestView, readKeyPoints, readRequest, readSourceText } from '../stored/stored-digests.ts';
import { answerDigest, type DigestRouteDeps, errorOf, pendingView } from './answer-digest.ts';
import { streamDigest } from './stream-digest.ts';

const api = answers.operations('Digests');

const EVENTS =
  '`accepted` (id, location), `progress` (stage, done, total, document), `sentence` for each finished sentence of the summary (it replaces an earlier one with the same `index`), and finally `digest` with the digest, `error` with a problem, or `cancelled`. To resume an interrupted stream, send `GET` with `Last-Event-ID`.';
/** Untyped: otherwise Hono's typed clients would treat every answer of the operation as a bare `Response`. */
const stream: Readonly<Record<never, never>> = { [STREAM]: { schema: z.string(), example: EVENT_STREAM } };
const made = answers.madeHeaders(`/v1/digests/${DIGEST.id}`);
const finished = answers.example('A digest', shortened(DIGEST).digest);
/** Typed as the whole digest: the answer without `include` and `exclude`. */
const answered = z.union([digestSchema, digestPartsSchema]) as unknown as typeof digestSchema;
const lean = answers.example('With `include=summary,sources`', partsOf(DIGEST, { include: ['summary', 'sources'] }));
const receipts = answers.example('With `include=receipts`', DIGEST);
const queued = answers.example('Queued', QUEUED);
const running = answers.example('Running', RUNNING);
const noDigest = answers.missing('There is no digest with this id.');

const create = api.post('/v1/digests', 'createDigest', 'Make a digest', {
  description:
    'Waits up to two minutes for the digest by default. With `Prefer: respond-async`, responds 202 immediately; with `Prefer: wait=10`, within ten seconds. A digest that was answered with 202 is completed even if the service restarts. Closing the connection while waiting cancels the digest, unless the request has an Idempotency-Key.',
  request: {
    headers: answers.idempotencyHeaders.extend({
      prefer: answers.header('`respond-async`, `wait=SECONDS`.', 'respond-async').optional(),
    }),
    query: digestPartsQuery,
    body: answers.jsonBody(digestRequestSchema, DIGEST_REQUESTS),
  },
  responses: {
    200: { description: `With \`Accept: text/event-stream\`: ${EVENTS}`, content: stream, headers: made },
    201: {
      ...answers.json(answered, 'The digest. `Location` is its address.', { ...finished, ...lean, ...receipts }),
      headers: made,
    },
    202: {
      ...answers.json(pendingDigestSchema, 'Accepted. Poll `Location` for the digest.', { ...queued, ...running }),
      headers: made.extend({
        'preference-applied': answers.header('The applied preferences.', 'respond-async').optional(),
      }),
    },
    ...answers.missing('There is no collection with this id.'),
    ...answers.digestProblems,
  },
});

const list = api.get('/v1/digests', 'listDigests', 'List digests', {
  description: 'The newest first.',
  request: { query: pageQuery.extend({ status: z.enum(['completed', 'partial', ...PENDING_STATUSES]).optional() }) },
  responses: { 200: answers.json(digestListSchema, 'A page of digests.'), ...answers.readProblems },
});

const read = api.get('/v1/digests/{id}', 'getDigest', 'Get a digest', {
  description: 'The digest, or the progress of one that is not finished.',
  request: {
    params: digestParams,
    query: digestPartsQuery,
    headers: z.object({
      'last-event-id': answers.header('Id of the last received event, to resume a stream.').optional(),
    }),
  },
  responses: {
    200: {
      description: `The digest as it was answered, or how far it is. With \`Accept: ${STREAM}\`: what it told after \`Last-Event-ID\`, and goes on to tell: ${EVENTS}`,
      content: {
        'application/json': {
          schema: z.union([answered, pendingDigestSchema]),
          examples: { ...finished, ...lean, ...receipts, ...running, ...answers.example('Failed', FAILED) },
        },
        ...stream,
      },
    },
    ...noDigest,
    ...answers.readProblems,
  },
});

const remove = api.remove('/v1/digests/{id}', 'deleteDigest', 'Cancel or delete a digest', {
  description:
    'Cancels a digest that is not finished, and deletes one that is, with its request and its events. The texts of its documents stay for other digests until retention removes them.',
  request: { params: digestParams },
  responses: {
    200: answers.json(pendingDigestSchema, 'The digest was cancelled.', answers.example('Cancelled', CANCELLED)),
    204: { description: 'The digest was deleted.' },
    ...noDigest,
    ...answers.callerProblems,
    ...answers.noRoom,
  },
});

const retry = api.post('/v1/digests/{id}/retry', 'retryDigest', 'Retry a failed digest', {
  description:
    'Makes a digest again whose work failed, from the same request and under the same id. Its end is reported by a new webhook with an id of its own.',
  request: { params: digestParams, headers: answers.idempotencyHeaders },
  responses: {
    202: { ...answers.json(pendingDigestSchema, 'Accepted. Poll `Location` for the digest.', queued), headers: made },
    ...noDigest,
    ...answers.bodylessProblems,
    ...answers.conflicts('The digest has not failed', 'digest-not-failed'),
    429: answers.digestProblems[429],
    503: answers.workProblems[503],
  },
});

async function knownDigest(id: string, database: Database): Promise<StoredDigest> {
  const stored = await readDigest(database, id);
  if (stored === undefined) throw new NotFoundError('digest');
  return stored;
}

const readRequestRoute = api.get('/v1/digests/{id}/request', 'getDigestRequest', 'Get the request of a digest', {
  description: 'Documents come without their texts, and webhook addresses are left out.',
  request: { params: digestParams },
  responses: { 200: answers.json(keptRequestSchema, 'The request.'), ...noDigest, ...answers.callerProblems },
});

const listKeyPoints = api.get('/v1/digests/{id}/key-points', 'listKeyPoints', 'List the key points of a digest', {
  description:
    'Every key point with its relevance and the reason why it was selected or not, in the order of the documents’ contents. A digest itself lists those that its summary names.',
  request: { params: digestParams, query: pageQuery },
  responses: {
    200: answers.json(keyPointPageSchema, 'A page of key points.', answers.example('A page', KEY_POINT_PAGE)),
    ...answers.missing('There is no digest with this id.', 'No digest has this id, or it is not finished.'),
    ...answers.readProblems,
  },
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
      200: answers.json(sourceTextSchema, 'The document.'),
      ...answers.missing(
        'There is no document with this id in the digest.',
        'No digest or document with this id exists; or its text is no longer stored.',
      ),
      ...answers.readProblems,
    },
  },
);

export function digestRoutes(deps: DigestRouteDeps) {
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const own = callerDeps(context, deps);
      const preference = preferenceIn(context.req.header('prefer'));
      const mode = { isStream: wantsStream(context), preference, parts: context.req.valid('query') };
      // Hono's types require serialisable values; a stored answer is JSON already, and a stream is not.
      return answerDigest(context, context.req.valid('json'), mode, own) as never;
    })
    .openapi(list, async (context) => {
      const { status, ...page } = context.req.valid('query');
      const { database } = callerDeps(context, deps);
      const { rows, next } = await listDigests(database, page, { status, titles: LISTED_TITLES });
      const digests = rows.map(({ titles, createdAt, finishedAt, problem, ...row }) => ({
        ...row,
        titles: JSON.parse(titles), // an array of strings, as the store makes it
        createdAt: new Date(createdAt).toISOString(),
        finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
        ...errorOf(problem),
      }));
      return context.json(plain({ digests, next }), 200);
    })
    .openapi(read, async (context) => {
      const own = callerDeps(context, deps);
      const { id } = context.req.valid('param');
      const parts = context.req.valid('query');
      const stored = await knownDigest(id, own.database);
      if (wantsStream(context)) {
        const last = context.req.header('last-event-id') ?? '';
        const mode = { after: /^\d{1,9}$/.test(last) ? Number(last) : 0, parts };
        return streamDigest(context, id, mode, own, own.enterStream(own.database.tenant)) as never;
      }
      if (stored.answer === null) return context.json(plain(pendingView(stored)), 200);
      const view = await digestView(stored, parts, own.database);
      return context.body(view, 200, { 'content-type': 'application/json' }) as never;
    })
    .openapi(remove, async (context) => {
      const own = callerDeps(context, deps);
      const { database, worker } = own;
      const { id } = context.req.valid('param');
      if (!hasDigestEnded(await knownDigest(id, database)) && (await cancelDigest(id, own, worker)))
        return context.json(plain(pendingView(await knownDigest(id, database))), 200);
      if (!(await deleteDigest(database, id))) throw new NotFoundError('digest');
      return context.body(null, 204);
    })
    .openapi(retry, async (context) => {
      const { database, worker, limits, metrics } = callerDeps(context, deps);
      const { id } = context.req.valid('param');
      if ((await countJobs(database)).queued >= limits.queuedDigests) throw new OverloadedError('queue');
      const run = await retryDigest(id, database, limits.digestsPerTenant);
      metrics.count('jobs', { event: 'queued' });
      worker.wake(id, run);
      const accepted = plain(pendingView(await knownDigest(id, database)));
      return context.json(accepted, 202, { location: `/v1/digests/${id}` });
    })
    .openapi(readRequestRoute, async (context) => {
      const { id } = context.req.valid('param');
      return context.json(plain(await readRequest(id, callerDeps(context, deps).database)), 200);
    })
    .openapi(listKeyPoints, async (context) => {
      const { id } = context.req.valid('param');
      const { database } = callerDeps(context, deps);
      return context.json(plain(await readKeyPoints(id, context.req.valid('query'), database)), 200);
    })
    .openapi(readDocument, async (context) => {
      const { id, documentId } = context.req.valid('param');
      return context.json(plain(await readSourceText(id, documentId, callerDeps(context, deps).database)), 200);
    });
}
