import type { Digest, Reason } from '../../contract/index.ts';
import { countWords, sentenceText } from '../../summary/index.ts';
import { language } from '../../text/index.ts';
import type { GivenItems } from '../select/given-items.ts';
import { numbered } from './numbered.ts';

/** The points of a digest, in its own order; those without a quote were never to be selected. */
export function storedPoints({ id, keyPoints: listed, engine, selection }: Digest): GivenItems {
  const keyPoints = listed.flatMap((point) =>
    point.relevance === null ? [] : [{ ...point, relevance: point.relevance, speaker: point.speaker ?? undefined }],
  );
  const texts = keyPoints.map(({ text }) => text);
  return {
    order: [...keyPoints.keys()],
    ids: keyPoints.map((point) => point.id),
    documents: numbered(keyPoints.map(({ document }) => document)),
    words: Int32Array.from(keyPoints, (point) => countWords(sentenceText(point))),
    hashes: [],
    texts,
    speakers: keyPoints.map(({ speaker }) => speaker),
    language: language(texts.join('\n')),
    stored: {
      digest: id,
      relevance: keyPoints.map(({ relevance }) => relevance),
      quality: keyPoints.map(({ quality }) => quality ?? 1),
      gate: selection.relevance.gate,
      past: keyPoints.flatMap(({ reason }, position) => (reason === 'gate' ? [] : [position])),
      known: new Set(keyPoints.flatMap(({ reason }, position) => (reason === 'known' ? [position] : []))),
      passes: selection.relevance.facets.length === 0 ? null : passesOf(keyPoints),
      encoder: engine.encoder,
      // Without a question the points were never encoded for relevance.
      contextEncoder: selection.relevance.facets.length === 0 ? engine.encoder : engine.relevanceEncoder,
      preset: selection.preset,
    },
  };
}

/** A point that joined a selected one does not say whether it passed by itself: it did where it is as relevant as one that did. */
function passesOf(points: readonly { readonly relevance: number; readonly reason: Reason | null }[]): Uint8Array {
  const reported = points.filter(({ reason }) => reason !== 'level' && reason !== 'gate' && reason !== 'supports');
  const least = reported.reduce((lowest, { relevance }) => Math.min(lowest, relevance), Number.POSITIVE_INFINITY);
  return Uint8Array.from(points, ({ reason, relevance }) =>
    reason === 'supports' ? Number(relevance >= least) : Number(reason !== 'level' && reason !== 'gate'),
  );
}
