/** Does something with every so many items, side by side. @returns what came of it, in their order */
export function inBatches<Item, Done>(
  items: readonly Item[],
  size: number,
  work: (batch: readonly Item[]) => Promise<Done>,
): Promise<Done[]> {
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  );
  return Promise.all(batches.map(work));
}
