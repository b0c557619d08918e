import { useEffect, useMemo, useState } from 'preact/hooks';
import { startThread } from '../parts/browser.ts';

/** Pixels of CSS. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels around the outermost points. */
export const MARGIN = 24;

/**
 * Places a layout in pixels: as large as fits, axes to scale, centred, second axis upwards.
 *
 * @param layout x and y of each point, interleaved
 * @param among indices of the points that have to fit; all by default
 */
export function placePoints(
  layout: ArrayLike<number>,
  { width, height }: PlotSize,
  among: readonly number[] = [...Array(layout.length / 2).keys()],
): Float64Array {
  const extent = (axis: 0 | 1) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const i of among) {
      least = Math.min(least, layout[2 * i + axis]);
      most = Math.max(most, layout[2 * i + axis]);
    }
    return { span: most - least, middle: (least + most) / 2 };
  };
  const [x, y] = [extent(0), extent(1)];
  const fitting = Math.min(Math.max(1, width - 2 * MARGIN) / x.span, Math.max(1, height - 2 * MARGIN) / y.span);
  // Points without extent are centred at any scale.
  const scale = Number.isFinite(fitting) ? fitting : 1;
  return Float64Array.from({ length: layout.length }, (_, i) =>
    i % 2 === 0 ? width / 2 + scale * (layout[i] - x.middle) : height / 2 - scale * (layout[i] - y.middle),
  );
}

export function othersAt(layout: ArrayLike<number>, point: number): number {
  const [x, y] = [layout[2 * point], layout[2 * point + 1]];
  return [...Array(layout.length / 2).keys()].filter((i) => layout[2 * i] === x && layout[2 * i + 1] === y).length - 1;
}

/** Number of points that a browser lays out by t-SNE in seconds. */
const POINTS = { least: 4, most: 2500 };

export function whyNoTsne(points: number): string | null {
  if (points < POINTS.least) return `With fewer than ${POINTS.least} key points there are no groups to find.`;
  if (points <= POINTS.most) return null;
  return `With more than ${POINTS.most.toLocaleString('en')} key points grouping takes too long in a browser.`;
}

/** The first two components of each vector, point after point. */
export function firstTwo(vectors: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(vectors.flatMap(([x = 0, y = 0]) => [x, y]));
}

/** Share of the variance in the first two components; 1 if there is none. */
export function shareOfTwo(vectors: readonly (readonly number[])[]): number {
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
  const all = squares(vectors.flat());
  return all === 0 ? 1 : squares(vectors.flatMap((vector) => vector.slice(0, 2))) / all;
}

export const ITERATIONS = 500;
const MAX_NEIGHBOURS = 30;

export interface LayoutOrder {
  /** Coordinates, point after point. */
  readonly vectors: Float64Array;
  readonly points: number;
  /** Initial layout: x and y, point after point. */
  readonly start: Float64Array;
  readonly perplexity: number;
  readonly iterations: number;
}

export interface LayoutNews {
  readonly iteration: number;
  /** x and y, point after point. */
  readonly layout: Float64Array;
}

export function layoutOrder(vectors: readonly (readonly number[])[]): LayoutOrder {
  return {
    vectors: Float64Array.from(vectors.flat()),
    points: vectors.length,
    start: firstTwo(vectors),
    perplexity: Math.max(1, Math.min(MAX_NEIGHBOURS, (vectors.length - 1) / 3)),
    iterations: ITERATIONS,
  };
}

export type LayoutKind = 'tsne' | 'pca';

export interface Layout {
  /** x and y, point after point. */
  readonly positions: Float64Array;
  readonly kind: LayoutKind;
  readonly iteration: number;
  /** The reason why t-SNE is unavailable; null if it is available. */
  readonly whyNot: string | null;
}

/** Runs t-SNE in a thread that ends with the component. @param isStill whether to show only the final layout */
export function useLayout(vectors: readonly (readonly number[])[], wanted: LayoutKind, isStill: boolean): Layout {
  const flat = useMemo(() => firstTwo(vectors), [vectors]);
  const [news, setNews] = useState<LayoutNews | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const unfit = whyNoTsne(vectors.length);
  useEffect(() => {
    if (unfit !== null) return;
    const thread = startThread('layout');
    thread.onmessage = ({ data }: MessageEvent<LayoutNews>) => setNews(data);
    thread.onerror = (event) => {
      event.preventDefault();
      setFailed(true);
    };
    thread.postMessage(layoutOrder(vectors));
    return () => thread.terminate();
  }, [vectors, unfit]);
  const whyNot = unfit ?? (hasFailed ? 'Grouping failed in this browser.' : null);
  const iteration = news?.iteration ?? 0;
  if (wanted === 'pca' || whyNot !== null) return { positions: flat, kind: 'pca', iteration, whyNot };
  const isShown = news !== null && (!isStill || iteration === ITERATIONS);
  return { positions: isShown ? news.layout : flat, kind: 'tsne', iteration, whyNot };
}
