import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChild } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item, index: number) => ComponentChild;
  /** Pixels of an item that was not measured yet. */
  readonly estimate: number;
  readonly label: string;
  readonly class?: string;
  /** An item to scroll to whenever it changes. */
  readonly show?: number | undefined;
}

/** A list of any length in a box that scrolls: only what is seen, and a little around it, is in the document. */
export function VirtualList<Item>({ items, keyOf, render, estimate, label, show, ...box }: VirtualListProps<Item>) {
  const scroller = useRef<HTMLElement>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLElement, HTMLLIElement>({
        count: 0,
        getScrollElement: () => scroller.current,
        estimateSize: () => estimate,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        measureElement,
        overscan: 8,
        onChange: () => draw(0),
      }),
    [estimate],
  );
  virtualizer.setOptions({
    ...virtualizer.options,
    count: items.length,
    getItemKey: (index) => (items[index] === undefined ? index : keyOf(items[index])),
  });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => {
    if (show !== undefined && show >= 0) virtualizer.scrollToIndex(show, { align: 'auto' });
  }, [virtualizer, show]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section ref={scroller} class={`virtual ${box.class ?? ''}`} tabIndex={0} aria-label={label}>
      <ol style={{ height: `${virtualizer.getTotalSize()}px`, position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={(element: HTMLLIElement | null) => virtualizer.measureElement(element)}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            class="virtual-item"
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(items[index], index)}
          </li>
        ))}
      </ol>
    </section>
  );
}
