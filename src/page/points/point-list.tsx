import { useMemo, useState } from 'preact/hooks';
import { Select, TextField } from '../parts/fields.tsx';
import { count, number } from '../parts/words.ts';
import { isGated, type ListedPoint, statusOf } from './points.ts';

const ORDERS = { rank: 'as selected', relevance: 'by relevance', document: 'by document' } as const;
type Order = keyof typeof ORDERS;

/** Points that are listed at first, and more at each press. */
const LISTED = 100;

interface PointListProps {
  readonly points: readonly ListedPoint[];
  /** Id of the point that is shown. */
  readonly shown: string | undefined;
  readonly onShow: (id: string) => void;
}

/** Lists the points, at first the selected ones before the others. */
export function PointList({ points, shown, onShow }: PointListProps) {
  const [order, setOrder] = useState<Order>('rank');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(LISTED);
  const sorted = useMemo(() => sortPoints(points, order, text), [points, order, text]);
  const listed = sorted.slice(0, limit);
  return (
    <section class="points-all" aria-labelledby="points-list-title">
      <h2 id="points-list-title">All key points</h2>
      <div class="points-tools">
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
        {`${count(sorted.length, 'key point')}${sorted.length < points.length ? ` of ${number(points.length)}` : ''}.`}
      </p>
      {sorted.length === 0 && <p class="empty">No key point contains these words.</p>}
      <ol class="points-list">
        {listed.map((point) => {
          const { id, title, selected, relevance } = point;
          return (
            <li key={id}>
              <button
                type="button"
                class="points-row"
                data-point={id}
                aria-pressed={id === shown}
                onClick={() => onShow(id)}
              >
                {point.text}
                <span class="points-row-facts">
                  <span class={selected ? 'points-row-selected' : ''}>{statusOf(point, points)}</span>
                  <span>{`relevance ${number(relevance)}`}</span>
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

/**
 * Sorts and filters points. By rank, supporting points follow the selected ones, and gated points come last.
 *
 * @param text words that the points must contain, ignoring case
 */
export function sortPoints(points: readonly ListedPoint[], order: Order, text: string): ListedPoint[] {
  const sought = text.trim().toLowerCase();
  const documents = [...new Set(points.map(({ document }) => document))];
  const placeOf = (point: ListedPoint): number => {
    if (order === 'document') return documents.indexOf(point.document);
    return order === 'rank' ? rankPlace(point) : -point.relevance;
  };
  const contains = ({ text, title, document, speaker }: ListedPoint) =>
    `${text}\n${title}\n${document}\n${speaker ?? ''}`.toLowerCase().includes(sought);
  const found = points.filter(contains).map((point) => ({ point, place: placeOf(point) }));
  const second = order === 'document' ? 0 : 1;
  found.sort((a, b) => a.place - b.place || second * (b.point.relevance - a.point.relevance));
  return found.map(({ point }) => point);
}

function rankPlace(point: ListedPoint): number {
  if (point.selected) return point.rank ?? 0;
  if (point.supports !== null) return 1e6;
  return isGated(point) ? 3e6 : 2e6;
}
