import type { MapPoint, Standing } from './map-point.ts';

export const ORDERS = { rank: 'as selected', relevance: 'by relevance', document: 'by document' } as const;
export type Order = keyof typeof ORDERS;

/**
 * Places of points in the order of a list: as selected (by rank, then those that joined, then the rest), the most relevant first, or
 * document after document.
 *
 * @param places those that are listed
 * @param text what they are to hold, in any case; all where it is empty
 */
export function sortPoints(
  places: readonly number[],
  points: readonly MapPoint[],
  standings: readonly Standing[],
  order: Order,
  text: string,
): number[] {
  const sought = text.trim().toLocaleLowerCase('en');
  const found = places.filter((i) => sought === '' || textOf(points[i]).includes(sought));
  const byRelevance = (a: number, b: number): number => standings[b].relevance - standings[a].relevance || a - b;
  if (order === 'relevance') return found.toSorted(byRelevance);
  if (order === 'rank') {
    return found.toSorted((a, b) => place(standings[a]) - place(standings[b]) || byRelevance(a, b));
  }
  const documents = new Map<string, number>();
  for (const { document } of points) if (!documents.has(document)) documents.set(document, documents.size);
  const documentOf = (i: number): number => documents.get(points[i].document) ?? 0;
  return found.toSorted((a, b) => documentOf(a) - documentOf(b) || a - b);
}

function place({ selected, rank, supports, reason }: Standing): number {
  if (selected) return rank ?? 1e6;
  if (supports !== null) return 2e6;
  return reason === 'gate' || reason === 'known' ? 4e6 : 3e6;
}

function textOf({ text, title, document, speaker }: MapPoint): string {
  return `${text}\n${title}\n${document}\n${speaker ?? ''}`.toLocaleLowerCase('en');
}
