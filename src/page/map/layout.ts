import { useEffect, useState } from 'preact/hooks';
import { startThread } from '../parts/browser.ts';

/** Coordinates by point. */
export type Vectors = readonly (readonly number[])[];

interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Room around the outermost points. */
export const MARGIN = 24;

/**
 * Places a layout in a plot: as large as fits, axes to scale, centred, second axis upwards.
 *
 * @param layout x and y of each point, interleaved
 */
export function placePoints(layout: Float64Array, { width, height }: PlotSize): Float64Array {
  const extent = (axis: 0 | 1) => {
    const values = layout.filter((_, i) => i % 2 === axis);
    const [least, most] = values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    return { span: most - least, middle: (least + most) / 2 };
  };
  const [x, y] = [extent(0), extent(1)];
  const fitting = Math.min((width - 2 * MARGIN) / x.span, (height - 2 * MARGIN) / y.span);
  // Points without extent are centred at any scale.
  const scale = Number.isFinite(fitting) ? fitting : 1;
  return layout.map((value, i) =>
    i % 2 === 0 ? width / 2 + scale * (value - x.middle) : height / 2 - scale * (value - y.middle),
  );
}

/** The first two components of each vector, point after point. */
export function firstTwo(vectors: Vectors): Float64Array {
  return Float64Array.from(vectors.flatMap(([x = 0, y = 0]) => [x, y]));
}

/** Number of points that a browser lays out by t-SNE in seconds, and that have groups. */
const POINTS = { least: 4, most: 2500 };

interface Layout {
  /** x and y of each point, interleaved. */
  readonly positions: Float64Array;
  /** `main` for the first two components, which stay if there are too few or too many points. */
  readonly kind: 'main' | 'grouping' | 'grouped';
}

/** The first two components until t-SNE has run in a thread, which ends with the component. */
export function useLayout(vectors: Vectors): Layout {
  const canGroup = vectors.length >= POINTS.least && vectors.length <= POINTS.most;
  const [layout, setLayout] = useState<Layout>(() => ({
    positions: firstTwo(vectors),
    kind: canGroup ? 'grouping' : 'main',
  }));
  useEffect(() => {
    if (!canGroup) return;
    const thread = startThread('layout');
    thread.onmessage = ({ data }: MessageEvent<Float64Array>) => setLayout({ positions: data, kind: 'grouped' });
    thread.onerror = (event) => {
      event.preventDefault();
      setLayout((before) => ({ ...before, kind: 'main' }));
    };
    thread.postMessage(vectors);
    return () => thread.terminate();
  }, [vectors, canGroup]);
  return layout;
}
