import { type Encoder, encodeTexts, type WorkCache } from '../../models/index.ts';
import type { RelevanceInput } from '../../selection/index.ts';
import type { Point } from './points.ts';
import type { ReadDocument } from './read-documents.ts';

/** What each point stands under: its document's title and its headings, as text and as the mean of their vectors. */
export async function pointSettings(
  points: readonly Pick<Point, 'documentIndex' | 'under'>[],
  documents: readonly Pick<ReadDocument, 'document'>[],
  encoder: Encoder,
  cache: WorkCache,
): Promise<RelevanceInput['under']> {
  const linesOf = ({ documentIndex, under = [] }: (typeof points)[number]): string[] => {
    const title = documents[documentIndex].document.title?.trim() ?? '';
    return title === '' ? [...under] : [title, ...under];
  };
  const distinct = [...new Set(points.flatMap(linesOf))];
  if (distinct.length === 0) return points.map(() => null);
  const { sentences } = await encodeTexts(encoder, cache, distinct);
  const vectorOf = new Map(distinct.map((line, i) => [line, sentences[i]]));
  const made = new Map<string, { readonly text: string; readonly vector: Float32Array }>();
  return points.map((point) => {
    const lines = linesOf(point);
    if (lines.length === 0) return null;
    const text = lines.join('\n');
    const known = made.get(text) ?? { text, vector: meanOf(lines.flatMap((line) => vectorOf.get(line) ?? [])) };
    made.set(text, known);
    return known;
  });
}

/** @param vectors at least one */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  return vectors[0].map((_, c) => vectors.reduce((sum, vector) => sum + vector[c], 0) / vectors.length);
}
