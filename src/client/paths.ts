/**
 * A path with ids as segments.
 *
 * @throws TypeError for an id that would name another resource: an empty one, `.` or `..`
 */
export function path(strings: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: strings }, ...ids.map(segment));
}

function segment(id: string): string {
  if (id === '' || id === '.' || id === '..')
    throw new TypeError(`${JSON.stringify(id)} cannot be an id in an address`);
  return encodeURIComponent(id);
}

/** A query string of the defined parameters, with its question mark. */
export function query(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const entries = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** A list that is read page by page: `for await (const item of list)`. Every loop reads anew. */
export interface Listing<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

export function listing<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  first?: string | undefined,
): Listing<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | null | undefined = first;
    do {
      const page: Page<Item> = await read(cursor);
      yield page;
      cursor = page.next;
    } while (cursor !== null);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
