import { leaning } from '../keypoints/leaning.ts';
import type { Selection } from '../selection/select.ts';
import type { Verifier } from '../summary/verify/claim.ts';
import { type Held, holdPoints } from '../summary/verify/hold-points.ts';
import type { Gathered } from './gather-points.ts';
import { quotesInContext } from './quotes-in-context.ts';

/**
 * The picks whose wording does not stand and whose quote, which would take its place, is lost alone: "They are pulling out
 * shovels" says nothing without the sentence before it.
 *
 * @param kept indices of the points that the selection saw
 * @returns by item, what would stand in its place; empty where the judging failed
 */
export async function lostPicks(
  { picks }: Selection,
  kept: readonly number[],
  { points, read: { documents } }: Gathered,
  verifier: Verifier,
): Promise<ReadonlyMap<number, Held>> {
  const inContext = quotesInContext(documents);
  const worded = picks.map(({ item }) => {
    const point = points[kept[item]];
    return { ...point, ...inContext(point), isWorded: true };
  });
  const told = documents.map(({ document }) => document);
  const { points: held, failures } = await holdPoints(worded, told, verifier);
  if (failures.length > 0) return new Map();
  return new Map(
    picks.flatMap(({ item }, place) => {
      const { text, documentIndex } = held[place];
      const english = documents[documentIndex].extraction?.language === 'eng';
      const isLost = text !== worded[place].text && leaning(text, { english, lower: false }) !== 'none';
      return isLost ? [[item, { text, verification: 'verbatim' as const }]] : [];
    }),
  );
}
