import type { Digest } from '../../client/index.ts';

type Sentence = Digest['summary']['sentences'][number];
type KeyPoint = Digest['keyPoints'][number];

export type Comparable = Pick<Digest, 'keyPoints'> & { readonly summary: Pick<Digest['summary'], 'sentences'> };

/** The standing of a selected point on the other side: the same point, a supporting, supported or commonly supported one, or nothing. */
export type Mark = 'both' | 'similar' | 'here';

export interface MarkedSentence {
  readonly sentence: Sentence;
  /** `similar` if the points of a sentence differ in standing; null for sentences without a point. */
  readonly mark: Mark | null;
  /** Indices of the sentences on the other side that say some of the same. */
  readonly partners: readonly number[];
}

export interface MarkedDigest {
  readonly sentences: readonly MarkedSentence[];
  /** Number of selected points by their standing, each counted once. */
  readonly counts: Readonly<Record<Mark | 'points', number>>;
}

interface Group {
  /** Id of the point; null if it was not selected. */
  readonly selected: string | null;
  readonly pick: string;
  readonly members: readonly string[];
}

/** Marks what two digests share. Points that quote the same words of the same document are the same, whatever the extractor. */
export function compareDigests(left: Comparable, right: Comparable): Readonly<Record<'left' | 'right', MarkedDigest>> {
  const [ofLeft, ofRight] = [left, right].map((digest) => digest.summary.sentences.map(groupsOf(digest)));
  return { left: markDigest(left, ofLeft, ofRight), right: markDigest(right, ofRight, ofLeft) };
}

function groupsOf({ keyPoints }: Comparable): (sentence: Sentence) => Group[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return (sentence) => {
    const stated = sentence.keyPoints.flatMap((id) => points.get(id) ?? []);
    const selected = stated.filter((point) => point.selected);
    const picks = selected.length > 0 ? selected : stated.slice(0, 1);
    // A point that supports none of the picks goes with the first.
    const pickOf = (point: KeyPoint) => picks.find(({ id }) => id === point.supports) ?? picks[0];
    return picks.map((pick) => ({
      selected: pick.selected ? pick.id : null,
      pick: wordsOf(pick),
      members: stated
        .filter((point) => point === pick || (!picks.includes(point) && pickOf(point) === pick))
        .map(wordsOf),
    }));
  };
}

function wordsOf({ document, quote }: KeyPoint): string {
  return JSON.stringify([document, quote.text]);
}

function markDigest({ summary }: Comparable, here: readonly Group[][], there: readonly Group[][]): MarkedDigest {
  const picks = new Set(there.flat().map(({ pick }) => pick));
  const partnersOf = ({ members }: Group): number[] =>
    there.flatMap((groups, index) =>
      groups.some((group) => group.members.some((member) => members.includes(member))) ? [index] : [],
    );
  const standingOf = (group: Group): Mark => {
    if (picks.has(group.pick)) return 'both';
    return partnersOf(group).length > 0 ? 'similar' : 'here';
  };

  // A point that several sentences state counts by its best standing.
  const standings = new Map<string, Mark[]>();
  for (const group of here.flat()) {
    if (group.selected === null) continue;
    standings.set(group.selected, [...(standings.get(group.selected) ?? []), standingOf(group)]);
  }
  const counts = { points: standings.size, both: 0, similar: 0, here: 0 };
  for (const each of standings.values()) {
    counts[(['both', 'similar'] as const).find((mark) => each.includes(mark)) ?? 'here'] += 1;
  }
  return {
    sentences: summary.sentences.map((sentence, index) => ({
      sentence,
      mark: markOf(here[index].map(standingOf)),
      partners: [...new Set(here[index].flatMap(partnersOf))].sort((a, b) => a - b),
    })),
    counts,
  };
}

function markOf([first, ...others]: readonly Mark[]): Mark | null {
  if (first === undefined) return null;
  return others.every((mark) => mark === first) ? first : 'similar';
}
