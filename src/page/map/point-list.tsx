import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { Select, TextField } from '../parts/fields.tsx';
import { count, number } from '../parts/words.ts';
import { statusWords } from './point-card.tsx';
import type { Differences, MapPoint, Picture, Standing } from './points.ts';

const ORDERS = { rank: 'as selected', relevance: 'by relevance', document: 'by document' } as const;
type Order = keyof typeof ORDERS;

/** Estimated height of a row in pixels. */
const ROW = 74;

interface PointListProps {
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  /** Differences to the digest; null if its own selection is shown. */
  readonly changed: Differences | null;
  /** Number of picks dropped because the summary had no room. */
  readonly dropped: number;
  readonly pinned: number | null;
  readonly onPin: (point: number | null) => void;
  readonly rankOf: (id: string) => number | null;
  readonly listed: readonly number[];
  readonly isRegion: boolean;
  readonly onClear: () => void;
}

/** Lists the points in the marked region, or all; selected and no longer selected ones first. */
export function PointList(props: PointListProps) {
  const { points, picture, changed, dropped, rankOf, listed, isRegion, pinned, onPin, onClear } = props;
  const [order, setOrder] = useState<Order>('rank');
  const [text, setText] = useState('');
  const { standings, picks } = picture;
  const shown = useMemo(() => {
    const isGone = (i: number) => changed?.gone.has(points[i].id) ?? false;
    return sortPoints(listed, points, standings, { order, text, isGone });
  }, [listed, points, standings, order, text, changed]);
  const title = isRegion ? 'Key points in the marked region' : 'All key points';
  return (
    <section class="map-all" aria-labelledby="map-list-title">
      <h2 id="map-list-title">{title}</h2>
      <div class="map-list-tools">
        <TextField label="Search" type="search" value={text} onChange={setText} />
        {/* The choices are the orders. */}
        <Select
          label="Order"
          value={order}
          choices={Object.entries(ORDERS)}
          onChoose={(chosen) => setOrder(chosen as Order)}
        />
        {isRegion && (
          <button type="button" onClick={onClear}>
            Clear the region
          </button>
        )}
      </div>
      <p class="muted" role="status">
        {`${count(shown.length, 'key point')}${shown.length < points.length ? ` of ${number(points.length)}` : ''}.`}
        {!isRegion && ' Drag over the map to list a region only.'}
      </p>
      <p class="muted">
        {`${count(picks.length, 'key point')} selected. `}
        {changed?.sentence}
        {changed !== null &&
          dropped > 0 &&
          ` ${dropped} that the digest’s summary had no room for ${dropped === 1 ? 'counts' : 'count'} as picked.`}
      </p>
      {shown.length === 0 ? (
        <p class="empty">
          {listed.length === 0 ? 'There are no key points in this region.' : 'No key point contains these words.'}
        </p>
      ) : (
        <VirtualList label={title} keys={shown.map((i) => points[i].id)} show={shown.indexOf(pinned ?? -1)}>
          {(index) => {
            const i = shown[index];
            const { id } = points[i];
            const sign = changed?.added.has(id) ? '+ added' : changed?.gone.has(id) ? '– removed' : null;
            return (
              <button
                type="button"
                class="map-row"
                data-point={id}
                aria-pressed={i === pinned}
                onClick={() => onPin(i === pinned ? null : i)}
              >
                <span class="map-row-text">{points[i].text}</span>
                <span class="map-row-facts">
                  {sign !== null && <strong class="map-sign">{sign}</strong>}
                  <span class={standings[i].selected ? 'map-row-selected' : ''}>
                    {statusWords(standings[i], rankOf)}
                  </span>
                  <span>{`relevance ${number(standings[i].relevance)}`}</span>
                  <span>{points[i].title}</span>
                </span>
              </button>
            );
          }}
        </VirtualList>
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
  listed: readonly number[],
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
  const keys = new Map(listed.map((i) => [i, placeOf[order](i)]));
  return listed
    .filter((i) => sought === '' || textOf(points[i]).includes(sought))
    .sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || relevance(b) - relevance(a) || a - b);
}

function rankPlace({ selected, rank, supports, reason }: Standing, isGone: boolean): number {
  if (selected) return rank ?? 1e6;
  if (isGone) return 2e6;
  if (supports !== null) return 3e6;
  return reason === 'gate' || reason === 'known' ? 5e6 : 4e6;
}

function textOf({ text, title, document, speaker }: MapPoint): string {
  return `${text}\n${title}\n${document}\n${speaker ?? ''}`.toLocaleLowerCase('en');
}

interface VirtualListProps {
  readonly label: string;
  readonly keys: readonly string[];
  /** Index of an item to scroll to whenever it changes; -1 for none. */
  readonly show: number;
  readonly children: (index: number) => ComponentChildren;
}

/** A scrolling list that renders only the visible items and a few around them. */
function VirtualList({ label, keys, show, children }: VirtualListProps) {
  const scroller = useRef<HTMLElement>(null);
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLElement, HTMLLIElement>({
        count: 0,
        getScrollElement: () => scroller.current,
        estimateSize: () => ROW,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        measureElement,
        overscan: 8,
        onChange: () => draw(0),
      }),
    [],
  );
  virtualizer.setOptions({
    ...virtualizer.options,
    count: keys.length,
    getItemKey: (index) => keys[index] ?? index,
  });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => {
    if (show >= 0) virtualizer.scrollToIndex(show, { align: 'auto' });
  }, [virtualizer, show]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section ref={scroller} class="map-list" tabIndex={0} aria-label={label}>
      <ol style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={(element: HTMLLIElement | null) => virtualizer.measureElement(element)}
            data-index={index}
            aria-setsize={keys.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </li>
        ))}
      </ol>
    </section>
  );
}
