import { useCallback, useEffect, useState } from 'preact/hooks';

/** What is loaded: not there yet, failed, or there. */
type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'there'; readonly value: T };

/**
 * Loads something when the component appears and whenever `key` changes; what is under way then is given up.
 *
 * @returns what became of it, and a function that loads it again
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [held, hold] = useState<{ readonly key: string; readonly loaded: Loaded<T> }>({ key, loaded: LOADING });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is loaded, and `attempt` when again
  useEffect(() => {
    const giving = new AbortController();
    hold({ key, loaded: LOADING });
    load(giving.signal).then(
      (value) => giving.signal.aborted || hold({ key, loaded: { state: 'there', value } }),
      (failure: unknown) => giving.signal.aborted || hold({ key, loaded: { state: 'failed', failure } }),
    );
    return () => giving.abort();
  }, [key, attempt]);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  return [held.key === key ? held.loaded : LOADING, again];
}

const LOADING = { state: 'loading' } as const;
