import { type Figure, figuresBeside, figuresIn } from './figures.ts';
import { unsupportedNames } from './verify/names.ts';

/** Similarity (S) from which two statements are of the same subject, so that another figure is a conflict. */
const SAME_SUBJECT = 0.68;
/** Figures as near to each other as this, as a share of the larger, may be the same rounded, or measured twice. */
const NEAR = 0.15;
/** "Opened: 11 June, 08:02": each record has its own. */
const RECORD = /^\P{Po}{1,40}:\s/u;

/**
 * The figures that two statements of the same subject contradict each other by: one has one that the other has not, and what the
 * other has in its place is an amount of the same kind and not about the same. Years, dates, times and versions are no amounts: they
 * tell what a statement is about. Precision and recall: docs/agreement.md.
 *
 * @param similarity S between them
 * @returns the two figures as they are written, with what they count; null where there is no conflict
 */
export function conflict(a: string, b: string, similarity: number): readonly [string, string] | null {
  if (similarity < SAME_SUBJECT || [a, b].some((text) => text.includes('?') || RECORD.test(text))) return null;
  const [left, right] = [figuresIn(a), figuresIn(b)];
  const [own, other] = [figuresBeside(left, right), figuresBeside(right, left)];
  if (!exclude(own, other) || namesDiffer(a, b) || namesDiffer(b, a)) return null;
  return [wording(own[0], a), wording(other[0], b)];
}

function exclude(own: readonly Figure[], other: readonly Figure[]): boolean {
  if (Math.min(own.length, other.length) !== 1) return false;
  return own.every((left) => other.every((right) => areApart(left, right)));
}

function areApart(left: Figure, right: Figure): boolean {
  if (left.kind === null || left.kind !== right.kind || left.kind === 'year' || left.kind === 'time') return false;
  const [x, y] = [left.readings[0], right.readings[0]];
  return Math.abs(x - y) > NEAR * Math.max(Math.abs(x), Math.abs(y));
}

function namesDiffer(a: string, b: string): boolean {
  return unsupportedNames({ text: a, quotes: [b] }).length > 0;
}

/** "20 days" as the text has it; the number with its unit where nothing is counted, or its words do not stand together. */
function wording({ text: number, of, units }: Figure, text: string): string {
  const at = units.every((unit) => unit === null) ? text.toLowerCase().indexOf(`${number} ${of}`.toLowerCase()) : -1;
  return at < 0 ? number : text.slice(at, at + number.length + 1 + of.length);
}
