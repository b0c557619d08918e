import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

interface Listing<Item> {
  pages(): AsyncIterable<{ readonly items: readonly Item[]; readonly next: string | null }>;
}

interface Pages<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null at the end, undefined before the first page. */
  readonly next: string | null | undefined;
  readonly isLoading: boolean;
  readonly failure: unknown;
}

/** Lists items page by page, from the start whenever `list` changes. `more` loads the next page or retries a failed one. */
export function usePages<Item>(
  list: (page: { readonly cursor: string | undefined; readonly signal: AbortSignal }) => Listing<Item>,
) {
  const nothing: Pages<Item> = { items: [], next: undefined, isLoading: true, failure: null };
  const [pages, setPages] = useState(nothing);
  const leaving = useRef(new AbortController());
  const load = useCallback(
    async (before: Pages<Item>) => {
      const { signal } = leaving.current;
      setPages({ ...before, isLoading: true, failure: null });
      try {
        for await (const { items, next } of list({ cursor: before.next ?? undefined, signal }).pages()) {
          if (!signal.aborted) setPages({ items: [...before.items, ...items], next, isLoading: false, failure: null });
          return;
        }
      } catch (failure) {
        if (!signal.aborted) setPages({ ...before, isLoading: false, failure });
      }
    },
    [list],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `nothing` is the same every time
  useEffect(() => {
    leaving.current = new AbortController();
    void load(nothing);
    return () => leaving.current.abort();
  }, [load]);
  return {
    ...pages,
    more: () => void load(pages),
    remove: (item: Item) => setPages((before) => ({ ...before, items: before.items.filter((each) => each !== item) })),
  };
}
