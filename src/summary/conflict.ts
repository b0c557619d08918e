import { type Figure, figuresBeside, figuresIn } from './figures.ts';
import { unsupportedNames } from './verify/names.ts';

/** Similarity (S) from which two statements are of the same subject, so that another figure is a conflict. */
const SAME_SUBJECT = 0.68;
/** Figures as near to each other as this, as a share of the larger, may be the same rounded, or measured twice. */
const NEAR = 0.15;

/**
 * The figures that two statements of the same subject contradict each other by: one has one that the other has not, and what the
 * other has in its place is of the same kind and not about the same. Precision and recall: docs/agreement.md.
 *
 * @param similarity S between them
 * @returns the two figures as they are written, with what they count; null where there is no conflict
 */
export function conflict(a: string, b: string, similarity: number): readonly [string, string] | null {
  if (similarity < SAME_SUBJECT || [a, b].some((text) => text.includes('?'))) return null;
  const [left, right] = [figuresIn(a), figuresIn(b)];
  const [own, other] = [figuresBeside(left, right), figuresBeside(right, left)];
  if (!exclude(own, other) || namesDiffer(a, b) || namesDiffer(b, a)) return null;
  return [wording(own[0], a), wording(other[0], b)];
}

function exclude(own: readonly Figure[], other: readonly Figure[]): boolean {
  if (Math.min(own.length, other.length) !== 1) return false;
  if (own[0].kind === 'year' && own.length + other.length > 2) return false; // a span of years is not a year
  return own.every((left) => other.every((right) => areApart(left, right)));
}

function areApart(left: Figure, right: Figure): boolean {
  if (left.kind === null || left.kind !== right.kind) return false;
  if (left.kind === 'year' || left.kind === 'time') return true;
  const [x, y] = [left.readings[0], right.readings[0]];
  return Math.abs(x - y) > NEAR * Math.max(Math.abs(x), Math.abs(y));
}

function namesDiffer(a: string, b: string): boolean {
  return unsupportedNames({ text: a, quotes: [b] }).length > 0;
}

/** "20 days" as the text has it; the number with its unit where nothing is counted, or its words do not stand together. */
function wording({ text: number, of, kind, units }: Figure, text: string): string {
  const isCount = kind !== 'year' && kind !== 'time' && units.every((unit) => unit === null);
  const at = isCount ? text.toLowerCase().indexOf(`${number} ${of}`.toLowerCase()) : -1;
  return at < 0 ? number : text.slice(at, at + number.length + 1 + of.length);
}
