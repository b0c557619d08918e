import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import {
  collectionDocumentParams,
  collectionDocumentRequestSchema,
  collectionDocumentsSchema,
  collectionParams,
  collectionRequestSchema,
  collectionSchema,
  collectionsSchema,
  collectionTextSchema,
  type Progress,
  PUT_DOCUMENTS_EVENTS,
  PUT_DOCUMENTS_LINES,
  type PutDocumentsRequest,
  pageQuery,
  problemsIn,
  putDocumentSchema,
  putDocumentsRequestSchema,
  putDocumentsSchema,
} from '../../contract/index.ts';
import { UnusableOptionError } from '../../digest/index.ts';
import {
  type CollectionDocument,
  listCollectionDocuments,
  listCollections,
  type StoredCollection,
} from '../../store/index.ts';
import {
  createCollection,
  deleteCollection,
  deleteDocument,
  detailsOf,
  knownCollection,
  knownDocument,
  putDocuments,
} from '../collections/collections.ts';
import { type PointedProblem, ServiceError } from '../errors.ts';
import { fetchDocuments } from '../fetching/fetch-documents.ts';
import { checkLimits } from '../limits.ts';
import { admit } from '../middleware/admission.ts';
import { BODY_BOUNDS, isLines, LINES } from '../middleware/bodies.ts';
import { STREAM } from '../middleware/http-fields.ts';
import { invalid, onInvalid, problemOf, respond } from '../problem.ts';
import {
  bodyProblems,
  callerProblems,
  fullCollection,
  idempotencyHeaders,
  json,
  jsonBody,
  madeHeaders,
  missing,
  noRoom,
  operations,
  postProblems,
  readProblems,
  replayHeaders,
  workProblems,
} from '../responses.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import type { DigestRouteDeps } from './answer-digest.ts';
import { answerWork } from './answer-work.ts';

const api = operations('Collections');

export interface CollectionDeps extends DigestRouteDeps {
  readonly maxCollectionDocuments?: number;
}

const noCollection = missing('There is no collection with this id.');
const noDocument = missing(
  'There is no document with this id in the collection.',
  'There is no collection, or no document in it, with this id.',
);

const create = api.post('/v1/collections', 'createCollection', 'Create a collection', {
  description: 'A collection keeps documents that many digests use, so that each is processed once.',
  request: {
    headers: idempotencyHeaders,
    body: jsonBody(collectionRequestSchema, {
      named: { summary: 'With a name', value: { name: 'Council minutes' } },
      nameless: { summary: 'Without a name', value: {} },
    }),
  },
  responses: {
    201: {
      ...json(collectionSchema, 'The collection. `Location` is its address.'),
      headers: madeHeaders('/v1/collections/col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92'),
    },
    ...postProblems,
  },
});

const list = api.get('/v1/collections', 'listCollections', 'List collections', {
  description: 'The newest first.',
  request: { query: pageQuery },
  responses: { 200: json(collectionsSchema, 'A page of collections.'), ...readProblems },
});

const read = api.get('/v1/collections/{id}', 'getCollection', 'Get a collection', {
  request: { params: collectionParams },
  responses: { 200: json(collectionSchema, 'The collection.'), ...noCollection, ...callerProblems },
});

const remove = api.remove('/v1/collections/{id}', 'deleteCollection', 'Delete a collection', {
  description: 'Deletes the collection with its documents and subscriptions.',
  request: { params: collectionParams },
  responses: {
    204: { description: 'Deleted. Existing digests stay unchanged.' },
    ...noCollection,
    ...callerProblems,
    ...noRoom,
  },
});

const put = api.put(
  '/v1/collections/{id}/documents/{documentId}',
  'putCollectionDocument',
  'Add or replace a document',
  {
    description: 'The document is processed now, once for all later digests.',
    request: {
      params: collectionDocumentParams,
      body: jsonBody(collectionDocumentRequestSchema),
    },
    responses: {
      200: json(putDocumentSchema, 'The document, in the place of the one with this id.'),
      201: json(putDocumentSchema, 'The document; there was none with this id.'),
      ...bodyProblems,
      503: workProblems[503],
      ...noCollection,
      ...fullCollection,
    },
  },
);

const PUT_EVENTS =
  '`progress` (stage, done, total, document) while documents are read and encoded, and finally `documents` with the answer, or `error` with a problem.';
/** Untyped, as the stream of digests. */
const stream: Readonly<Record<never, never>> = { [STREAM]: { schema: z.string(), example: PUT_DOCUMENTS_EVENTS } };
const lines: Readonly<Record<never, never>> = { [LINES]: { schema: z.string(), example: PUT_DOCUMENTS_LINES } };

const putMany = api.post('/v1/collections/{id}/documents', 'putCollectionDocuments', 'Add or replace documents', {
  description:
    'Adds or replaces documents by their ids, all or none, and processes them now, once for all later digests: faster than one at a time, since the encoder takes sentences of many together. As a list, or one a line; blank lines are skipped, and a problem of a document names its line.',
  request: {
    params: collectionParams,
    headers: idempotencyHeaders,
    body: { required: true, content: { ...jsonBody(putDocumentsRequestSchema).content, ...lines } },
  },
  responses: {
    200: {
      description: `The documents. With \`Accept: ${STREAM}\`: ${PUT_EVENTS}`,
      content: { 'application/json': { schema: putDocumentsSchema }, ...stream },
      headers: replayHeaders,
    },
    ...workProblems,
    ...noCollection,
    ...fullCollection,
  },
});

const listDocuments = api.get('/v1/collections/{id}/documents', 'listCollectionDocuments', 'List documents', {
  description: 'In the order of their ids, without their texts.',
  request: { params: collectionParams, query: pageQuery },
  responses: { 200: json(collectionDocumentsSchema, 'A page of documents.'), ...noCollection, ...readProblems },
});

const readDocument = api.get('/v1/collections/{id}/documents/{documentId}', 'getCollectionDocument', 'Get a document', {
  description: 'The document with its text.',
  request: { params: collectionDocumentParams },
  responses: { 200: json(collectionTextSchema, 'The document.'), ...noDocument, ...readProblems },
});

const removeDocument = api.remove(
  '/v1/collections/{id}/documents/{documentId}',
  'deleteCollectionDocument',
  'Delete a document',
  {
    request: { params: collectionDocumentParams },
    responses: {
      204: { description: 'Deleted. Existing digests stay unchanged.' },
      ...noDocument,
      ...readProblems,
      ...noRoom,
    },
  },
);

export function collectionRoutes(deps: CollectionDeps) {
  const { otherAdmission, maxCollectionDocuments: most } = deps;
  const databaseOf = (context: Parameters<typeof callerDeps>[0]) => callerDeps(context, deps).database;
  const putAll: PutAll = async (context, given) => {
    const id = context.req.param('id') ?? '';
    await knownCollection(id, databaseOf(context));
    const documents = await fetchDocuments(given.documents, deps.fetching, context);
    checkLimits({ documents }, deps.limits);
    const lost = documents.findIndex(({ unread }) => unread !== undefined);
    if (lost >= 0) throw new UnusableOptionError(`/documents/${lost}/url`, documents[lost].unread?.message ?? '');
    return answerWork(context, deps, { last: 'documents', status: 200 }, async (own, tell, signal) => {
      const onProgress = (progress: Progress) => tell('progress', progress);
      const put = await putDocuments(id, documents, own, { most, onProgress, signal });
      return { documents: put.map(({ document, ...told }) => ({ ...documentView(document), ...told })) };
    });
  };
  return new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid })
    .openapi(create, async (context) => {
      const { name = null } = context.req.valid('json');
      const collection = await createCollection(name, databaseOf(context));
      return context.json(collectionView(collection), 201, { location: `/v1/collections/${collection.id}` });
    })
    .openapi(list, async (context) => {
      const { rows, next } = await listCollections(databaseOf(context), context.req.valid('query'));
      return context.json({ collections: rows.map(collectionView), next }, 200);
    })
    .openapi(read, async (context) => {
      const { id } = context.req.valid('param');
      return context.json(collectionView(await knownCollection(id, databaseOf(context))), 200);
    })
    .openapi(remove, async (context) => {
      await deleteCollection(context.req.valid('param').id, databaseOf(context));
      return context.body(null, 204);
    })
    .openapi(put, async (context) => {
      const { id, documentId } = context.req.valid('param');
      const [document] = await fetchDocuments(
        [{ ...context.req.valid('json'), id: documentId }],
        deps.fetching,
        context,
        '',
      );
      checkLimits({ documents: [document] }, deps.limits, '');
      const [{ document: row, isNew, ...told }] = await admit(context, otherAdmission, deps, (own, signal) =>
        putDocuments(id, [document], own, { most, signal }),
      );
      return context.json({ ...documentView(row), ...told }, isNew ? 201 : 200);
    })
    .openapi(
      { ...putMany, middleware: byLines(putAll) },
      async (context) =>
        // Hono's types require serialisable values, and a stream is none.
        (await putAll(context, context.req.valid('json'))) as never,
    )
    .openapi(listDocuments, async (context) => {
      const database = databaseOf(context);
      const { id } = context.req.valid('param');
      await knownCollection(id, database);
      const { rows, next } = await listCollectionDocuments(database, id, context.req.valid('query'));
      return context.json({ documents: rows.map(documentView), next }, 200);
    })
    .openapi(readDocument, async (context) => {
      const { id, documentId } = context.req.valid('param');
      const found = await knownDocument(id, documentId, databaseOf(context));
      return context.json({ ...documentView(found), text: found.text }, 200);
    })
    .openapi(removeDocument, async (context) => {
      const { id, documentId } = context.req.valid('param');
      await deleteDocument(id, documentId, databaseOf(context));
      return context.body(null, 204);
    });
}

type PutAll = (context: Context<ServiceEnv>, given: PutDocumentsRequest) => Promise<Response>;

/** Puts documents that come one a line, and adds the line to what is wrong with one. */
function byLines(putAll: PutAll): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    if (!isLines(context)) return next();
    const rows = rowsOf(await context.req.text());
    const refuse = (errors: readonly PointedProblem[]) => {
      const inLines = errors.map(({ pointer, detail }) => {
        const row = rows[Number(pointer.split('/')[2])];
        return { pointer, detail: row ? `${detail} (line ${row.line})` : detail };
      });
      return respond(invalid(inLines));
    };
    const { data, error } = putDocumentsRequestSchema.safeParse({ documents: rows.map(({ value }) => value) });
    if (error) return refuse(problemsIn(error, []));
    try {
      return await putAll(context, data);
    } catch (failure) {
      const { errors } = problemOf(failure);
      if (errors === undefined) throw failure;
      return refuse(errors);
    }
  };
}

/** @throws ServiceError for a line that is not JSON */
function rowsOf(text: string): { readonly line: number; readonly value: unknown }[] {
  const rows = text.replace(/\n$/, '').split('\n', BODY_BOUNDS.values + 1);
  if (rows.length > BODY_BOUNDS.values) {
    throw new ServiceError('too-many-fields', `A request holds at most ${BODY_BOUNDS.values} lines.`);
  }
  return rows.flatMap((row, index) => {
    if (row.trim() === '') return [];
    try {
      return [{ line: index + 1, value: JSON.parse(row) }];
    } catch {
      throw new ServiceError('malformed-json', `Line ${index + 1} is not valid JSON.`);
    }
  });
}

function collectionView({ id, name, documents, createdAt }: StoredCollection) {
  return { id, name, documents, createdAt: new Date(createdAt).toISOString() };
}

function documentView(document: CollectionDocument) {
  const { documentId: id, characters, keyPoints, updatedAt } = document;
  return { id, ...detailsOf(document), characters, keyPoints, updatedAt: new Date(updatedAt).toISOString() };
}
