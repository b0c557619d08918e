import { seededRandom } from '../../selection/index.ts';

/**
 * So many of the items, each as likely as any other, in their order; all of them where there are no more. A larger number
 * with the same seed draws the same items and more.
 */
export function drawItems<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = seededRandom(seed);
  const drawn = items
    .map((_, index) => ({ index, ticket: random() }))
    .sort((a, b) => a.ticket - b.ticket || a.index - b.index)
    .slice(0, count);
  const chosen = new Set(drawn.map(({ index }) => index));
  return items.filter((_, index) => chosen.has(index));
}
