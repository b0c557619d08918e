import type { Random } from '../../selection/dpp/random.ts';

/**
 * Deals items to hands: each item to as many hands as it has copies, never twice to one, each hand as many as it takes. What
 * a hand gets is drawn, an item with many copies left more likely than one with few; what would not find hands enough behind
 * this one goes first, so that all are dealt (Gale 1957; Ryser 1957: as the sizes differ by one at most, they can be).
 *
 * @param copies of each item, at most as many as there are hands
 * @param sizes of the hands, which differ by one at most; together as many as there are copies
 * @returns places of items, for each hand
 */
export function dealEvenly(copies: readonly number[], sizes: readonly number[], random: Random): number[][] {
  const left = [...copies];
  return sizes.map((size, hand) => {
    const taken = [...left.keys()].filter((item) => left[item] === sizes.length - hand);
    while (taken.length < size) taken.push(drawn(left, taken, random));
    for (const item of taken) left[item]--;
    return taken;
  });
}

/** An item that is not taken, by how many copies of it are left. */
function drawn(left: readonly number[], taken: readonly number[], random: Random): number {
  const open = [...left.keys()].filter((item) => left[item] > 0 && !taken.includes(item));
  let at = random() * open.reduce((sum, item) => sum + left[item], 0);
  for (const item of open) {
    at -= left[item];
    if (at < 0) return item;
  }
  // The sum of the shares may round to a little more than what is subtracted.
  const last = open.at(-1);
  if (last === undefined) throw new RangeError('the hands take more than there is');
  return last;
}
