import type { PlotSize } from './fit-layout.ts';
import { type Arrow, DIRECTIONS, nearestInDirection } from './nearest-in-direction.ts';

/**
 * The point that a key goes to: with an arrow the nearest in its direction, with Home and End the first and the last selected, with
 * Page Down and Page Up the next and the one before, by rank. Where nothing is selected, points are ranked as they come.
 *
 * @param from where one is; null before anything is looked at
 * @param picks places of the selected points, by rank
 * @param within where points are to be seen, for arrows; anywhere where it is absent
 * @returns its place; null where the key goes nowhere, undefined where it is not one of these
 */
export function stepByKey(
  key: string,
  from: number | null,
  pixels: ArrayLike<number>,
  picks: readonly number[],
  within?: PlotSize,
): number | null | undefined {
  const ranked = picks.length > 0 ? picks : Array.from({ length: pixels.length / 2 }, (_, i) => i);
  const first = ranked[0] ?? null;
  const at = from === null ? -1 : ranked.indexOf(from);
  switch (key) {
    case 'Home':
      return first;
    case 'End':
      return ranked.at(-1) ?? null;
    case 'PageDown':
      return ranked[at + 1] ?? null;
    case 'PageUp':
      return at < 0 ? first : (ranked[at - 1] ?? null);
    default:
      if (!isArrow(key)) return undefined;
      return from === null ? first : nearestInDirection(pixels, from, key, within);
  }
}

function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS;
}
