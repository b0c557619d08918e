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

interface ListProps {
  readonly points: readonly MapPoint[];
  readonly picture: Picture;
  readonly pinned: number | null;
  readonly onPin: (point: number | null) => void;
}

interface PicksListProps extends ListProps {
  /** Differences to the digest; null if its own selection is shown. */
  readonly changed: Differences | null;
  /** Number of points that the digest picked and dropped again because the summary had no room. */
  readonly dropped: number;
}

/** The selected points by rank, and those that are no longer selected. */
export function PicksList({ points, picture: { picks }, changed, dropped, pinned, onPin }: PicksListProps) {
  const gone = changed === null ? [] : [...points.keys()].filter((i) => changed.gone.has(points[i].id));
  const row = (i: number, sign: '+' | '–' | null) => (
    <li
      key={points[i].id}
      data-point={points[i].id}
      class={sign === null ? '' : sign === '+' ? 'map-added' : 'map-gone'}
    >
      <button
        type="button"
        class="plain map-pick"
        aria-pressed={i === pinned}
        onClick={() => onPin(i === pinned ? null : i)}
      >
        {sign !== null && (
          <span class="map-sign">
            {sign} <span class="unseen">{sign === '+' ? 'added: ' : 'removed: '}</span>
          </span>
        )}
        {points[i].text}
      </button>
    </li>
  );
  return (
    <section class="map-chosen" aria-labelledby="map-picks-title">
      <h2 id="map-picks-title">{`Selected (${picks.length})`}</h2>
      <p class="muted">
        {changed === null ? 'As in the digest, in the order of selection.' : changed.sentence}
        {changed !== null &&
          dropped > 0 &&
          ` ${dropped} that the digest’s summary had no room for ${dropped === 1 ? 'counts' : 'count'} as picked.`}
      </p>
      {picks.length === 0 ? (
        <p class="empty">Nothing is selected.</p>
      ) : (
        <ol class="map-picks" id="map-picks">
          {picks.map((i) => row(i, changed?.added.has(points[i].id) ? '+' : null))}
        </ol>
      )}
      {gone.length > 0 && (
        <>
          <h3>Removed</h3>
          <ul class="map-picks" id="map-gone">
            {gone.map((i) => row(i, '–'))}
          </ul>
        </>
      )}
    </section>
  );
}

const ORDERS = { rank: 'as selected', relevance: 'by relevance', document: 'by document' } as const;
type Order = keyof typeof ORDERS;

/** Pixels of a row before it is measured. */
const ROW = 74;

interface PointListProps extends ListProps {
  readonly rankOf: (id: string) => number | null;
  /** Indices of the points that are listed. */
  readonly listed: readonly number[];
  /** Whether these are the points in a marked region. */
  readonly isRegion: boolean;
  readonly onClear: () => void;
}

/** All key points of the map, or those in the marked region. */
export function PointList(props: PointListProps) {
  const { points, picture, rankOf, listed, isRegion, pinned, onPin, onClear } = props;
  const [order, setOrder] = useState<Order>('rank');
  const [text, setText] = useState('');
  const { standings } = picture;
  const shown = useMemo(
    () => sortPoints(listed, points, standings, order, text),
    [listed, points, standings, order, text],
  );
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
      {shown.length === 0 ? (
        <p class="empty">
          {listed.length === 0 ? 'There are no key points in this region.' : 'No key point contains these words.'}
        </p>
      ) : (
        <VirtualList label={title} keys={shown.map((i) => points[i].id)} show={shown.indexOf(pinned ?? -1)}>
          {(index) => {
            const i = shown[index];
            return (
              <button
                type="button"
                class="map-row"
                data-point={points[i].id}
                aria-pressed={i === pinned}
                onClick={() => onPin(i === pinned ? null : i)}
              >
                <span class="map-row-text">{points[i].text}</span>
                <span class="map-row-facts">
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

/**
 * Sorts and filters points: by rank, supporting points after the selected ones; by relevance; or by document.
 *
 * @param text words that the points have to contain, in any case
 */
export function sortPoints(
  listed: readonly number[],
  points: readonly MapPoint[],
  standings: readonly Standing[],
  order: Order,
  text: string,
): number[] {
  const sought = text.trim().toLocaleLowerCase('en');
  const documents = [...new Set(points.map(({ document }) => document))];
  const placeOf: Readonly<Record<Order, (i: number) => number>> = {
    rank: (i) => rankPlace(standings[i]),
    relevance: () => 0,
    document: (i) => documents.indexOf(points[i].document),
  };
  const relevance = (i: number) => (order === 'document' ? 0 : standings[i].relevance);
  const keys = new Map(listed.map((i) => [i, placeOf[order](i)]));
  return listed
    .filter((i) => sought === '' || textOf(points[i]).includes(sought))
    .sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || relevance(b) - relevance(a) || a - b);
}

function rankPlace({ selected, rank, supports, reason }: Standing): number {
  if (selected) return rank ?? 1e6;
  if (supports !== null) return 2e6;
  return reason === 'gate' || reason === 'known' ? 4e6 : 3e6;
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

/** A list of any length in a box that scrolls; only the visible items and a few around them are in the document. */
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
