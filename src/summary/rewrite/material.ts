import { countWords } from '../count-words.ts';
import type { Outline } from '../outline.ts';
import { counterpointSentences } from '../outline.ts';
import type { RequestedDocument, SelectedPoint, SummarySentence } from '../summary.ts';

/** A key point as a model sees and cites it. */
export interface NumberedPoint {
  readonly number: number;
  /** In its own wording, cited. */
  readonly own: SummarySentence;
  readonly ownWords: number;
  /** What a sentence that cites it has to rest on. */
  readonly quotes: readonly string[];
  /** Names that a sentence may take from elsewhere: the title of the document, who speaks. */
  readonly allowedNames: readonly string[];
  /** Selected points have to be cited; what contradicts them may be. */
  readonly isSelected: boolean;
}

/** What a model writes from. */
export interface Material {
  /** By number, from 1. */
  readonly points: readonly NumberedPoint[];
  /** Numbers by theme. */
  readonly paragraphs: readonly (readonly number[])[];
  readonly conflicts: readonly { readonly numbers: readonly number[]; readonly on: string }[];
}

/** Numbers the points of an outline, theme by theme for a report and by rank for bullets. */
export function materialOf(
  outline: Outline,
  documents: readonly RequestedDocument[],
  format: 'report' | 'bullets',
): Material {
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const points: NumberedPoint[] = [];
  const conflicts: { numbers: number[]; on: string }[] = [];
  const numberOf = new Map<number, number>();
  const add = (point: SelectedPoint, own: SummarySentence, isSelected: boolean): number => {
    const { document, speaker, quote, moreQuotes = [] } = point;
    points.push({
      number: points.length + 1,
      own,
      ownWords: countWords(own.text),
      quotes: [quote, ...moreQuotes].map(({ text }) => text),
      allowedNames: [titles.get(document), speaker].filter((name) => name !== undefined),
      isSelected,
    });
    return points.length;
  };
  const addStance = (index: number): number[] => {
    const stance = outline.stances[index];
    const number = add(stance.point, outline.sentences[index], true);
    numberOf.set(index, number);
    if (format === 'bullets') return [number];
    const counters = counterpointSentences(stance).map((own, c) => {
      const { point, on } = stance.counterpoints[c];
      const counter = add(point, own, false);
      conflicts.push({ numbers: [number, counter], on });
      return counter;
    });
    return [number, ...counters];
  };
  const themes =
    format === 'bullets' ? outline.points.map((_, index) => [index]) : outline.paragraphs.map((p) => p.flat());
  const paragraphs = themes.map((theme) => theme.flatMap(addStance));
  for (const { a, b, on } of outline.paired) {
    conflicts.push({ numbers: [numberOf.get(a) ?? 0, numberOf.get(b) ?? 0], on });
  }
  return { points, paragraphs, conflicts };
}

/** Parts of the material that each fit a prompt of so many bytes, and so many points; a theme stays whole where it can. */
export function inParts({ points, paragraphs }: Material, bytes: number, mostPoints: number): number[][][] {
  const parts: number[][][] = [];
  let room = { bytes: 0, points: 0 };
  for (const paragraph of paragraphs.flatMap((each) => chunksOf(each, mostPoints))) {
    const size = paragraph.reduce((sum, number) => sum + 3 * points[number - 1].own.text.length, 0);
    if (parts.length === 0 || size > room.bytes || paragraph.length > room.points) {
      parts.push([]);
      room = { bytes, points: mostPoints };
    }
    parts[parts.length - 1].push(paragraph);
    room = { bytes: room.bytes - size, points: room.points - paragraph.length };
  }
  return parts;
}

function chunksOf(numbers: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(numbers.length / size) }, (_, c) => numbers.slice(c * size, (c + 1) * size));
}
