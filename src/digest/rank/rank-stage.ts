import { encodeTexts, isReranker } from '../../models/index.ts';
import { NO_CHECKPOINTS } from '../checkpoints.ts';
import type { DigestContext } from '../digest-context.ts';
import type { EncodedPoints } from '../extract/extract-and-encode.ts';
import { pointSettings } from '../extract/point-settings.ts';
import { encodedText, quoted } from '../extract/points.ts';
import type { Query } from './intent.ts';
import { rankPoints } from './rank-points.ts';
import type { Ranking } from './ranking-task.ts';

/**
 * Relevance of every point, and the gate.
 *
 * @param given names the points
 */
export function rankStage(
  { plan: { options, extractor }, deps: { cache, engine }, steps, clock }: DigestContext,
  { read: { documents }, points, encoded }: EncodedPoints,
  query: Query,
  given: string,
): Promise<Ranking> {
  const { kernelEncoder, relevanceEncoder, surroundings, estimate, maxPast } = options;
  const gate = points.length > options.ungated ? options.gate : null;
  const isSame = relevanceEncoder === kernelEncoder;
  const isRead = isSame || isReranker(relevanceEncoder) || query.text === null;
  // What a local encoder finds is found again sooner than its vectors are written and read.
  const kept = isReranker(relevanceEncoder) ? steps : NO_CHECKPOINTS;
  return clock.time('rank', () =>
    kept.step('rank', [query, given, relevanceEncoder.profile.id], async () => {
      const ranked = extractor.isModel && query.text !== null ? points.map(quoted) : points;
      const texts = ranked.map(encodedText);
      const vectors =
        isReranker(relevanceEncoder) || (isRead && ranked === points)
          ? encoded.sentences
          : (await encodeTexts(relevanceEncoder, cache, texts)).sentences;
      const needsSettings = estimate && query.text !== null && !isReranker(relevanceEncoder);
      const under = needsSettings
        ? await pointSettings(points, documents, relevanceEncoder, cache)
        : points.map(() => null);
      const input = {
        query,
        points: ranked,
        documents,
        vectors,
        under,
        encoder: relevanceEncoder,
        gate,
        maxPast,
        surroundings,
        estimate,
        standAlone: extractor.isModel,
      };
      return rankPoints(input, engine);
    }),
  );
}
