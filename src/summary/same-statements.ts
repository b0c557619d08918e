import type { SelectedPoint } from './compose-input.ts';
import { sentenceText, spelt } from './sentence-text.ts';

/** Points that one sentence states, by index: the one whose wording it takes, then those that say the same. */
export type Saying = readonly number[];

/** Share of the words of a longer wording that the shorter one has to be. */
const NEARLY_ALL = 0.9;
/** Words that turn, narrow or weaken what they stand before: a wording with one of them does not say the same. */
const DECIDES =
  /^(?:not|no|never|none|nobody|nor|neither|without|cannot|\p{L}+n ?t|t|only|few|some|most|many|almost|nearly|hardly|barely|if|unless|except|until|before|after|may|might|could|should|would|will|former|ex|new|.*\p{N}.*)$/u;

/**
 * Finds what is said twice: the same words, or a wording that is all but a few words of another's. The shorter wording
 * stands, since the documents of both state it. Speakers speak for themselves.
 *
 * @returns every point once
 */
export function sameStatements(points: readonly SelectedPoint[]): readonly Saying[] {
  const words = points.map((point) => spelt(sentenceText(point)));
  const lengths = words.map((text) => text.split(' ').length);
  const isSame = (lead: number, other: number): boolean => {
    if ((points[lead]?.speaker ?? '') !== (points[other]?.speaker ?? '')) return false;
    return words[lead] === words[other] || isNearlyAll(words[lead] ?? '', words[other] ?? '');
  };
  const groups: number[][] = [];
  const byLength = [...points.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  for (const index of byLength) {
    const home = words[index] === '' ? undefined : groups.find(([lead = -1]) => isSame(lead, index));
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
