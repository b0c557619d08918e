import type { Standing } from './map-point.ts';
import { amount, percent } from './numbers.ts';

/**
 * What became of a key point and why, in a sentence or two.
 *
 * @param rankOf the rank of a selected point; null for any other id
 */
export function statusSentence(standing: Standing, rankOf: (id: string) => number | null): string {
  const { selected, rank, reason, gain, marginal, supports, nearest } = standing;
  if (selected) return rank === null ? 'Selected.' : `Selected as no. ${rank}.`;
  switch (reason) {
    case 'supports':
      return citedWith(supports ?? nearest?.id ?? null, nearest, rankOf);
    case 'gate':
      return 'Not selected: not relevant enough to the question.';
    case 'level':
      return 'Not selected: it hardly helps to answer the question.';
    case 'known':
      return 'Left out: the reader already knows it.';
    case 'rank':
      return 'Not selected: it adds nothing new.';
    case 'words':
      return `Not selected: the answer had no room left.${added(gain)}`;
    case 'size':
      return `Not selected: enough key points came first.${added(gain)}`;
    case 'notDrawn':
      return `Not drawn.${marginal === null ? '' : ` ${percent(marginal)} of all draws hold it.`}`;
    case 'unverified':
      return 'Left out: its quote is not in the document.';
    case 'wording':
      return 'Left out: its wording was judged wrong, and its quote says too little alone.';
    case null:
      return 'Not selected.';
  }
}

/** The same in a word or two, for lists. */
export function statusWord(
  { selected, rank, reason, supports }: Standing,
  rankOf: (id: string) => number | null,
): string {
  if (selected) return rank === null ? 'selected' : `no. ${rank}`;
  const joined = supports === null ? null : rankOf(supports);
  switch (reason) {
    case 'supports':
      return joined === null ? 'cited with another' : `cited with no. ${joined}`;
    case 'gate':
      return 'not relevant enough';
    case 'level':
      return 'hardly helps';
    case 'known':
      return 'known already';
    case 'rank':
      return 'adds nothing';
    case 'words':
      return 'no words left';
    case 'notDrawn':
      return 'not drawn';
    case 'wording':
      return 'wording wrong';
    default:
      return 'not selected';
  }
}

/** What the service took to say the same, and how alike they are, since that is often less than the same. */
function citedWith(id: string | null, nearest: Standing['nearest'], rankOf: (id: string) => number | null): string {
  const rank = id === null ? null : rankOf(id);
  const alike = nearest !== null && nearest.id === id ? ` (${percent(nearest.similarity)} similar)` : '';
  return `Cited with ${rank === null ? 'a selected one' : `no. ${rank}`}: the service found that it says the same${alike}.`;
}

function added(gain: number | null): string {
  return gain === null ? '' : ` It would add ${amount(gain)}.`;
}
