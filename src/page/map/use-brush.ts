import { brush, type D3BrushEvent } from 'd3-brush';
import { select } from 'd3-selection';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PlotSize } from './fit-layout.ts';
import type { Region } from './inside-region.ts';

interface Brush {
  /** Marks a region, or takes the mark away. */
  mark(region: Region | null): void;
}

/**
 * Lets a region be marked by dragging, over the whole of an SVG group. By touch only where that is wanted: a finger scrolls
 * otherwise.
 *
 * @param onRegion told of each region, and of null when there is none
 */
export function useBrush(
  group: RefObject<SVGGElement | null>,
  size: PlotSize | null,
  byTouch: boolean,
  onRegion: (region: Region | null) => void,
): Brush {
  const held = useRef<Brush>({ mark: () => {} });
  const notify = useRef(onRegion);
  notify.current = onRegion;
  const { width, height } = size ?? { width: 0, height: 0 };
  useEffect(() => {
    if (group.current === null || width === 0) return;
    const place = select(group.current);
    const behaviour = brush<unknown>()
      .extent([
        [0, 0],
        [width, height],
      ])
      .touchable(() => byTouch)
      .keyModifiers(false)
      .on('brush end', ({ selection }: D3BrushEvent<unknown>) => {
        // A brush of two dimensions has corners.
        notify.current(selection as Region | null);
      });
    place.call(behaviour);
    held.current = {
      mark: (region) =>
        region === null ? behaviour.clear(place) : behaviour.move(place, [[...region[0]], [...region[1]]]),
    };
    return () => {
      held.current = { mark: () => {} };
      place.on('.brush', null).selectAll('*').remove();
      // What was marked was marked at another size.
      notify.current(null);
    };
  }, [group, width, height, byTouch]);
  return { mark: (region) => held.current.mark(region) };
}
