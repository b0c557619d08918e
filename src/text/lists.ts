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

/** Values by name, up to a total size; the least recently used are forgotten first, and a larger one is not kept. */
export function recentlyUsed<Value>(most: number, sizeOf: (value: Value) => number) {
  const kept = new Map<string, Value>();
  let total = 0;
  const forget = (name: string): void => {
    const value = kept.get(name);
    if (value !== undefined) total -= sizeOf(value);
    kept.delete(name);
  };
  return {
    get(name: string): Value | undefined {
      const value = kept.get(name);
      if (value === undefined) return undefined;
      kept.delete(name);
      kept.set(name, value);
      return value;
    },
    keep(name: string, value: Value): void {
      forget(name);
      const size = sizeOf(value);
      if (size > most) return;
      kept.set(name, value);
      total += size;
      for (const oldest of kept.keys()) {
        if (total <= most) return;
        forget(oldest);
      }
    },
    forget,
    total: () => total,
  };
}
