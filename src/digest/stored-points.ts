import { language } from '../documents/language.ts';
import { countWords } from '../summary/count-words.ts';
import { sentenceText } from '../summary/sentence-text.ts';
import type { Digest } from './digest.ts';
import type { GivenItems } from './given-items.ts';
import { numbered } from './numbered.ts';
import type { Preset } from './request.ts';

/** What a stored digest found of its points. */
export interface StoredPoints {
  readonly digest: string;
  readonly relevance: readonly number[];
  /** What relevance was multiplied with; 1 where the digest does not say. */
  readonly quality: readonly number[];
  /** Positions of the points that say what its reader knew. */
  readonly known: ReadonlySet<number>;
  /** Whether nothing came near to what was asked, so that nothing passed the gate. */
  readonly nothingNear: boolean;
  /** Id of the encoder that they were compared by. */
  readonly encoder: string;
  /** Id of what made the vectors that their surroundings are read from. */
  readonly contextEncoder: string;
  readonly preset: Preset;
}

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
      known: new Set(keyPoints.flatMap(({ reason }, position) => (reason === 'known' ? [position] : []))),
      // The best point passes any gate, unless even that is as far from what was asked as chance would have it.
      nothingNear: selection.relevance.gate !== null && selection.gate.kept === 0,
      encoder: engine.encoder,
      // Without a question the points were never encoded for relevance.
      contextEncoder: selection.relevance.facets.length === 0 ? engine.encoder : engine.relevanceEncoder,
      preset: selection.preset,
    },
  };
}
