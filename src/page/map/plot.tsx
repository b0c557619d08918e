import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type PlotSize, placePoints } from './layout.ts';
import { isGated, type MapPoint, type Picture, quarters, type Ranks } from './points.ts';

/** Opacity of unselected points by the quarter of their relevance. */
export const STRENGTHS = [0.25, 0.5, 0.75, 0.95] as const;
/** Pixels within which the pointer is at a point. */
const REACH = 16;
/** Height of the plot as a share of its width, with bounds. */
const HEIGHT = { share: 0.74, least: 300, most: 620 };

interface PlotProps {
  readonly label: string;
  /** x and y of each point, interleaved, in any unit. */
  readonly positions: Float64Array;
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  readonly ranks: Ranks;
  /** Ids of the points that the digest picked; null if its own selection is shown. */
  readonly own: ReadonlySet<string> | null;
  readonly shown: number | null;
  readonly pinned: number | null;
  /** Called with the point under the pointer, and with null when the pointer leaves. */
  readonly onShow: (point: number | null) => void;
  readonly onPin: (point: number | null) => void;
}

/** The picture of the points, for pointers; the list below it holds the same. */
export function Plot(props: PlotProps) {
  const { label, positions, points, picture, ranks, own, shown, pinned, onShow, onPin } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = usePlotSize(frame, points.length === 1);
  const pixels = useMemo(() => placePoints(positions, size), [positions, size]);
  const drawn = useMemo(
    () => <Points pixels={pixels} points={points} picture={picture} ranks={ranks} own={own} />,
    [pixels, points, picture, ranks, own],
  );
  const pointAt = ({ clientX, clientY }: MouseEvent): number | null => {
    const box = frame.current?.getBoundingClientRect();
    return box === undefined ? null : nearestPoint(pixels, picture.picks, clientX - box.left, clientY - box.top);
  };
  return (
    <div ref={frame} class="map-plot" style={{ height: `${size.height}px` }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of key points is operated by keyboard */}
      <svg
        role="img"
        aria-label={label}
        width={size.width}
        height={size.height}
        onPointerMove={(event) => {
          const point = pointAt(event);
          if (point !== null && point !== shown) onShow(point);
        }}
        onPointerLeave={() => onShow(null)}
        onClick={(event) => onPin(pointAt(event))}
      >
        {drawn}
        {shown !== null && <path class="map-ring" d={marksAt(pixels, [shown], ring(10))} />}
        {pinned !== null && <path class="map-ring map-pinned" d={marksAt(pixels, [pinned], ring(12))} />}
      </svg>
    </div>
  );
}

const TRIANGLE = 'm0 -8l7.5 13.5h-15z';
/** A line without length has round ends. */
const DOT = 'h0';
const ring = (radius: number) =>
  `m${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

/** The path that has a shape at each point. */
function marksAt(pixels: Float64Array, indices: readonly number[], shape: string): string {
  return indices.map((i) => `M${pixels[2 * i]} ${pixels[2 * i + 1]}${shape}`).join('');
}

interface PointsProps extends Pick<PlotProps, 'points' | 'picture' | 'ranks' | 'own'> {
  readonly pixels: Float64Array;
}

/** Thousands of points are few elements: each kind is one path. */
function Points({ pixels, points, picture: { standings, picks }, ranks, own }: PointsProps) {
  const path = (indices: readonly number[], shape: string) => marksAt(pixels, indices, shape);
  const all = [...points.keys()];
  const indexOf = new Map(points.map(({ id }, i) => [id, i]));
  const gone = own === null ? [] : all.filter((i) => own.has(points[i].id) && !standings[i].selected);
  const joins = all.flatMap((i) => {
    const to = indexOf.get(standings[i].supports ?? '');
    return to === undefined ? [] : [`${path([i], '')}L${pixels[2 * to]} ${pixels[2 * to + 1]}`];
  });
  const labels = [
    ...gone.map((i) => [i, '–'] as const),
    ...picks.map((i) => {
      const { id } = points[i];
      return [i, `${own?.has(id) === false ? '+' : ''}${ranks.get(id)}`] as const;
    }),
  ];
  return (
    <>
      <path
        class="map-gated"
        d={path(
          all.filter((i) => isGated(standings[i])),
          ring(3.5),
        )}
      />
      {quarters(standings).map((quarter, k) => (
        <path key={k} class="map-dots" opacity={STRENGTHS[k]} d={path(quarter, DOT)} />
      ))}
      <path class="map-join" d={joins.join('')} />
      <path class="map-gone" d={path(gone, TRIANGLE)} />
      {picks.toReversed().map((i) => (
        <path key={points[i].id} class="map-selected" data-point={points[i].id} d={path([i], TRIANGLE)} />
      ))}
      {labels.map(([i, text]) => (
        <text key={i} class="map-label" x={pixels[2 * i] + 8} y={pixels[2 * i + 1] - 4}>
          {text}
        </text>
      ))}
    </>
  );
}

/** The size of the plot, which follows the element's width; low for a single point. */
function usePlotSize(element: RefObject<HTMLElement | null>, isLow: boolean): PlotSize {
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(measured.clientWidth) || 600));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return useMemo(() => {
    const most = isLow ? HEIGHT.least : HEIGHT.most;
    return { width, height: Math.round(Math.min(most, Math.max(HEIGHT.least, width * HEIGHT.share))) };
  }, [width, isLow]);
}

/** The nearest point within reach; a selected one if several coincide. */
export function nearestPoint(pixels: Float64Array, picks: readonly number[], x: number, y: number): number | null {
  let found: number | null = null;
  let least = REACH;
  for (const i of [...Array(pixels.length / 2).keys(), ...picks.toReversed()]) {
    const distance = Math.hypot(pixels[2 * i] - x, pixels[2 * i + 1] - y);
    if (distance <= least) [found, least] = [i, distance];
  }
  return found;
}
