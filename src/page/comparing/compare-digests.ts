import type { Digest } from '../../client/index.ts';

type Sentence = Digest['summary']['sentences'][number];
type KeyPoint = Digest['keyPoints'][number];

/** As much of a digest as is compared. */
export type Comparable = Pick<Digest, 'keyPoints'> & { readonly summary: Pick<Digest['summary'], 'sentences'> };

/**
 * Where the points of a sentence are: all on both sides; on both sides or joined to what is there, in other words; some only near
 * to what the other side says; some on both sides and some here alone; here alone.
 */
export type Mark = 'both' | 'worded' | 'near' | 'partly' | 'here';

export interface MarkedSentence {
  readonly sentence: Sentence;
  /** Null for sentences that state no point. */
  readonly mark: Mark | null;
  /** Places of the sentences on the other side that say some of the same. */
  readonly partners: readonly number[];
}

/** Points that were selected, each counted once, however many sentences state it. */
export interface PointCounts {
  readonly points: number;
  readonly both: number;
  readonly worded: number;
  readonly near: number;
  readonly here: number;
}

export interface MarkedDigest {
  readonly sentences: readonly MarkedSentence[];
  readonly counts: PointCounts;
}

/** A picked point with those that joined it. */
interface Group {
  /** Id of the point where it was selected; null where a sentence states only what joined another. */
  readonly selected: string | null;
  readonly pick: string;
  readonly members: ReadonlySet<string>;
}

type Standing = Exclude<Mark, 'partly'>;

/**
 * What two digests have in common. Points are the same where they quote the same key point of the same document: those with one id do,
 * as long as the documents are the same, and so do those that different extractors found. A picked point is worded in another
 * way on the other side where it joined a point that was picked there, or the other way round: the service took both to say the same. Where only points that joined both are
 * shared the two are near: both may well say the opposite of each other.
 */
export function compareDigests(
  left: Comparable,
  right: Comparable,
): { readonly left: MarkedDigest; readonly right: MarkedDigest } {
  const [ofLeft, ofRight] = [groupsOf(left), groupsOf(right)];
  return { left: markDigest(left, ofLeft, ofRight), right: markDigest(right, ofRight, ofLeft) };
}

function markDigest(
  { summary }: Comparable,
  here: readonly (readonly Group[])[],
  there: readonly (readonly Group[])[],
): MarkedDigest {
  const [picks, members] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [place, groups] of there.entries()) {
    for (const group of groups) {
      note(picks, group.pick, place);
      for (const member of group.members) note(members, member, place);
    }
  }
  const standings = new Map<string, Standing>();
  const sentences = summary.sentences.map((sentence, place): MarkedSentence => {
    const found = here[place].map((group) => {
      const partners = [...group.members].flatMap((member) => members.get(member) ?? []);
      const isWorded = members.has(group.pick) || [...group.members].some((member) => picks.has(member));
      const standing = picks.has(group.pick) ? 'both' : isWorded ? 'worded' : partners.length > 0 ? 'near' : 'here';
      if (group.selected !== null) {
        standings.set(group.selected, stronger(standings.get(group.selected), standing));
      }
      return { standing, partners } as const;
    });
    const partners = [...new Set(found.flatMap((each) => each.partners))].sort((a, b) => a - b);
    return { sentence, mark: markOf(found.map(({ standing }) => standing)), partners };
  });
  const counted = [...standings.values()];
  const count = (wanted: Standing): number => counted.filter((standing) => standing === wanted).length;
  return {
    sentences,
    counts: {
      points: counted.length,
      both: count('both'),
      worded: count('worded'),
      near: count('near'),
      here: count('here'),
    },
  };
}

function markOf(standings: readonly Standing[]): Mark | null {
  if (standings.length === 0) return null;
  if (standings.every((each) => each === 'here')) return 'here';
  if (standings.includes('here')) return 'partly';
  if (standings.includes('near')) return 'near';
  return standings.includes('worded') ? 'worded' : 'both';
}

/** A point that two sentences state is where either has it. */
function stronger(one: Standing | undefined, other: Standing): Standing {
  const order: readonly (Standing | undefined)[] = [undefined, 'here', 'near', 'worded', 'both'];
  return order.indexOf(one) > order.indexOf(other) ? (one ?? other) : other;
}

/** The groups that each sentence states. */
function groupsOf({ summary, keyPoints }: Comparable): Group[][] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return summary.sentences.map((sentence) => {
    const stated = sentence.keyPoints.flatMap((id) => points.get(id) ?? []);
    const selected = stated.filter((point) => point.selected);
    const picks = selected.length > 0 ? selected : stated.slice(0, 1);
    return picks.map((pick, place) => ({
      selected: pick.selected ? pick.id : null,
      pick: wordsOf(pick),
      members: new Set(
        stated
          .filter((point) => point === pick || (!picks.includes(point) && place === placeOfPick(point, picks)))
          .map(wordsOf),
      ),
    }));
  });
}

/** The pick that a point joined; the first one where it joined none of these. */
function placeOfPick({ supports }: KeyPoint, picks: readonly KeyPoint[]): number {
  return Math.max(
    picks.findIndex(({ id }) => id === supports),
    0,
  );
}

function wordsOf({ document, quote }: KeyPoint): string {
  return JSON.stringify([document, quote.text]);
}

function note(places: Map<string, number[]>, name: string, place: number): void {
  const known = places.get(name);
  if (known === undefined) places.set(name, [place]);
  else known.push(place);
}
