import { type ScaleLinear, scaleLinear } from 'd3-scale';

/** Pixels of CSS. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels around the outermost points. */
export const MARGIN = 24;

/**
 * Scales from a layout to pixels: as large as fits, both axes alike, in the middle, the second axis upwards.
 *
 * @param layout x and y of each point, one after the other
 * @param among places of the points that are to be seen; all of them where it is absent
 */
export function fitLayout(
  layout: ArrayLike<number>,
  { width, height }: PlotSize,
  among?: readonly number[],
): { readonly x: ScaleLinear<number, number>; readonly y: ScaleLinear<number, number> } {
  const [left, right] = extent(layout, 0, among);
  const [bottom, top] = extent(layout, 1, among);
  const inner = { width: Math.max(1, width - 2 * MARGIN), height: Math.max(1, height - 2 * MARGIN) };
  const fitting = Math.min(inner.width / (right - left), inner.height / (top - bottom));
  // Without any extent every point is in the middle, whatever the scale.
  const factor = Number.isFinite(fitting) ? fitting : 1;
  const half = [width / 2 / factor, height / 2 / factor];
  const middle = [(left + right) / 2, (bottom + top) / 2];
  return {
    x: scaleLinear([middle[0] - half[0], middle[0] + half[0]], [0, width]),
    y: scaleLinear([middle[1] - half[1], middle[1] + half[1]], [height, 0]),
  };
}

/** A layout in pixels. */
export function placePoints(layout: ArrayLike<number>, size: PlotSize, among?: readonly number[]): Float64Array {
  const { x, y } = fitLayout(layout, size, among);
  return Float64Array.from({ length: layout.length }, (_, i) => (i % 2 === 0 ? x(layout[i]) : y(layout[i])));
}

function extent(layout: ArrayLike<number>, axis: 0 | 1, among?: readonly number[]): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const points = among?.length ?? layout.length / 2;
  for (let k = 0; k < points; k++) {
    const value = layout[2 * (among?.[k] ?? k) + axis];
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least <= most ? [least, most] : [0, 0];
}
