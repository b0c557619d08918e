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
import { contentHash, type SourceDocument } from '../../text/index.ts';
import { collectionFull, NotFoundError } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { knownCollection } from './collections.ts';

const MAX_DOCUMENTS = 10_000;

interface PutDocument extends Omit<Preparation, 'keyPoints'> {
  readonly document: CollectionDocument;
  readonly isNew: boolean;
}

/**
 * Adds or replaces a document, and processes it for later digests; if that fails, a digest does it. `most` limits the collection.
 *
 * @throws NotFoundError; ServiceError if the collection is full
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
  // An early check to save work; the store enforces the limit.
  if (documents >= most && !(await isHeld())) throw collectionFull(most);

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
  if (placement === 'missing') throw new NotFoundError('collection');
  if (placement === 'full') throw collectionFull(most);
  return { ...preparation, document: row, isNew: placement === 'new' };
}

interface Preparation {
  /** `failed` if a digest has to repeat some of the work. */
  readonly status: 'ok' | 'empty' | 'failed';
  readonly error: DigestDocument['error'];
  readonly keyPoints: number;
  readonly reusedExtractions: number;
  readonly usage: CallUsage;
}

/**
 * Extracts and encodes with the defaults for later digests (promise P9). Reports failures, and leaves them to those digests (P7).
 *
 * @throws UnusableOptionError if the defaults are unavailable
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
    status: unencoded !== null || status === 'excluded' ? 'failed' : status,
    error: unencoded ?? error,
    keyPoints,
    reusedExtractions: read.reused,
    usage: stages.usage().total,
  };
}

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
