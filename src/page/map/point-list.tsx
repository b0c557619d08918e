import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Select, TextField } from '../parts/fields.tsx';
import { count, number } from '../parts/words.ts';
import { statusWords } from './point-card.tsx';
import { type Differences, isGated, type MapPoint, type Picture, type Ranks, type Standing } from './points.ts';

const ORDERS = { rank: 'as selected', relevance: 'by relevance', document: 'by document' } as const;
type Order = keyof typeof ORDERS;

/** Points that are listed at first, and more at each press. */
const LISTED = 100;

interface PointListProps {
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  /** Differences to the digest; null if its own selection is shown. */
  readonly changed: Differences | null;
  readonly ranks: Ranks;
  readonly pinned: number | null;
  readonly onPin: (point: number | null) => void;
}

/** Lists the points, selected and no longer selected ones first. */
export function PointList({ points, picture, changed, ranks, pinned, onPin }: PointListProps) {
  const [order, setOrder] = useState<Order>('rank');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(LISTED);
  const list = useRef<HTMLOListElement>(null);
  const { standings, picks } = picture;
  const sorted = useMemo(() => {
    const isGone = (i: number) => changed?.gone.has(points[i].id) ?? false;
    return sortPoints(points, standings, { order, text, isGone });
  }, [points, standings, order, text, changed]);
  const place = sorted.indexOf(pinned ?? -1);
  const listed = sorted.slice(0, Math.max(limit, place + 1));
  useEffect(() => {
    const box = list.current;
    const row = box?.children[place];
    // Within the list only: the page stays where it is.
    if (box && row instanceof HTMLElement) box.scrollTop = row.offsetTop - box.clientHeight / 3;
  }, [place]);
  return (
    <section class="map-all" aria-labelledby="map-list-title">
      <h2 id="map-list-title">All key points</h2>
      <div class="map-tools">
        <TextField label="Search" type="search" value={text} onChange={setText} />
        {/* The choices are the orders. */}
        <Select
          label="Order"
          value={order}
          choices={Object.entries(ORDERS)}
          onChoose={(chosen) => setOrder(chosen as Order)}
        />
      </div>
      <p class="muted" role="status">
        {`${count(sorted.length, 'key point')}${sorted.length < points.length ? ` of ${number(points.length)}` : ''}. `}
        {`${count(picks.length, 'key point')} selected. `}
        {changed?.sentence}
      </p>
      {sorted.length === 0 && <p class="empty">No key point contains these words.</p>}
      <ol ref={list} class="map-list">
        {listed.map((i) => {
          const { id, title, text: said } = points[i];
          const sign = changed?.added.has(id) ? '+ added' : changed?.gone.has(id) ? '– removed' : null;
          return (
            <li key={id}>
              <button
                type="button"
                class="map-row"
                data-point={id}
                aria-pressed={i === pinned}
                onClick={() => onPin(i === pinned ? null : i)}
              >
                {said}
                <span class="map-row-facts">
                  {sign !== null && <strong class="map-sign">{sign}</strong>}
                  <span class={standings[i].selected ? 'map-row-selected' : ''}>
                    {statusWords(standings[i], ranks)}
                  </span>
                  <span>{`relevance ${number(standings[i].relevance)}`}</span>
                  <span>{title}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {listed.length < sorted.length && (
        <button type="button" onClick={() => setLimit(listed.length + LISTED)}>
          Show more
        </button>
      )}
    </section>
  );
}

interface Listing {
  readonly order: Order;
  /** Words that the points must contain, ignoring case. */
  readonly text: string;
  readonly isGone: (i: number) => boolean;
}

/** Sorts and filters points. By rank, dropped and supporting points follow the selected ones. */
export function sortPoints(
  points: readonly MapPoint[],
  standings: readonly Standing[],
  { order, text, isGone }: Listing,
): number[] {
  const sought = text.trim().toLocaleLowerCase('en');
  const documents = [...new Set(points.map(({ document }) => document))];
  const placeOf: Readonly<Record<Order, (i: number) => number>> = {
    rank: (i) => rankPlace(standings[i], isGone(i)),
    relevance: () => 0,
    document: (i) => documents.indexOf(points[i].document),
  };
  const relevance = (i: number) => (order === 'document' ? 0 : standings[i].relevance);
  const all = [...points.keys()];
  const keys = all.map(placeOf[order]);
  return all
    .filter((i) => sought === '' || textOf(points[i]).includes(sought))
    .sort((a, b) => keys[a] - keys[b] || relevance(b) - relevance(a) || a - b);
}

function rankPlace(standing: Standing, isGone: boolean): number {
  if (standing.selected) return standing.rank ?? 1e6;
  if (isGone) return 2e6;
  if (standing.supports !== null) return 3e6;
  return isGated(standing) ? 5e6 : 4e6;
}

function textOf({ text, title, document, speaker }: MapPoint): string {
  return `${text}\n${title}\n${document}\n${speaker ?? ''}`.toLocaleLowerCase('en');
}
