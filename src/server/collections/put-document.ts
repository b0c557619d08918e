import type { DigestDocument } from '../../contract/index.ts';
import {
  documentStatus,
  type Extractor,
  encodedText,
  knownEncoder,
  modelExtractor,
  modelStages,
  pointSettings,
  pointsOf,
  quoted,
  type ReadDocuments,
  readDocuments,
  sentenceExtractor,
} from '../../digest/index.ts';
import { type CallUsage, type Encoder, encodeTexts, ModelCallError } from '../../models/index.ts';
import {
  type CollectionDocument,
  readCollectionDocument,
  saveCollectionDocument,
  saveDocuments,
} from '../../store/index.ts';
import { contentHash, type SourceDocument, TesseraError } from '../../text/index.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { CollectionNotFoundError } from './collection-not-found-error.ts';
import { knownCollection } from './known-collection.ts';

/** A collection holds as many documents as it may. */
export class CollectionFullError extends TesseraError {
  readonly code = 'collection-full';
  /** Documents that it may hold. */
  readonly most: number;

  constructor(most: number) {
    super(`The collection holds ${most} documents, and no more fit in: delete some, or use another collection.`);
    this.most = most;
  }
}

/** Documents of one collection where the service does not say. */
const MAX_DOCUMENTS = 10_000;

/** What became of a document that was put into a collection. */
interface PutDocument extends Omit<Preparation, 'keyPoints'> {
  readonly document: CollectionDocument;
  /** Whether the collection held none with its id. */
  readonly isNew: boolean;
}

/**
 * Puts a document into a collection, in the place of the one with its id. It is read then, once for all digests to come;
 * where that fails it is kept all the same, and read when a digest asks for it.
 *
 * @param most documents that a collection holds
 * @throws CollectionNotFoundError
 * @throws CollectionFullError
 */
export async function putDocument(
  collectionId: string,
  document: SourceDocument,
  deps: ServiceDeps,
  most: number = MAX_DOCUMENTS,
): Promise<PutDocument> {
  const { database } = deps;
  const { id, text, title = null, url = null, publishedAt = null, weight = null } = document;
  const { documents } = await knownCollection(collectionId, database);
  const isHeld = async () => (await readCollectionDocument(database, collectionId, id)) !== undefined;
  // Told before anything is read; what counts is what the store says in the end.
  if (documents >= most && !(await isHeld())) throw new CollectionFullError(most);

  const documentHash = contentHash(text);
  await saveDocuments(database, [{ hash: documentHash, text }]);
  const { keyPoints, ...preparation } = await prepareDocument(document, deps);
  const row = {
    documentId: id,
    documentHash,
    title,
    url,
    publishedAt,
    weight,
    characters: text.length,
    keyPoints,
    updatedAt: database.now(),
  };
  const placement = await saveCollectionDocument(database, collectionId, row, most);
  if (placement === 'missing') throw new CollectionNotFoundError(collectionId);
  if (placement === 'full') throw new CollectionFullError(most);
  return { ...preparation, document: row, isNew: placement === 'new' };
}

/** What came of reading a document ahead of the digests that will ask for it. */
interface Preparation {
  /** `failed` where a digest has to do something of it again. */
  readonly status: 'ok' | 'empty' | 'failed';
  readonly error: DigestDocument['error'];
  readonly keyPoints: number;
  /** 1 where its text had been read before. */
  readonly reusedExtractions: number;
  /** What models took. */
  readonly usage: CallUsage;
}

/**
 * Extracts and encodes a document the way a digest does that names neither extractor nor encoder, so that such digests
 * find it done (promise P9). What fails is told and left to them (P7).
 *
 * @throws UnusableOptionError where the service's own defaults cannot be had
 */
async function prepareDocument(document: SourceDocument, deps: ServiceDeps): Promise<Preparation> {
  const { engine, models, reportFailure } = deps;
  const stages = modelStages(models, {});
  const extractor = models.extractor === 'llm' ? modelExtractor(engine, stages, {}, null) : sentenceExtractor(engine);
  const known = knownEncoder(engine, undefined, '/engine/encoder');
  const encoder = known.metered?.(stages.spend) ?? known;

  const read = await readDocuments([document], {}, extractor, deps, () => {});
  const [{ hash }] = read.documents;
  const [{ status, error, keyPoints }] = read.documents.map(documentStatus);
  const unencoded = await encodePoints(read, extractor, encoder, deps).then(
    () => null,
    (failure: unknown) => {
      reportFailure(failure, { stage: 'encode', document: hash });
      const why = failure instanceof ModelCallError ? ` ${failure.message}` : '';
      return { code: 'encoding-failed', message: `The key points of this document could not be encoded.${why}` };
    },
  );
  return {
    // Without a window of dates nothing is excluded.
    status: unencoded !== null || status === 'excluded' ? 'failed' : status,
    error: unencoded ?? error,
    keyPoints,
    reusedExtractions: read.reused,
    usage: stages.usage().total,
  };
}

/** Leaves the vectors in the store that a digest reads: of the points, of what they are ranked by, and of what they stand under. */
async function encodePoints(
  read: ReadDocuments,
  extractor: Extractor,
  encoder: Encoder,
  { cache }: ServiceDeps,
): Promise<void> {
  const points = pointsOf(read);
  const ranked = extractor.isModel ? points.map(quoted) : [];
  await encodeTexts(encoder, cache, [...points, ...ranked].map(encodedText));
  await pointSettings(points, read.documents, encoder, cache);
}
