import type { Digest } from '../../client/index.ts';

export type Comparable = Pick<Digest, 'keyPoints'> & { readonly summary: Pick<Digest['summary'], 'sentences'> };

/** Whether the other side selects the same points as a sentence, states some of its points, or none. */
export type Mark = 'both' | 'similar' | 'here';

export interface MarkedDigest {
  /** Of each sentence; null for those without a point. */
  readonly marks: readonly (Mark | null)[];
  /** Number of selected points that sentences state, each counted once. */
  readonly points: number;
  /** Those of them that the other side selects too. */
  readonly shared: number;
}

/** Marks what two digests share. Points that quote the same words of the same document are the same, whatever the extractor. */
export function compareDigests(left: Comparable, right: Comparable): Readonly<Record<'left' | 'right', MarkedDigest>> {
  const [ofLeft, ofRight] = [left, right].map(statementsOf);
  return { left: markDigest(ofLeft, ofRight), right: markDigest(ofRight, ofLeft) };
}

/** The points of a sentence, by their words. */
interface Statement {
  readonly stated: readonly string[];
  readonly selected: readonly string[];
  /** The selected ones, or the first. */
  readonly picks: readonly string[];
}

function statementsOf({ keyPoints, summary }: Comparable): Statement[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return summary.sentences.map((sentence) => {
    const found = sentence.keyPoints.flatMap((id) => points.get(id) ?? []);
    const wordsOf = ({ document, quote }: (typeof found)[number]) => JSON.stringify([document, quote.text]);
    const stated = found.map(wordsOf);
    const selected = found.filter((point) => point.selected).map(wordsOf);
    return { stated, selected, picks: selected.length > 0 ? selected : stated.slice(0, 1) };
  });
}

function markDigest(here: readonly Statement[], there: readonly Statement[]): MarkedDigest {
  const stated = new Set(there.flatMap((each) => each.stated));
  const picked = new Set(there.flatMap(({ picks }) => picks));
  const own = [...new Set(here.flatMap(({ selected }) => selected))];
  const markOf = (sentence: Statement): Mark | null => {
    if (sentence.stated.length === 0) return null;
    if (sentence.picks.every((pick) => picked.has(pick))) return 'both';
    return sentence.stated.some((point) => stated.has(point)) ? 'similar' : 'here';
  };
  return { marks: here.map(markOf), points: own.length, shared: own.filter((pick) => picked.has(pick)).length };
}
