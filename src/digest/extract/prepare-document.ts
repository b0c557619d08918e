import type { DigestDocument } from '../../contract/index.ts';
import { encodeTexts, ModelCallError } from '../../models/index.ts';
import type { SourceDocument } from '../../text/index.ts';
import { knownEncoder } from '../engine.ts';
import { modelStages } from '../model-stages.ts';
import type { DigestDeps } from '../run.ts';
import { modelExtractor, sentenceExtractor } from './extractor.ts';
import { encodedText, pointSettings, pointsOf, quoted } from './points.ts';
import { documentStatus, readDocuments } from './read-documents.ts';

/** Extracts and encodes with the defaults for later digests (promise P9). Reports failures, and leaves them to those digests (P7). */
export async function prepareDocument(document: SourceDocument, deps: DigestDeps, signal?: AbortSignal) {
  const { engine, models, cache, reportFailure } = deps;
  const stages = modelStages(models, {}, signal);
  const extractor = models.extractor === 'llm' ? modelExtractor(engine, stages, {}, null) : sentenceExtractor(engine);
  const known = knownEncoder(engine, undefined, '/engine/encoder');
  const encoder = known.metered?.(stages) ?? known;

  const read = await readDocuments([document], {}, extractor, deps, () => {});
  const [{ status, error, keyPoints }] = read.documents.map(documentStatus);
  let unencoded: DigestDocument['error'] = null;
  try {
    const points = pointsOf(read);
    const ranked = extractor.isModel ? points.map(quoted) : [];
    await encodeTexts(encoder, cache, [...points, ...ranked].map(encodedText));
    await pointSettings(points, read.documents, encoder, cache);
  } catch (failure) {
    reportFailure(failure, { stage: 'encode', document: read.documents[0].hash });
    const why = failure instanceof ModelCallError ? ` ${failure.message}` : '';
    unencoded = { code: 'encoding-failed', message: `The key points of this document could not be encoded.${why}` };
  }
  signal?.throwIfAborted();
  return {
    /** `failed` if a digest has to repeat some of the work. */
    status: unencoded !== null || status === 'excluded' ? ('failed' as const) : status,
    error: unencoded ?? error,
    keyPoints,
  };
}
