/** Parts of a list, in order. */
export function* chunks<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

/** Parts of rows, in order, whose sizes come to at most so much together; one that is larger goes alone. */
export function* groups<T>(rows: Iterable<T>, most: number, sizeOf: (row: T) => number): Generator<T[]> {
  let group: T[] = [];
  let size = 0;
  for (const row of rows) {
    const own = sizeOf(row);
    if (group.length > 0 && size + own > most) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(row);
    size += own;
  }
  if (group.length > 0) yield group;
}

/** Lets other requests run: the driver under a database may be synchronous. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
