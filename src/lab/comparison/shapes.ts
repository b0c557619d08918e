import { type Distribution, distributionOf, type Scale, scaleFor } from './distribution.ts';
import type { ComparedDigest } from './metrics.ts';

/**
 * What tells whether an arm is better or merely longer: the share of the documents that hold a selected point and the words
 * of the summary, a value for each digest, and the words of sentences, a value for each sentence.
 */
export const SHAPES = ['documents', 'words', 'wordsPerSentence'] as const;
export type ShapeName = (typeof SHAPES)[number];

export type ArmShape = Readonly<Record<ShapeName, Distribution>>;

const BINS = 16;
/** Shares lie on a scale of their own. */
const SHARES: Scale = { from: 0, to: 1, bins: 20, isCut: false };

/** Scales that all arms share, so that their histograms can be laid over each other. */
export function scalesOf(digests: readonly ComparedDigest[]): Readonly<Record<ShapeName, Scale>> {
  return {
    documents: SHARES,
    words: scaleFor(valuesOf(digests, 'words'), BINS),
    wordsPerSentence: scaleFor(valuesOf(digests, 'wordsPerSentence'), BINS),
  };
}

export function shapeOf(digests: readonly ComparedDigest[], scales: Readonly<Record<ShapeName, Scale>>): ArmShape {
  const [documents, words, wordsPerSentence] = SHAPES.map((name) =>
    distributionOf(valuesOf(digests, name), scales[name]),
  );
  return { documents, words, wordsPerSentence };
}

function valuesOf(digests: readonly ComparedDigest[], name: ShapeName): number[] {
  if (name === 'wordsPerSentence') return digests.flatMap(({ sentenceWords }) => sentenceWords);
  const key = name === 'words' ? 'digest.words' : 'digest.documentCoverage';
  return digests.flatMap(({ figures }) => figures[key] ?? []);
}
