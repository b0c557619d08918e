import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { LoadProblem } from './problem.tsx';

type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'there'; readonly value: T };

const LOADING = { state: 'loading' } as const;

/** Loads a value on mount and whenever `key` changes, aborting the earlier load. @returns its state, and a function that loads it again and keeps it meanwhile */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [held, hold] = useState<{ readonly key: string; readonly loaded: Loaded<T> }>({ key, loaded: LOADING });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is loaded, and `attempt` when again
  useEffect(() => {
    const giving = new AbortController();
    hold((before) => (before.key === key && before.loaded.state === 'there' ? before : { key, loaded: LOADING }));
    load(giving.signal).then(
      (value) => giving.signal.aborted || hold({ key, loaded: { state: 'there', value } }),
      (failure: unknown) => giving.signal.aborted || hold({ key, loaded: { state: 'failed', failure } }),
    );
    return () => giving.abort();
  }, [key, attempt]);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  return [held.key === key ? held.loaded : LOADING, again];
}

interface Task {
  readonly isRunning: boolean;
  /** Null unless the last task failed. */
  readonly failure: unknown;
  /** Ignored while a task is running. The signal is aborted when the component goes. */
  run(task: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  cancel(): void;
}

/** Runs one task at a time, of which a cancelled one leaves no failure. */
export function useTask(): Task {
  const [{ isRunning, failure }, setState] = useState<Pick<Task, 'isRunning' | 'failure'>>(IDLE);
  const current = useRef<AbortController | null>(null);
  const cancel = useCallback(() => current.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const run = async (task: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    if (current.current !== null) return;
    const leaving = new AbortController();
    current.current = leaving;
    setState({ isRunning: true, failure: null });
    try {
      await task(leaving.signal);
      setState(IDLE);
    } catch (reason) {
      setState({ isRunning: false, failure: leaving.signal.aborted ? null : reason });
    }
    current.current = null;
  };
  return { isRunning, failure, run, cancel };
}

const IDLE = { isRunning: false, failure: null };

interface AwaitProps<T> {
  readonly of: [Loaded<T>, () => void];
  /** Name of what is loading: "the digest". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

export function Await<T>({ of: [loaded, again], what, children }: AwaitProps<T>): ComponentChildren {
  if (loaded.state === 'loading') return <Loading what={what} />;
  if (loaded.state === 'failed') return <LoadProblem failure={loaded.failure} again={again} />;
  return children(loaded.value);
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" /> Loading {what}…
    </p>
  );
}
