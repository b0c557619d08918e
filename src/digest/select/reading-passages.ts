import type { Passage, PassageLine } from '../../models/index.ts';
import { encodedText, type Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';

/** Points of one document as a reader is given them. */
interface PointPassage {
  readonly passage: Passage;
  /** Of its points, in order. */
  readonly indices: readonly number[];
}

/**
 * The points as passages, document after document: each under the title of its document and the headings that are new since
 * the point before it.
 *
 * @param chosen indices of points, ascending
 */
export function passagesOf(
  chosen: readonly number[],
  points: readonly Pick<Point, 'text' | 'documentIndex' | 'speaker' | 'under'>[],
  documents: readonly Pick<ReadDocument, 'document'>[],
): PointPassage[] {
  const passages = new Map<number, { lines: PassageLine[]; indices: number[]; above: readonly string[] }>();
  for (const index of chosen) {
    const point = points[index];
    const open = passages.get(point.documentIndex) ?? { lines: [], indices: [], above: [] };
    const { under = [] } = point;
    const fresh = under.filter((heading) => !open.above.includes(heading));
    open.lines.push(...fresh.map((text) => ({ text, isHeading: true })), {
      text: encodedText(point),
      isHeading: false,
    });
    open.indices.push(index);
    open.above = under;
    passages.set(point.documentIndex, open);
  }
  return [...passages].map(([document, { lines, indices }]) => ({
    passage: { title: documents[document].document.title ?? null, lines },
    indices,
  }));
}
