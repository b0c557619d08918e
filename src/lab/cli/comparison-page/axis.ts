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
