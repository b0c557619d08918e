import { type Encoder, encodeTexts, type WorkCache } from '../../models/index.ts';
import { byText } from './by-text.ts';
import type { Passage } from './passage.ts';

/** A reference, and the passages that it is held against. */
interface Compared {
  readonly reference: string;
  readonly passages: readonly Passage[];
}

/** Texts about nothing that are taken to be there beside those of the request, so that what two texts share is not all taken for their topic. */
const UNSEEN = 5;

/**
 * How near each passage comes to its reference by sentence vectors: the largest cosine with one of its sentences or, of
 * several, with their sum. What all texts have in common is taken off before, n / (n + 5) of their mean, so that the topic of
 * the request makes nothing near, and an encoder whose cosines all run high does no harm.
 *
 * @returns one value in [0, 1] per passage; 0 for passages without sentences
 */
export async function centredCosines(
  tasks: readonly Compared[],
  encoder: Encoder,
  cache: WorkCache,
): Promise<Float64Array[]> {
  // In the order of what they say, so that sums round the same whatever the order of the request.
  const texts = [
    ...new Set(tasks.flatMap(({ reference, passages }) => [reference, ...passages.flatMap((each) => each.sentences)])),
  ].sort(byText);
  const { sentences } = await encodeTexts(encoder, cache, texts);
  const centred = centre(sentences, encoder.profile.sentenceDimensions);
  const vectors = new Map(texts.map((text, t) => [text, centred[t]]));
  const vectorOf = (text: string): Float64Array => {
    const found = vectors.get(text);
    if (found === undefined) throw new Error('a text was not encoded');
    return found;
  };
  const ofPassage = new Map<Passage, readonly Float64Array[]>();
  const pointsOf = (passage: Passage): readonly Float64Array[] => {
    const own = ofPassage.get(passage) ?? withSum(passage.sentences.map(vectorOf));
    ofPassage.set(passage, own);
    return own;
  };
  return tasks.map(({ reference, passages }) => {
    const sought = vectorOf(reference);
    return Float64Array.from(passages, (passage) =>
      Math.min(1, Math.max(0, ...cosinesWith(sought, pointsOf(passage)))),
    );
  });
}

function cosinesWith(sought: Float64Array, points: readonly Float64Array[]): number[] {
  return points.map((point) => sought.reduce((sum, value, c) => sum + value * point[c], 0));
}

/** Unit vectors without the part that they all share; of zeros where a text says nothing. */
function centre(vectors: readonly Float32Array[], dimensions: number): Float64Array[] {
  const nonZero = vectors.filter(isNonZero);
  const common = new Float64Array(dimensions);
  for (const vector of nonZero) for (let c = 0; c < dimensions; c++) common[c] += vector[c];
  for (let c = 0; c < dimensions; c++) common[c] /= nonZero.length + UNSEEN;
  return vectors.map((vector) =>
    isNonZero(vector) ? unit(Float64Array.from(vector, (value, c) => value - common[c])) : new Float64Array(dimensions),
  );
}

function isNonZero(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}

function withSum(vectors: readonly Float64Array[]): readonly Float64Array[] {
  if (vectors.length < 2) return vectors;
  return [...vectors, unit(vectors[0].map((_, c) => vectors.reduce((sum, vector) => sum + vector[c], 0)))];
}

/** A vector of length 1; of zeros where it is one. */
function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
