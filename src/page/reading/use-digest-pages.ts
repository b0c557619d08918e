import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Client, DigestEntry } from '../../client/index.ts';

/** Digests of a page. */
const LIMIT = 30;

/** The digests that were listed so far. */
interface DigestPages {
  readonly entries: readonly DigestEntry[];
  /** Where those that follow begin; null at the end, undefined before the first page is there. */
  readonly next: string | null | undefined;
  readonly isLoading: boolean;
  readonly failure: unknown;
}

const NOTHING: DigestPages = { entries: [], next: undefined, isLoading: true, failure: null };

/**
 * Lists digests page by page, anew for another status.
 *
 * @returns the list, a function that gets the next page, or this one again if it failed, and one that leaves a digest out
 */
export function useDigestPages(
  client: Client,
  status: DigestEntry['status'] | null,
): [DigestPages, () => void, (id: string) => void] {
  const [pages, setPages] = useState<DigestPages>(NOTHING);
  const leaving = useRef(new AbortController());
  const load = useCallback(
    async (before: DigestPages) => {
      const { signal } = leaving.current;
      setPages({ ...before, isLoading: true, failure: null });
      try {
        const page = await pageAt(client, status, before.next ?? undefined, signal);
        if (signal.aborted) return;
        const known = new Set(before.entries.map(({ id }) => id));
        const entries = [...before.entries, ...page.items.filter(({ id }) => !known.has(id))];
        setPages({ entries, next: page.next, isLoading: false, failure: null });
      } catch (failure) {
        if (!signal.aborted) setPages({ ...before, isLoading: false, failure });
      }
    },
    [client, status],
  );
  useEffect(() => {
    leaving.current = new AbortController();
    void load(NOTHING);
    return () => leaving.current.abort();
  }, [load]);
  const forget = (id: string): void =>
    setPages((before) => ({ ...before, entries: before.entries.filter((entry) => entry.id !== id) }));
  return [pages, () => void load(pages), forget];
}

async function pageAt(
  client: Client,
  status: DigestEntry['status'] | null,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const list = client.digests.list({ limit: LIMIT, cursor, status: status ?? undefined, signal });
  for await (const page of list.pages()) return page;
  return { items: [], next: null };
}
