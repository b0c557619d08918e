import { useMemo } from 'preact/hooks';
import { useMedia } from '../parts/browser.ts';
import { count, number } from '../parts/words.ts';
import { placePoints } from './layout.ts';
import { isGated, type MapPoint, picksOf, quarters } from './points.ts';

/** Opacity of unselected points by the quarter of their relevance. */
const STRENGTHS = [0.25, 0.5, 0.75, 0.95] as const;
/** Distance within which the pointer is at a point. */
const REACH = 16;
/** Size of the plot, in units of the picture, on wide and on narrow screens. */
export const SIZES = { wide: { width: 800, height: 592 }, narrow: { width: 360, height: 300 } };

interface PlotProps {
  /** x and y of each point, interleaved, in any unit. */
  readonly positions: Float64Array;
  readonly points: readonly MapPoint[];
  /** Ids of the points that the digest picked; null if its own selection is shown. */
  readonly own: ReadonlySet<string> | null;
  readonly shown: number | null;
  readonly pinned: number | null;
  /** Called with the point under the pointer, and with null when the pointer leaves. */
  readonly onShow: (point: number | null) => void;
  readonly onPin: (point: number | null) => void;
}

/** The picture of the points, for pointers; the list below it holds the same. */
export function Plot({ positions, points, own, shown, pinned, onShow, onPin }: PlotProps) {
  const size = SIZES[useMedia('(min-width: 40rem)') ? 'wide' : 'narrow'];
  const places = useMemo(() => placePoints(positions, size), [positions, size]);
  const drawn = useMemo(() => <Points places={places} points={points} own={own} />, [places, points, own]);
  const pointAt = ({ clientX, clientY, currentTarget }: MouseEvent): number | null => {
    if (!(currentTarget instanceof Element)) return null;
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const unit = size.width / width;
    return nearestPoint(places, points, unit * (clientX - left), unit * (clientY - top));
  };
  const label = `Map of ${count(points.length, 'key point')}, ${picksOf(points).length} of them selected`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of key points is operated by keyboard
    <svg
      class="map-plot"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size.width} ${size.height}`}
      onPointerMove={(event) => {
        const point = pointAt(event);
        if (point !== null && point !== shown) onShow(point);
      }}
      onPointerLeave={() => onShow(null)}
      onClick={(event) => onPin(pointAt(event))}
    >
      {drawn}
      {shown !== null && <path class="map-ring" d={shapeAt(places, shown, ring(10))} />}
      {pinned !== null && <path class="map-ring map-pinned" d={shapeAt(places, pinned, ring(12))} />}
    </svg>
  );
}

const TRIANGLE = 'm0 -8l7.5 13.5h-15z';
/** A line without length has round ends. */
const DOT = 'h0';
const ring = (radius: number) =>
  `m${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

function shapeAt(places: Float64Array, i: number, shape: string): string {
  return `M${places[2 * i]} ${places[2 * i + 1]}${shape}`;
}

interface PointsProps extends Pick<PlotProps, 'points' | 'own'> {
  readonly places: Float64Array;
}

/** Thousands of points are few elements: each kind is one path. */
function Points({ places, points, own }: PointsProps) {
  const indexOf = new Map(points.map(({ id }, i) => [id, i]));
  const at = ({ id }: MapPoint) => indexOf.get(id) ?? 0;
  const path = (drawn: readonly MapPoint[], shape: string) =>
    drawn.map((point) => shapeAt(places, at(point), shape)).join('');
  const picks = picksOf(points);
  const gone = points.filter(({ id, selected }) => own?.has(id) && !selected);
  const joins = points.map(({ supports }, i) => {
    const to = indexOf.get(supports ?? '');
    return to === undefined ? '' : shapeAt(places, i, `L${places[2 * to]} ${places[2 * to + 1]}`);
  });
  return (
    <>
      <path class="map-gated" d={path(points.filter(isGated), ring(3.5))} />
      {quarters(points).map((quarter, k) => (
        <path key={k} class="map-dots" opacity={STRENGTHS[k]} d={path(quarter, DOT)} />
      ))}
      <path class="map-join" d={joins.join('')} />
      <path class="map-gone" d={path(gone, TRIANGLE)} />
      {picks.toReversed().map((point) => (
        <path key={point.id} class="map-selected" data-point={point.id} d={path([point], TRIANGLE)} />
      ))}
      {[...gone, ...picks].map((point) => (
        <text key={point.id} class="map-label" x={places[2 * at(point)] + 8} y={places[2 * at(point) + 1] - 4}>
          {point.selected ? `${own?.has(point.id) === false ? '+' : ''}${point.rank}` : '–'}
        </text>
      ))}
    </>
  );
}

type Selected = Pick<MapPoint, 'selected'>;

/** The nearest point within reach; of several at one place a selected one, which counts as a unit nearer. */
export function nearestPoint(places: Float64Array, points: readonly Selected[], x: number, y: number): number | null {
  let found: number | null = null;
  let least = REACH;
  for (const [i, { selected }] of points.entries()) {
    const distance = Math.hypot(places[2 * i] - x, places[2 * i + 1] - y) - (selected ? 1 : 0);
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}

const SHAPES = {
  selected: <path class="map-selected" d={`M10 10${TRIANGLE}`} />,
  dots: STRENGTHS.map((opacity, k) => <path key={k} class="map-dots" opacity={opacity} d={`M${8 + 14 * k} 10h0`} />),
  gated: <circle class="map-gated" cx="10" cy="10" r="5" />,
  join: <path class="map-join" d="M2 10h16" />,
  gone: <path class="map-gone" d={`M10 10${TRIANGLE}`} />,
};

/** Explains the marks that the plot has. */
export function Legend({ points, own }: Pick<PlotProps, 'points' | 'own'>) {
  const amount = (is: (point: MapPoint) => unknown) => points.filter(is).length;
  const marks: readonly (readonly [keyof typeof SHAPES, number, string])[] = [
    ['selected', amount(({ selected }) => selected), 'selected, numbered in the order of selection'],
    [
      'dots',
      amount((point) => !point.selected && !isGated(point)),
      'not selected: the stronger the colour, the more relevant',
    ],
    ['gated', amount(isGated), 'not relevant enough to the question, or known already'],
    ['join', amount(({ supports }) => supports), 'cited together with the selected key point at the end of a line'],
    [
      'gone',
      amount(({ id, selected }) => own?.has(id) && !selected),
      'removed: selected in the digest but not here; + marks what was added',
    ],
  ];
  return (
    <ul class="map-legend" aria-label="What the marks mean">
      {marks
        .filter(([, amount]) => amount > 0)
        .map(([shape, amount, meaning]) => (
          <li key={shape}>
            <svg width={shape === 'dots' ? 60 : 20} height="20" aria-hidden="true">
              {SHAPES[shape]}
            </svg>
            <strong>{number(amount)}</strong> {meaning}
          </li>
        ))}
    </ul>
  );
}
