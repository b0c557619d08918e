import type { Selection } from '../selection/index.ts';
import { type Held, holdPoints, type SelectedPoint, type Verifier } from '../summary/index.ts';
import { leaning } from '../text/index.ts';
import type { EncodedPoints } from './extract/extract-and-encode.ts';
import type { Point } from './extract/points.ts';
import { quotesInContext } from './select/quotes-in-context.ts';

/** How the picks of a selection stand, before they are told. */
interface HeldPicks {
  /** By item: what was judged, or could not be, is not judged again. */
  readonly held: ReadonlyMap<number, Held>;
  /** Items whose wording does not stand and whose quote is lost alone; none where the judging failed. */
  readonly lost: ReadonlySet<number>;
  /** Why the judging failed; null where it did not. */
  readonly unjudged: string | null;
}

type Worded = Point & Pick<SelectedPoint, 'inContext' | 'opening' | 'earlier' | 'isWorded' | 'verification'>;

/**
 * Holds picks that a language model worded against their quotes, and finds those whose quote, which would take the place of a wording
 * that does not stand, is lost alone: "They are pulling out shovels" says nothing without the sentence before it.
 *
 * @param kept indices of the points that the selection saw
 */
export async function holdPicks(
  { picks }: Selection,
  kept: readonly number[],
  { points, read: { documents } }: EncodedPoints,
  verifier: Verifier,
): Promise<HeldPicks> {
  const inContext = quotesInContext(documents);
  const worded = picks.map(({ item }): Worded => {
    const point = points[kept[item]];
    return { ...point, ...inContext(point), isWorded: true };
  });
  const originals = documents.map(({ document }) => document);
  const { points: held, failures } = await holdPoints(worded, originals, verifier);
  const isLost = (place: number): boolean => {
    const { text, documentIndex } = held[place];
    const english = documents[documentIndex].extraction?.language === 'eng';
    return text !== worded[place].text && leaning(text, { english, lower: false }) !== 'none';
  };
  return {
    held: new Map(
      picks.map(({ item }, place) => {
        const { text, verification = 'verbatim' } = held[place];
        return [item, { text, verification }];
      }),
    ),
    lost: new Set(failures.length > 0 ? [] : picks.flatMap(({ item }, place) => (isLost(place) ? [item] : []))),
    unjudged: failures[0]?.message ?? null,
  };
}
