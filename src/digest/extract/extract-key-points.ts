import { type KeyPoints, type KeyPointsRequest, LIMITS } from '../../contract/index.ts';
import { LimitExceededError } from '../errors.ts';
import { modelStages } from '../model-stages.ts';
import { unverifiedReceipt } from '../receipts.ts';
import type { DigestDeps } from '../run.ts';
import { modelExtractor, sentenceExtractor } from './extractor.ts';
import { pointsOf, unverifiedOf } from './points.ts';
import { documentStatus, readDocuments } from './read-documents.ts';

/**
 * Extracts key points as a digest does, with the same cache. The answer may be long: it is JSON in UTF-8, written where they are extracted.
 * @throws UnusableOptionError if a language model is requested but missing; LimitExceededError
 */
export async function extractKeyPoints(
  request: KeyPointsRequest,
  deps: DigestDeps,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { engine, models } = deps;
  const asked = request.engine ?? {};
  const stages = modelStages(models, asked, signal);
  const named = asked.extractor ?? models.extractor;
  const isModel = named === 'llm' || (named === 'auto' && (asked.extraction !== undefined || models.writer === 'llm'));
  const extractor = isModel ? modelExtractor(engine, stages, asked.extraction ?? {}, null) : sentenceExtractor(engine);
  const read = await readDocuments(request.documents, {}, extractor, deps, () => {});
  signal?.throwIfAborted();
  const found = [...pointsOf(read), ...unverifiedOf(read).map(unverifiedReceipt)];
  if (found.length > LIMITS.extractedKeyPoints) {
    const most = `at most ${LIMITS.extractedKeyPoints} are answered`;
    throw new LimitExceededError('/documents', `hold ${found.length} key points together; ${most}`);
  }
  const { total, stages: usage } = stages.usage();
  const answer: KeyPoints = {
    keyPoints: found.map((point) => {
      const { id, document, text, speaker = null, quote, moreQuotes } = point;
      const selfContained = 'selfContained' in point ? point.selfContained : null;
      return { id, document, text, speaker, quote, moreQuotes, selfContained };
    }),
    documents: read.documents.map(documentStatus),
    engine: { extractor: read.extractor, models: stages.records() },
    prompts: stages.hashes(),
    usage: { ...total, stages: usage, reusedExtractions: read.reused },
    offsetUnit: 'utf16',
  };
  return new TextEncoder().encode(JSON.stringify(answer));
}
