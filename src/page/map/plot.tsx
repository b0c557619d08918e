import { brush, type D3BrushEvent } from 'd3-brush';
import { select } from 'd3-selection';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Attention, useDrawing } from './drawing.ts';
import { type PlotSize, placePoints } from './layout.ts';
import type { Scene } from './points.ts';

/** Pixels within which the pointer is at a point. */
const REACH = 16;
/** Half the side of the region that the keyboard marks around a point. */
const AROUND = 40;
/** Height of the plot as a share of its width, with bounds. */
const HEIGHT = { share: 0.74, least: 300, most: 620 };

interface PlotProps {
  readonly label: string;
  /** x and y of each point, interleaved, in any unit. */
  readonly positions: Float64Array;
  readonly scene: Scene;
  /** Indices of the points that fill the plot; all by default. */
  readonly among: readonly number[] | undefined;
  readonly attention: Attention;
  /** Whether a finger marks a region; otherwise it scrolls. */
  readonly marksByTouch: boolean;
  /** Called with the current point, and with null when the pointer leaves. */
  readonly onShow: (point: number | null, byKey: boolean) => void;
  readonly onPin: (point: number | null) => void;
  /** Called with the points in the marked region; null without one. */
  readonly onInside: (points: readonly number[] | null) => void;
  /** Receives a function that removes the mark. */
  readonly clearing: { current: () => void };
}

export function Plot(props: PlotProps) {
  const { label, positions, scene, among, attention, marksByTouch, onShow, onPin, onInside, clearing } = props;
  const help = useId();
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const group = useRef<SVGGElement>(null);
  const size = usePlotSize(plot, positions.length === 2);
  const pixels = useMemo(() => placePoints(positions, size, among), [positions, size, among]);
  useDrawing(canvas, { size, pixels, scene, attention });
  const [region, setRegion] = useState<Region | null>(null);
  const mark = useBrush(group, size, marksByTouch, setRegion);
  clearing.current = () => mark(null);
  useEffect(() => onInside(region === null ? null : insideRegion(pixels, region)), [region, pixels, onInside]);
  const { shown, pinned } = attention;

  function pointAt(event: MouseEvent): number | null {
    const box = plot.current?.getBoundingClientRect();
    return box === undefined ? null : nearestPoint(pixels, scene, event.clientX - box.left, event.clientY - box.top);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (pinned !== null) onPin(null);
      else mark(null);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (shown === null) return;
      if (event.shiftKey) mark(around(pixels[2 * shown], pixels[2 * shown + 1], size));
      else onPin(shown === pinned ? null : shown);
    } else {
      const point = stepByKey(event.key, shown, pixels, scene.picks, size);
      if (point === undefined) return;
      if (point !== null) onShow(point, true);
    }
    event.preventDefault();
  }

  return (
    <div class="map-frame">
      <div
        ref={plot}
        class="map-plot"
        // Only an application may take the arrow keys.
        role="application"
        aria-label={label}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is operated by keyboard
        tabIndex={0}
        style={{ height: `${size.height}px` }}
        onKeyDown={onKey}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible') && shown === null && scene.picks.length > 0) {
            onShow(scene.picks[0], true);
          }
        }}
        onPointerMove={(event) => {
          if (event.buttons !== 0) return;
          const point = pointAt(event);
          if (point !== null && point !== shown) onShow(point, false);
        }}
        onPointerLeave={() => onShow(null, false)}
        onClick={(event) => onPin(pointAt(event))}
      >
        <canvas ref={canvas} />
        <svg aria-hidden="true" class="map-brush">
          {/* Another group, since listeners for touch cannot be removed. */}
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

/** The size of the plot, which follows the element's width; low for a single point. */
function usePlotSize(element: RefObject<HTMLElement | null>, isLow: boolean): PlotSize {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = () => setWidth(Math.floor(measured.clientWidth) || 600);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return useMemo(() => {
    const most = isLow ? HEIGHT.least : HEIGHT.most;
    return { width, height: Math.round(Math.min(most, Math.max(HEIGHT.least, width * HEIGHT.share))) };
  }, [width, isLow]);
}

/** Upper left and lower right corner, in pixels. */
type Region = readonly [readonly [number, number], readonly [number, number]];

/** Lets a region be marked by dragging. @returns a function that marks a region, or removes the mark */
function useBrush(
  group: RefObject<SVGGElement | null>,
  { width, height }: PlotSize,
  byTouch: boolean,
  onRegion: (region: Region | null) => void,
): (region: Region | null) => void {
  const mark = useRef<(region: Region | null) => void>(() => {});
  useEffect(() => {
    if (group.current === null) return;
    const place = select(group.current);
    const behaviour = brush<unknown>()
      .extent([
        [0, 0],
        [width, height],
      ])
      .touchable(() => byTouch)
      .keyModifiers(false)
      // A two-dimensional brush has corners.
      .on('brush end', ({ selection }: D3BrushEvent<unknown>) => onRegion(selection as Region | null));
    place.call(behaviour);
    mark.current = (region) =>
      region === null ? behaviour.clear(place) : behaviour.move(place, [[...region[0]], [...region[1]]]);
    return () => {
      mark.current = () => {};
      place.on('.brush', null).selectAll('*').remove();
      // The mark does not fit the new size.
      onRegion(null);
    };
  }, [group, width, height, byTouch, onRegion]);
  return (region) => mark.current(region);
}

export function insideRegion(pixels: ArrayLike<number>, [[left, top], [right, bottom]]: Region): number[] {
  return [...Array(pixels.length / 2).keys()].filter((i) => {
    const [x, y] = [pixels[2 * i], pixels[2 * i + 1]];
    return x >= left && x <= right && y >= top && y <= bottom;
  });
}

function around(x: number, y: number, { width, height }: PlotSize): Region {
  return [
    [Math.max(0, x - AROUND), Math.max(0, y - AROUND)],
    [Math.min(width, x + AROUND), Math.min(height, y + AROUND)],
  ];
}

/** The nearest point within reach; the topmost if several coincide. */
function nearestPoint(pixels: ArrayLike<number>, scene: Scene, x: number, y: number): number | null {
  let found: number | null = null;
  let least = REACH;
  for (const i of [...scene.order, ...scene.gone, ...scene.picks.toReversed()]) {
    const distance = Math.hypot(pixels[2 * i] - x, pixels[2 * i + 1] - y);
    if (distance <= least) [found, least] = [i, distance];
  }
  return found;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The point that a key leads to: arrows to the nearest in their direction, Home and End to the first and last selected, Page Down
 * and Page Up through the selected, or through all if none is selected.
 *
 * @param from the current point; null at first
 * @param picks selected points, by rank
 * @param within the visible part of the plane
 * @returns null if the key leads nowhere, undefined for other keys
 */
export function stepByKey(
  key: string,
  from: number | null,
  pixels: ArrayLike<number>,
  picks: readonly number[],
  within: PlotSize,
): number | null | undefined {
  const ranked = picks.length > 0 ? picks : [...Array(pixels.length / 2).keys()];
  const at = from === null ? -1 : ranked.indexOf(from);
  const steps: Readonly<Record<string, number | undefined>> = {
    Home: ranked[0],
    End: ranked.at(-1),
    PageDown: ranked[at + 1],
    PageUp: ranked[at < 0 ? 0 : at - 1],
  };
  if (Object.hasOwn(steps, key)) return steps[key] ?? null;
  if (!Object.hasOwn(DIRECTIONS, key)) return undefined;
  return from === null ? (ranked[0] ?? null) : nearestAhead(pixels, from, DIRECTIONS[key], within);
}

/** The nearest visible point in a direction: within 45 degrees if there is one, else anywhere ahead. */
function nearestAhead(
  pixels: ArrayLike<number>,
  from: number,
  [dx, dy]: readonly [number, number],
  { width, height }: PlotSize,
): number | null {
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pixels.length / 2; i++) {
    const [x, y] = [pixels[2 * i], pixels[2 * i + 1]];
    const [right, down] = [x - pixels[2 * from], y - pixels[2 * from + 1]];
    const ahead = right * dx + down * dy;
    if (ahead <= 1e-6 || x < 0 || y < 0 || x > width || y > height) continue;
    const aside = Math.abs(right * dy - down * dx);
    const cost = ahead + 2 * aside + (aside <= ahead ? 0 : 1e6);
    if (cost < least) [best, least] = [i, cost];
  }
  return best;
}
