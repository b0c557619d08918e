import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { PlotSize } from './fit-layout.ts';

/** As wide as its place, and not so high that it fills the window. */
const HEIGHT = { share: 0.74, least: 300, most: 620 };

/** The size of the map, which follows the width of an element, and is low where it shows a single point; null until that is known. */
export function usePlotSize(place: RefObject<HTMLElement | null>, isLow: boolean): PlotSize | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return useMemo(() => {
    if (width === null || width === 0) return null;
    const most = isLow ? HEIGHT.least : HEIGHT.most;
    return { width, height: Math.round(Math.min(most, Math.max(HEIGHT.least, width * HEIGHT.share))) };
  }, [width, isLow]);
}
