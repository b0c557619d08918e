import { type Quadtree, quadtree } from 'd3-quadtree';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Attention } from './draw-map.ts';
import { type PlotSize, placePoints } from './fit-layout.ts';
import { insideRegion, type Region } from './inside-region.ts';
import type { Scene } from './scene.ts';
import { stepByKey } from './step-by-key.ts';
import { useBrush } from './use-brush.ts';
import { useDrawing } from './use-drawing.ts';

/** As wide as its place, and not so high that it fills the window. */
const HEIGHT = { share: 0.74, least: 300, most: 620 };

/** The size of the map, which follows the width of an element, and is low where it shows a single point; null until that is known. */
function usePlotSize(place: RefObject<HTMLElement | null>, isLow: boolean): PlotSize | null {
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

/** Pixels within which the pointer is at a point. */
const REACH = 16;
/** Half the side of the region that is marked around a point by key. */
const AROUND = 40;
/** The picture before the width is known. */
const UNKNOWN: PlotSize = { width: 600, height: 400 };

interface MapPlotProps {
  readonly label: string;
  /** x and y of each point, one after the other, in units of their own. */
  readonly positions: Float64Array;
  readonly scene: Scene;
  /** Places of the points that fill the picture; all of them where it is absent. */
  readonly among: readonly number[] | undefined;
  readonly attention: Attention;
  readonly isStill: boolean;
  /** Whether a finger marks a region; it scrolls otherwise. */
  readonly marksByTouch: boolean;
  /** A point is looked at, by pointer or by key; null when the pointer leaves. */
  readonly onShow: (place: number | null, byKey: boolean) => void;
  readonly onPin: (place: number | null) => void;
  /** Points of the region that is marked; null when none is. */
  readonly onInside: (places: readonly number[] | null) => void;
  /** Where the way to take the mark back is put. */
  readonly clearing: { current: () => void };
}

/** The picture itself: points that can be pointed at, gone through by keys, and marked. */
export function MapPlot(props: MapPlotProps) {
  const { label, positions, scene, among, attention, isStill, marksByTouch, onShow, onPin, onInside, clearing } = props;
  const help = useId();
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const group = useRef<SVGGElement>(null);
  const size = usePlotSize(plot, positions.length === 2);
  const target = useMemo(() => placePoints(positions, size ?? UNKNOWN, among), [positions, size, among]);
  useDrawing(canvas, { size, target, scene, attention, isStill });
  const [region, setRegion] = useState<Region | null>(null);
  const { mark } = useBrush(group, size, marksByTouch, setRegion);
  clearing.current = () => mark(null);
  useEffect(() => onInside(region === null ? null : insideRegion(target, region)), [region, target, onInside]);
  const findNear = useFinder(target, scene);
  const { shown, pinned } = attention;

  function at(event: MouseEvent): number | null {
    const box = plot.current?.getBoundingClientRect();
    return box === undefined ? null : findNear(event.clientX - box.left, event.clientY - box.top);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (pinned !== null) onPin(null);
      else mark(null);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (shown === null) return;
      const [x, y] = [target[2 * shown], target[2 * shown + 1]];
      if (!event.shiftKey) onPin(shown === pinned ? null : shown);
      else mark(around(x, y, size ?? UNKNOWN));
    } else {
      const place = stepByKey(event.key, shown, target, scene.picks, size ?? UNKNOWN);
      if (place === undefined) return;
      if (place !== null) onShow(place, true);
    }
    event.preventDefault();
  }

  return (
    <div class="map-frame">
      <div
        ref={plot}
        class="map-plot"
        // Arrow keys go from point to point, which nothing but an application may do.
        role="application"
        aria-label={label}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is gone through by keys
        tabIndex={0}
        style={{ height: `${(size ?? UNKNOWN).height}px` }}
        onKeyDown={onKey}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible') && shown === null && scene.picks.length > 0) {
            onShow(scene.picks[0], true);
          }
        }}
        onPointerMove={(event) => {
          if (event.buttons !== 0) return;
          const place = at(event);
          if (place !== null && place !== shown) onShow(place, false);
        }}
        onPointerLeave={() => onShow(null, false)}
        onClick={(event) => onPin(at(event))}
      >
        <canvas ref={canvas} />
        <svg aria-hidden="true" class="map-brush">
          {/* Another group, since what listens to fingers cannot be taken off. */}
          <g key={String(marksByTouch)} ref={group} />
        </svg>
      </div>
      <p id={help} class="unseen">
        Arrow keys go to the next key point in that direction, Home and End to the first and the last selected, Page
        Down and Page Up through the selected ones. Enter pins a key point, Shift and Enter marks what is around it,
        Escape takes that back. The list of key points below holds the same.
      </p>
    </div>
  );
}

/** Finds the point that is nearest to a place, within reach; of those at one place the one that lies on top. */
function useFinder(pixels: Float64Array, { order, gone, picks }: Scene): (x: number, y: number) => number | null {
  const tree = useRef<{ readonly of: Float64Array; readonly top: readonly number[]; readonly tree: Quadtree<number> }>(
    null,
  );
  return (x, y) => {
    if (tree.current?.of !== pixels || tree.current.top !== picks) {
      // As they are drawn, since a tree finds what was put last at a place.
      const drawn = [...order, ...gone, ...picks.toReversed()];
      const found = quadtree(
        drawn,
        (i) => pixels[2 * i],
        (i) => pixels[2 * i + 1],
      );
      tree.current = { of: pixels, top: picks, tree: found };
    }
    return tree.current.tree.find(x, y, REACH) ?? null;
  };
}

function around(x: number, y: number, { width, height }: PlotSize): Region {
  return [
    [Math.max(0, x - AROUND), Math.max(0, y - AROUND)],
    [Math.min(width, x + AROUND), Math.min(height, y + AROUND)],
  ];
}
