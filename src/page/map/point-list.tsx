import { useMemo, useState } from 'preact/hooks';
import { VirtualList } from '../parts/virtual-list.tsx';
import './map-lists.css';
import type { MapPoint } from './map-point.ts';
import { amount, count } from './numbers.ts';
import type { Picture } from './picture.ts';
import { ORDERS, type Order, sortPoints } from './sort-points.ts';
import { statusWord } from './status-sentence.ts';

/** Pixels of a row before it is measured. */
const ROW = 74;

interface PointListProps {
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  readonly rankOf: (id: string) => number | null;
  /** Places of the points that are listed. */
  readonly listed: readonly number[];
  /** Whether these are the points of a marked region. */
  readonly isRegion: boolean;
  readonly pinned: number | null;
  readonly onPin: (place: number | null) => void;
  readonly onClear: () => void;
}

/** The key points of the map, or of the region that is marked, as a list: all that the map tells, in words. */
export function PointList(props: PointListProps) {
  const { points, picture, rankOf, listed, isRegion, pinned, onPin, onClear } = props;
  const [order, setOrder] = useState<Order>('rank');
  const [text, setText] = useState('');
  const { standings } = picture;
  const shown = useMemo(
    () => sortPoints(listed, points, standings, order, text),
    [listed, points, standings, order, text],
  );
  return (
    <section class="map-all" aria-labelledby="map-list-title">
      <h2 id="map-list-title">{isRegion ? 'Key points in the marked region' : 'All key points'}</h2>
      <div class="map-list-tools">
        <label>
          Search
          <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <label>
          Order
          <select value={order} onChange={({ currentTarget }) => setOrder(orderOf(currentTarget.value))}>
            {Object.entries(ORDERS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {isRegion && (
          <button type="button" onClick={onClear}>
            Clear the region
          </button>
        )}
      </div>
      <p class="muted" role="status">
        {`${count(shown.length, 'key point')}${shown.length < points.length ? ` of ${points.length.toLocaleString('en')}` : ''}.`}
        {!isRegion && ' Drag over the map to list a region only.'}
      </p>
      {shown.length === 0 ? (
        <p class="empty">
          {listed.length === 0 ? 'There are no key points in this region.' : 'No key point contains these words.'}
        </p>
      ) : (
        <VirtualList
          class="map-list"
          label={isRegion ? 'Key points in the marked region' : 'Key points'}
          items={shown}
          keyOf={(i) => points[i].id}
          estimate={ROW}
          show={pinned === null ? undefined : shown.indexOf(pinned)}
          render={(i) => (
            <button
              type="button"
              class="map-row"
              data-point={points[i].id}
              aria-pressed={i === pinned}
              onClick={() => onPin(i === pinned ? null : i)}
            >
              <span class="map-row-text">{points[i].text}</span>
              <span class="map-row-facts">
                <span class={standings[i].selected ? 'map-row-selected' : ''}>{statusWord(standings[i], rankOf)}</span>
                <span>{`relevance ${amount(standings[i].relevance)}`}</span>
                <span>{points[i].title}</span>
              </span>
            </button>
          )}
        />
      )}
    </section>
  );
}

function orderOf(name: string): Order {
  return name === 'relevance' || name === 'document' ? name : 'rank';
}
