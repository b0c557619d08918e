import type { Citation } from '../contract/index.ts';
import type { ComposeInput, SelectedPoint } from './input.ts';
import { sentenceText, spelt } from './sentence-text.ts';

/** Points that one sentence states, by index: the point whose wording is used, then its repetitions. */
export type Saying = readonly number[];

/** Minimum length of the shorter wording as a share of the longer one. */
const NEARLY_ALL = 0.9;
/** Fewer words say the same of many things. */
const LEAST = 4;
/** Words that negate, narrow or weaken a statement: a wording that adds one differs. */
const DECIDES =
  /^(?:not|no|never|none|nobody|nor|neither|without|cannot|\p{L}+n ?t|t|only|few|some|most|many|almost|nearly|hardly|barely|if|unless|except|until|before|after|may|might|could|should|would|will|former|ex|new|.*\p{N}.*)$/u;

/**
 * Finds repetitions: equal words, or a wording that is all but a few words of another. Keeps the shorter one, since
 * both documents state it. Never merges different speakers.
 * @returns every point once
 */
export function sameStatements(points: readonly SelectedPoint[]): readonly Saying[] {
  const words = points.map((point) => spelt(sentenceText(point)));
  const lengths = words.map((text) => text.split(' ').length);
  const isSame = (lead: number, other: number): boolean => {
    if ((points[lead].speaker ?? '') !== (points[other].speaker ?? '')) return false;
    return isNearlyAll(words[lead], words[other]);
  };
  const groups: number[][] = [];
  const byLength = [...points.keys()].sort((a, b) => lengths[a] - lengths[b] || a - b);
  for (const index of byLength) {
    const home = words[index] === '' ? undefined : groups.find(([lead]) => isSame(lead, index));
    if (home) home.push(index);
    else groups.push([index]);
  }
  return groups;
}

function isNearlyAll(short: string, long: string): boolean {
  if (short.length < NEARLY_ALL * NEARLY_ALL * long.length) return false;
  const at = ` ${long} `.indexOf(` ${short} `);
  if (at < 0) return false;
  const more = `${long.slice(0, at)} ${long.slice(at + short.length)}`.split(' ').filter(Boolean);
  const count = short.split(' ').length;
  return count >= NEARLY_ALL * (count + more.length) && !more.some((word) => DECIDES.test(word));
}

/** Whether one text, as `spelt` gives it, says what another says: in the same words, or in these and a few that decide nothing. */
export function repeatsSpelt(own: string, other: string): boolean {
  return own.split(' ').length >= LEAST && isNearlyAll(own, other);
}

export function liesWithin(inner: Citation, outer: Citation): boolean {
  const [a, b] = [inner.quote, outer.quote];
  return inner.document === outer.document && b.start <= a.start && a.end <= b.end;
}

export function holdsWords(text: string, words: string): boolean {
  return ` ${spelt(text)} `.includes(` ${spelt(words)} `);
}

/** Merges points that would print the same quote twice; keeps the first and cites it for all. */
export function quotedOnce(input: ComposeInput): ComposeInput {
  const points = [...input.points];
  const first = new Map<string, number>();
  for (const [index, point] of input.points.entries()) {
    const key = JSON.stringify([point.document, point.speaker, point.quote.start, spelt(point.text)]);
    const home = first.get(key) ?? index;
    first.set(key, home);
    if (home !== index) points[home] = joined(points[home], point);
  }
  return first.size === points.length ? input : onlyPoints({ ...input, points }, [...first.values()]);
}

/** @param kept indices of the points to keep, in the order wanted */
export function onlyPoints(input: ComposeInput, kept: readonly number[]): ComposeInput {
  const { points, similarity } = input;
  return {
    ...input,
    points: kept.map((index) => points[index]),
    similarity: Float64Array.from(kept.flatMap((a) => kept.map((b) => similarity[a * points.length + b]))),
  };
}

function joined(point: SelectedPoint, same: SelectedPoint): SelectedPoint {
  const { id, document, quote, text, speaker, supports } = same;
  return {
    ...point,
    rank: Math.min(point.rank, same.rank),
    supports: [{ keyPoint: id, document, quote, similarity: 1, text, speaker }, ...point.supports, ...supports],
  };
}
