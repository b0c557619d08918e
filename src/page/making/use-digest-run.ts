import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { DigestCancelledError, type DigestInput, type DigestState, isFinished } from '../../client/client.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { afterEvent, NOT_BEGUN, type RunProgress } from './run-progress.ts';

/** A digest that is being made, or what became of it. */
export type Run =
  | { readonly state: 'none' }
  | { readonly state: 'making'; readonly startedAt: number; readonly isCancelling: boolean }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'cancelled'; readonly became: Became };

/** What became of a digest that was cancelled; one that the service may have is not known of. */
export type Became =
  | { readonly kind: 'cancelled' | 'unknown' }
  | { readonly kind: 'finished' | 'failed'; readonly id: string };

/** How long a cancelled request is waited for that has no id yet. */
const PATIENCE = 4_000;

/** The digest that was under way when the view was left. */
let leftBehind: string | null = null;

export interface DigestRun {
  readonly run: Run;
  readonly progress: RunProgress;
  /** A digest that goes on since the view was left; it is told of once. */
  readonly left: string | null;
  start(request: DigestInput): void;
  cancel(): void;
  /** Forgets what became of the last one. */
  forget(): void;
}

/** Makes one digest at a time, and goes to it when it is there. Leaving the view leaves the digest to the service. */
export function useDigestRun(): DigestRun {
  const { client } = useService();
  const [run, setRun] = useState<Run>({ state: 'none' });
  const [progress, setProgress] = useState(NOT_BEGUN);
  const [left] = useState(() => leftBehind);
  const latest = useRef<{ control: AbortController; progress: RunProgress; wantsEnd: boolean } | null>(null);

  useEffect(() => {
    leftBehind = null;
    return () => {
      leftBehind = latest.current?.progress.id ?? null;
      latest.current?.control.abort();
      latest.current = null;
    };
  }, []);

  const end = useCallback((next: Run) => {
    latest.current = null;
    setRun(next);
  }, []);

  const cancelAs = useCallback(
    async (id: string) => {
      const mine = latest.current;
      try {
        const state = await client.digests.cancel(id);
        if (mine !== null && latest.current === mine) {
          mine.control.abort();
          end({ state: 'cancelled', became: became(state) });
        }
      } catch (failure) {
        if (mine === null || latest.current !== mine) return;
        mine.control.abort();
        end({ state: 'failed', failure });
      }
    },
    [client, end],
  );

  const start = useCallback(
    async (request: DigestInput) => {
      // A second click comes before the button is drawn as what it is by then.
      if (latest.current !== null) return;
      const mine = { control: new AbortController(), progress: NOT_BEGUN, wantsEnd: false };
      latest.current = mine;
      setProgress(NOT_BEGUN);
      setRun({ state: 'making', startedAt: Date.now(), isCancelling: false });
      let drawing = 0;
      try {
        for await (const event of client.digests.stream(request, { signal: mine.control.signal })) {
          mine.progress = afterEvent(mine.progress, event);
          // Many events come between two pictures.
          drawing ||= window.setTimeout(() => {
            drawing = 0;
            if (latest.current === mine) setProgress(mine.progress);
          }, 40);
          if (latest.current !== mine) return;
          if (event.event === 'accepted' && mine.wantsEnd) void cancelAs(event.data.id);
          if (event.event === 'digest') {
            if (mine.wantsEnd) return end({ state: 'cancelled', became: { kind: 'finished', id: event.data.id } });
            latest.current = null;
            location.hash = hrefOf({ view: 'digest', id: event.data.id, face: 'read' });
            return;
          }
        }
      } catch (failure) {
        if (latest.current !== mine) return;
        if (failure instanceof DigestCancelledError) end({ state: 'cancelled', became: { kind: 'cancelled' } });
        else if (!mine.control.signal.aborted) end({ state: 'failed', failure });
      } finally {
        clearTimeout(drawing);
      }
    },
    [client, cancelAs, end],
  );

  const cancel = useCallback(() => {
    const mine = latest.current;
    if (mine === null || mine.wantsEnd) return;
    mine.wantsEnd = true;
    setRun((before) => (before.state === 'making' ? { ...before, isCancelling: true } : before));
    const { id } = mine.progress;
    if (id !== null) return void cancelAs(id);
    setTimeout(() => {
      if (latest.current !== mine || mine.progress.id !== null) return;
      mine.control.abort();
      end({ state: 'cancelled', became: { kind: 'unknown' } });
    }, PATIENCE);
  }, [cancelAs, end]);

  const forget = useCallback(() => setRun((before) => (before.state === 'making' ? before : { state: 'none' })), []);
  return { run, progress, left, start: (request) => void start(request), cancel, forget };
}

function became(state: DigestState): Became {
  if (isFinished(state)) return { kind: 'finished', id: state.id };
  return state.status === 'failed' ? { kind: 'failed', id: state.id } : { kind: 'cancelled' };
}
