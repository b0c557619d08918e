import type { DigestDocument } from '../../contract/index.ts';
import { encodeTexts, ModelCallError, textsUnderWay } from '../../models/index.ts';
import type { SourceDocument } from '../../text/index.ts';
import { knownEncoder } from '../engine.ts';
import { modelStages } from '../model-stages.ts';
import type { DigestDeps, DigestListeners } from '../run.ts';
import { modelExtractor, sentenceExtractor } from './extractor.ts';
import { packDocuments } from './packed-documents.ts';
import { encodedText, pointSettings, pointsOf, quoted } from './points.ts';
import { documentStatus, inRequestOrder, readDocuments } from './read-documents.ts';

interface PreparedDocument extends Pick<DigestDocument, 'error' | 'keyPoints'> {
  /** `failed` if a digest has to repeat some of the work. */
  readonly status: Exclude<DigestDocument['status'], 'excluded'>;
}

/**
 * Extracts and encodes with the defaults for later digests (promise P9), encoding while further documents are read. Reports failures,
 * and leaves them to those digests (P7).
 */
export async function prepareDocuments(
  documents: readonly SourceDocument[],
  deps: DigestDeps,
  { onProgress }: Pick<DigestListeners, 'onProgress'> = {},
  signal?: AbortSignal,
): Promise<PreparedDocument[]> {
  const { engine, models, cache, reportFailure } = deps;
  const stages = modelStages(models, {}, signal);
  const extractor = models.extractor === 'llm' ? modelExtractor(engine, stages, {}, null) : sentenceExtractor(engine);
  const known = knownEncoder(engine, undefined, '/engine/encoder');
  const encoder = known.metered?.(stages) ?? known;

  const underWay = textsUnderWay(encoder, cache);
  const read = await readDocuments(
    documents,
    {},
    extractor,
    deps,
    (done, total, id) => onProgress?.({ stage: 'extract', done, total, ...(id !== null && { document: id }) }),
    ({ keyPoints }, isKept) => underWay.add(keyPoints.map(encodedText), isKept),
  );
  let unencoded: DigestDocument['error'] = null;
  try {
    const onEncoded = (done: number, total: number) => onProgress?.({ stage: 'encode', done, total });
    if (extractor.isModel) {
      const points = pointsOf(read);
      await underWay.finish(points.map(encodedText), onEncoded);
      await encodeTexts(encoder, cache, points.map(quoted).map(encodedText));
      await pointSettings(points, read.documents, encoder, cache);
    } else await packDocuments(read, encoder, deps, underWay, onEncoded);
  } catch (failure) {
    underWay.stop();
    reportFailure(failure, { stage: 'encode', document: read.documents[0].hash });
    const why = failure instanceof ModelCallError ? ` ${failure.message}` : '';
    unencoded = { code: 'encoding-failed', message: `The key points of this document could not be encoded.${why}` };
  }
  signal?.throwIfAborted();
  return inRequestOrder(read.documents)
    .map(documentStatus)
    .map(({ status, error, keyPoints }) => ({
      status: status === 'excluded' || (unencoded !== null && keyPoints > 0) ? 'failed' : status,
      error: keyPoints > 0 ? (unencoded ?? error) : error,
      keyPoints,
    }));
}
