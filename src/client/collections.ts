import { type Listing, listing } from './listing.ts';
import { path, query } from './path.ts';
import type { Call, Transport } from './transport.ts';
import type {
  CallOptions,
  Collection,
  CollectionDocument,
  CollectionText,
  ListOptions,
  PostOptions,
  PutDocument,
  SourceDocument,
} from './types.ts';

/** Collections of documents, for digests that are asked for again and again. */
export interface CollectionsClient {
  create(collection?: { readonly name?: string | undefined }, options?: PostOptions): Promise<Collection>;
  get(id: string, options?: CallOptions): Promise<Collection>;
  list(options?: ListOptions): Listing<Collection>;
  /** Removes a collection with its documents. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Adds a document, or replaces the one with its id; it is extracted and encoded now. */
  putDocument(id: string, document: SourceDocument, options?: CallOptions): Promise<PutDocument>;
  getDocument(id: string, document: string, options?: CallOptions): Promise<CollectionText>;
  /** The documents without their texts. */
  listDocuments(id: string, options?: ListOptions): Listing<CollectionDocument>;
  deleteDocument(id: string, document: string, options?: CallOptions): Promise<void>;
}

export function collectionsClient({ send }: Transport): CollectionsClient {
  const bodyOf = async <Body>(call: Call): Promise<Body> => (await send<Body>(call)).body;

  return {
    create: (collection = {}, { signal, idempotencyKey } = {}) =>
      bodyOf({ method: 'POST', path: '/v1/collections', body: collection, signal, idempotencyKey }),
    async get(id, { signal } = {}) {
      return bodyOf({ method: 'GET', path: path`/v1/collections/${id}`, signal });
    },
    list({ limit, cursor: first, signal } = {}) {
      return listing(async (cursor) => {
        const { collections, next } = await bodyOf<{
          readonly collections: readonly Collection[];
          readonly next: string | null;
        }>({ method: 'GET', path: `/v1/collections${query({ limit, cursor })}`, signal });
        return { items: collections, next };
      }, first);
    },
    async delete(id, { signal } = {}) {
      await send({ method: 'DELETE', path: path`/v1/collections/${id}`, signal });
    },
    async putDocument(id, { id: document, ...body }, { signal } = {}) {
      return bodyOf({ method: 'PUT', path: path`/v1/collections/${id}/documents/${document}`, body, signal });
    },
    async getDocument(id, document, { signal } = {}) {
      return bodyOf({ method: 'GET', path: path`/v1/collections/${id}/documents/${document}`, signal });
    },
    listDocuments(id, { limit, cursor: first, signal } = {}) {
      return listing(async (cursor) => {
        const { documents, next } = await bodyOf<{
          readonly documents: readonly CollectionDocument[];
          readonly next: string | null;
        }>({ method: 'GET', path: path`/v1/collections/${id}/documents` + query({ limit, cursor }), signal });
        return { items: documents, next };
      }, first);
    },
    async deleteDocument(id, document, { signal } = {}) {
      await send({ method: 'DELETE', path: path`/v1/collections/${id}/documents/${document}`, signal });
    },
  };
}
