import type { ComponentChild } from 'preact';
import { VirtualList } from '../parts/virtual-list.tsx';

/** Items that are put into the page as they are; more go into a box that scrolls. */
const FEW = 30;

interface LongListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item, index: number) => ComponentChild;
  readonly estimate: number;
  readonly label: string;
  /** An item to scroll to, where the list scrolls. */
  readonly show?: number | undefined;
}

/** A list that stays smooth however long it is. */
export function LongList<Item>({ items, keyOf, render, estimate, label, show }: LongListProps<Item>) {
  if (items.length > FEW) {
    return (
      <VirtualList
        class="making-long"
        items={items}
        keyOf={keyOf}
        render={render}
        estimate={estimate}
        label={label}
        show={show}
      />
    );
  }
  return (
    <ol class="making-short" aria-label={label}>
      {items.map((item, index) => (
        <li key={keyOf(item)}>{render(item, index)}</li>
      ))}
    </ol>
  );
}
