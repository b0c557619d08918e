import type { Call, Transport } from './transport.ts';
import type { CallOptions, ListOptions, PostOptions } from './types.ts';

/**
 * A path with ids as segments.
 *
 * @throws TypeError for an id that would name another resource: an empty one, `.` or `..`
 */
export function path(strings: TemplateStringsArray, ...ids: readonly string[]): string {
  for (const id of ids) {
    if (['', '.', '..'].includes(id)) throw new TypeError(`${JSON.stringify(id)} cannot be an id in an address`);
  }
  return String.raw({ raw: strings }, ...ids.map(encodeURIComponent));
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

export type Calls = ReturnType<typeof createCalls>;

/** The calls of the client's methods. Those are async, so that an id that cannot be one rejects and does not throw. */
export function createCalls({ send }: Transport) {
  const bodyOf = async <Body>(call: Call): Promise<Body> => (await send<Body>(call)).body;
  const get = <Body>(at: string, { signal }: CallOptions = {}): Promise<Body> =>
    bodyOf({ method: 'GET', path: at, signal });
  return {
    get,
    put: <Body>(at: string, body: unknown, { signal }: CallOptions = {}): Promise<Body> =>
      bodyOf({ method: 'PUT', path: at, body, signal }),
    patch: <Body>(at: string, body: unknown, { signal }: CallOptions = {}): Promise<Body> =>
      bodyOf({ method: 'PATCH', path: at, body, signal }),
    // Posts have a body even without content: the service wants a browser to state its type.
    post: <Body>(
      at: string,
      body: unknown,
      { signal, idempotencyKey }: CallOptions & { readonly idempotencyKey?: PostOptions['idempotencyKey'] | null } = {},
      headers?: Call['headers'],
    ): Promise<Body> => bodyOf({ method: 'POST', path: at, body, headers, signal, idempotencyKey }),
    async remove(at: string, { signal }: CallOptions = {}): Promise<void> {
      await send({ method: 'DELETE', path: at, signal });
    },
    list<Item>(
      at: () => string,
      field: string,
      { limit, cursor: first, signal }: ListOptions = {},
      filter: Readonly<Record<string, string | undefined>> = {},
    ): Listing<Item> {
      async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
        let cursor: string | null | undefined = first;
        do {
          type Found = Readonly<Record<string, readonly Item[]>> & { readonly next: string | null };
          const { [field]: items, next }: Found = await get(at() + query({ limit, cursor, ...filter }), { signal });
          yield { items, next };
          cursor = next;
        } while (cursor !== null);
      }
      return {
        pages,
        async *[Symbol.asyncIterator]() {
          for await (const { items } of pages()) yield* items;
        },
      };
    },
  };
}
