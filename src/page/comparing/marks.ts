import type { Digest } from '../../client/index.ts';

type Sentence = Digest['summary']['sentences'][number];
type KeyPoint = Digest['keyPoints'][number];

export type Comparable = Pick<Digest, 'keyPoints'> & { readonly summary: Pick<Digest['summary'], 'sentences'> };

/** The standing of a selected point on the other side: the same point, a supporting or supported one, a common supporter, or nothing. */
type Standing = 'both' | 'worded' | 'near' | 'here';
/** `partly` if the points of a sentence differ in standing. */
export type Mark = Standing | 'partly';

export interface MarkedSentence {
  readonly sentence: Sentence;
  /** Null for sentences without a point. */
  readonly mark: Mark | null;
  /** Indices of the sentences on the other side that say some of the same. */
  readonly partners: readonly number[];
}

export interface MarkedDigest {
  readonly sentences: readonly MarkedSentence[];
  /** Number of selected points by their standing, each counted once. */
  readonly counts: Readonly<Record<Standing | 'points', number>>;
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

const STANDINGS = ['here', 'near', 'worded', 'both'] as const;

function markDigest(
  { summary }: Comparable,
  here: readonly (readonly Group[])[],
  there: readonly (readonly Group[])[],
): MarkedDigest {
  const picks = new Set(there.flat().map(({ pick }) => pick));
  const members = new Map<string, number[]>();
  for (const [index, groups] of there.entries()) {
    for (const member of groups.flatMap((group) => group.members)) {
      members.set(member, [...(members.get(member) ?? []), index]);
    }
  }
  const partnersOf = ({ members: own }: Group): number[] => own.flatMap((member) => members.get(member) ?? []);
  const standingOf = (group: Group): Standing => {
    if (picks.has(group.pick)) return 'both';
    if (members.has(group.pick) || group.members.some((member) => picks.has(member))) return 'worded';
    return partnersOf(group).length > 0 ? 'near' : 'here';
  };

  // A point that several sentences state counts by its best standing.
  const best = new Map<string, number>();
  for (const group of here.flat()) {
    if (group.selected === null) continue;
    const standing = STANDINGS.indexOf(standingOf(group));
    best.set(group.selected, Math.max(best.get(group.selected) ?? 0, standing));
  }
  const count = (standing: Standing) => [...best.values()].filter((each) => STANDINGS[each] === standing).length;
  return {
    sentences: summary.sentences.map((sentence, index) => ({
      sentence,
      mark: markOf(here[index].map(standingOf)),
      partners: [...new Set(here[index].flatMap(partnersOf))].sort((a, b) => a - b),
    })),
    counts: {
      points: best.size,
      both: count('both'),
      worded: count('worded'),
      near: count('near'),
      here: count('here'),
    },
  };
}

function markOf(standings: readonly Standing[]): Mark | null {
  if (standings.length === 0) return null;
  const weakest = STANDINGS.find((standing) => standings.includes(standing)) ?? 'here';
  return weakest === 'here' && standings.some((each) => each !== 'here') ? 'partly' : weakest;
}
