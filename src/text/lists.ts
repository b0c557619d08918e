export function* chunks<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/** Splits rows into groups of a maximum size. `sizeOf` is what a row adds to a group; infinite if it may not join. */
export function* groups<T>(
  rows: Iterable<T>,
  most: number,
  sizeOf: (row: T, group: readonly T[]) => number,
): Generator<T[]> {
  let group: T[] = [];
  let size = 0;
  for (const row of rows) {
    let added = sizeOf(row, group);
    if (group.length > 0 && size + added > most) {
      yield group;
      group = [];
      size = 0;
      added = sizeOf(row, group);
    }
    group.push(row);
    size += added;
  }
  if (group.length > 0) yield group;
}

export function firstAtLeast(values: ArrayLike<number>, value: number): number;
export function firstAtLeast<Item>(items: ArrayLike<Item>, value: number, measure: (item: Item) => number): number;
/** The place of the first of some items, sorted by their values, whose value is not below another. */
export function firstAtLeast<Item>(
  items: ArrayLike<Item>,
  value: number,
  measure: (item: Item) => number = Number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (measure(items[middle]) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const found = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}

/** Sorted by code units of a key; equal keys keep their order. */
export function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ item }) => item);
}

/** A function that computes each result once, by the identity of its argument. */
export function memoized<Given, Result>(of: (given: Given) => Result): (given: Given) => Result {
  const known = new Map<Given, Result>();
  return (given) => {
    const result = known.get(given) ?? of(given);
    known.set(given, result);
    return result;
  };
}

/** Makes a value on first use, and keeps it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
