import type { PlotSize } from './fit-layout.ts';

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
type Arrow = keyof typeof DIRECTIONS;

/** How much going aside costs beside going ahead. */
const ASIDE = 2;
/** Pixels: what is nearer than this is at the same place. */
const SAME = 1e-6;

/**
 * The nearest point in a direction, within 45 degrees of it where there is one, else anywhere ahead.
 *
 * @param pixels x and y of each point, one after the other
 * @param within where points are to be seen; anywhere where it is absent
 * @returns its place, or null where nothing lies ahead
 */
export function nearestInDirection(
  pixels: ArrayLike<number>,
  from: number,
  arrow: Arrow,
  within?: PlotSize,
): number | null {
  const [dx, dy] = DIRECTIONS[arrow];
  let best: number | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pixels.length / 2; i++) {
    const x = pixels[2 * i] - pixels[2 * from];
    const y = pixels[2 * i + 1] - pixels[2 * from + 1];
    const ahead = x * dx + y * dy;
    if (i === from || ahead <= SAME || !isWithin(pixels[2 * i], pixels[2 * i + 1], within)) continue;
    const aside = Math.abs(x * dy - y * dx);
    // What lies more aside than ahead comes after everything that does not.
    const cost = aside <= ahead ? ahead + ASIDE * aside : 1e6 + ahead + ASIDE * aside;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  }
  return best;
}

function isWithin(x: number, y: number, size: PlotSize | undefined): boolean {
  return size === undefined || (x >= 0 && y >= 0 && x <= size.width && y <= size.height);
}

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
