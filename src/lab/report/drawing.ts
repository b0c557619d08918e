import { fixed } from '../../evaluation/index.ts';
import { type Content, type Html, html } from '../html/html.ts';

/** A drawing that scrolls in a box of its own where the screen is narrow. */
export function drawing(label: string, { width, height }: { width: number; height: number }, content: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}</svg></div>
`;
}

export function line(style: string, x1: number, y1: number, x2: number, y2: number): Html {
  return html`<line class="${style}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;
}

/** @param anchor where the text stands to its x */
export function words(style: string, x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): Html {
  return html`<text class="${style}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** A circle that tells more where a pointer rests. */
export function dot(style: string, x: number, y: number, radius: number, title: string): Html {
  return html`<circle class="${style}" cx="${px(x)}" cy="${px(y)}" r="${radius}"><title>${title}</title></circle>`;
}

/** As short as a drawing needs. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text that ends in dots where it is too long. */
export function clipped(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A text without its middle where it is too long: names often differ in their ends. */
export function clippedInside(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`;
}

/** A linear axis whose ends and ticks are round numbers. */
export interface Axis {
  readonly ticks: readonly number[];
  /** Of the labels, after the point. */
  readonly digits: number;
  /** Where a value lies, in units of the drawing. */
  at(value: number): number;
}

/**
 * @param values what the axis must hold; an axis from 0 to 1 where there are none
 * @param start where its low end lies in the drawing, and `end` its high one
 * @param count about so many ticks
 */
export function axisFor(values: readonly number[], start: number, end: number, count: number): Axis {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [low, high] = values.length === 0 ? [0, 1] : least === most ? [least - 1, most + 1] : [least, most];
  const step = roundStep((high - low) / count);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  return {
    ticks,
    digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
    at: (value) => start + ((end - start) * (value - first * step)) / ((last - first) * step),
  };
}

/**
 * An axis on which ratios are distances, with ticks at 1, 2 and 5 times powers of ten.
 *
 * @param values positive, and not all the same
 */
export function logAxis(values: readonly number[], start: number, end: number): Axis {
  const logs = values.map((value) => Math.log10(value));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  const round = Array.from({ length: high - low + 1 }, (_, place) => 10 ** (low + place)).flatMap((power) =>
    [1, 2, 5].map((times) => times * power),
  );
  const least = round.findLast((tick) => tick <= Math.min(...values) * (1 + 1e-9)) ?? round[0];
  const most = round.find((tick) => tick >= Math.max(...values) * (1 - 1e-9)) ?? 10 ** high;
  const [first, last] = [Math.log10(least), Math.log10(most)];
  return {
    ticks: round.filter((tick) => tick >= least && Math.log10(tick) <= last + 1e-9),
    digits: Math.max(0, -low),
    at: (value) => start + ((end - start) * (Math.log10(value) - first)) / (last - first),
  };
}

/** The next of 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 5].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10;
  return times * power;
}

/** Upright lines at the ticks of an axis, labelled above `top` or below `bottom`; the line at 0 may have a style of its own. */
export function uprightGrid(axis: Axis, top: number, bottom: number, labels: number, zero = 'grid'): Content {
  return axis.ticks.map((tick) => [
    line(tick === 0 ? zero : 'grid', axis.at(tick), top, axis.at(tick), bottom),
    words('tick', axis.at(tick), labels, fixed(tick, axis.digits), 'middle'),
  ]);
}

/** Level lines at the ticks of an axis, labelled at their left. */
export function levelGrid(axis: Axis, left: number, right: number): Content {
  return axis.ticks.map((tick) => [
    line('grid', left, axis.at(tick), right, axis.at(tick)),
    words('tick', left - 8, axis.at(tick) + 4, fixed(tick, axis.digits), 'end'),
  ]);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Directions around a point, the best first. */
const AROUND: readonly Point[] = [
  { x: 1, y: -0.6 },
  { x: 1, y: 0.9 },
  { x: -1, y: -0.6 },
  { x: -1, y: 0.9 },
  { x: 0, y: -1.1 },
  { x: 0, y: 1.4 },
];

/**
 * Middles for small labels beside points, each where it covers the fewest points and labels before it.
 *
 * @param distance from a point to the middle of its label, which is about twice as wide as high
 */
export function placeLabels(points: readonly Point[], distance: number): Point[] {
  const taken: Point[] = [...points];
  return points.map(({ x, y }) => {
    const places = AROUND.map((to) => ({ x: x + to.x * distance, y: y + to.y * distance }));
    const covered = places.map(
      (place) =>
        taken.filter((each) => Math.abs(each.x - place.x) < distance && Math.abs(each.y - place.y) < 0.75 * distance)
          .length,
    );
    const best = places[covered.indexOf(Math.min(...covered))];
    taken.push(best);
    return best;
  });
}

/**
 * Moves places apart where they are too near to each other; which comes before which stays the same.
 *
 * @param places in any order
 * @param gap least distance, at which all of them have to fit between `low` and `high`
 * @returns new places, in the order in which the old ones were given
 */
export function spreadApart(places: readonly number[], gap: number, low: number, high: number): number[] {
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b] || a - b);
  const moved = [...places];
  let least = low;
  for (const index of order) {
    moved[index] = Math.max(places[index], least);
    least = moved[index] + gap;
  }
  let most = high;
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index], most);
    most = moved[index] - gap;
  }
  return moved;
}
