import { useEffect, useMemo, useState } from 'preact/hooks';
import { startThread } from '../threads.ts';
import { firstTwo, type LayoutKind, perplexityOf, whyNoTsne } from './choose-layout.ts';
import type { LayoutNews, LayoutOrder } from './layout-message.ts';

export const ITERATIONS = 500;

/** Where the points are, and how that was found. */
export interface Layout {
  /** x and y, point after point. */
  readonly positions: Float64Array;
  /** Which picture this is. */
  readonly kind: LayoutKind;
  /** Iterations of t-SNE so far; null where it does not run. */
  readonly iteration: number | null;
  /** Why there is no t-SNE; null where there is, or will be. */
  readonly whyNot: string | null;
}

/**
 * Lays out points in a thread of its own, which ends with the component. Until it tells of a layout, the two main directions of
 * the points are the picture, from which it begins.
 *
 * @param wanted which of the two is to be shown
 * @param isStill whether only the last layout is to be shown
 */
export function useLayout(vectors: readonly (readonly number[])[], wanted: LayoutKind, isStill: boolean): Layout {
  const flat = useMemo(() => firstTwo(vectors), [vectors]);
  const [news, setNews] = useState<LayoutNews | null>(null);
  const [failed, setFailed] = useState(false);
  const unfit = whyNoTsne(vectors.length);
  useEffect(() => {
    setNews(null);
    setFailed(false);
    if (unfit !== null) return;
    let thread: Worker | null = null;
    try {
      thread = startThread('layout');
      thread.onmessage = ({ data }: MessageEvent<LayoutNews>) => setNews(data);
      thread.onerror = (event) => {
        event.preventDefault();
        setFailed(true);
      };
      const order = orderOf(vectors, flat);
      thread.postMessage(order, [order.vectors.buffer]);
    } catch {
      setFailed(true);
    }
    return () => thread?.terminate();
  }, [vectors, flat, unfit]);

  const whyNot = unfit ?? (failed ? 'Grouping failed in this browser.' : null);
  if (wanted === 'pca' || whyNot !== null) return { positions: flat, kind: 'pca', iteration: null, whyNot };
  const iteration = news?.iteration ?? 0;
  const isShown = news !== null && (!isStill || iteration === ITERATIONS);
  return { positions: isShown ? news.layout : flat, kind: 'tsne', iteration, whyNot };
}

function orderOf(vectors: readonly (readonly number[])[], start: Float64Array): LayoutOrder {
  return {
    vectors: Float64Array.from(vectors.flat()),
    points: vectors.length,
    start,
    perplexity: perplexityOf(vectors.length),
    iterations: ITERATIONS,
  };
}
