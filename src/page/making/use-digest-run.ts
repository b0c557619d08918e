import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  AuthenticationError,
  DigestCancelledError,
  type DigestInput,
  type DigestState,
  isFinished,
  PermissionError,
} from '../../client/index.ts';
import { followOn, isTransient } from '../parts/follow-on.ts';
import { hrefOf, routeOf } from '../route.ts';
import { useService } from '../service.tsx';
import { markMade, unmark } from './made-documents.ts';
import { afterEvent, NOT_BEGUN, type RunProgress } from './run-progress.ts';

/** A digest that is being made, or what became of it. */
type Run =
  | { readonly state: 'none' }
  | { readonly state: 'making'; readonly startedAt: number; readonly isCancelling: boolean }
  | {
      readonly state: 'failed';
      readonly failure: unknown;
      /** A digest that may go on all the same, where the service was not reached any more. */
      readonly mayGoOn: string | null;
    }
  | { readonly state: 'cancelled'; readonly became: Became };

/** What became of a digest that was cancelled; one that the service may have is not known of. */
export type Became =
  | { readonly kind: 'cancelled' | 'unknown' }
  | { readonly kind: 'finished' | 'failed' | 'unreached'; readonly id: string };

/** How long a cancelled request is waited for that has no id yet. */
const PATIENCE = 4_000;

/** The digest that was under way when the view was left. */
let leftBehind: string | null = null;

interface DigestRun {
  readonly run: Run;
  readonly progress: RunProgress;
  /** Whether the connection broke, and is tried again. */
  readonly isBroken: boolean;
  /** A digest that goes on since the view was left; it is told of once. */
  readonly left: string | null;
  start(request: DigestInput): void;
  cancel(): void;
  /** Forgets what became of the last one. */
  forget(): void;
}

/** Makes one digest at a time, and goes to it when it is there. Leaving the view leaves the digest to the service. */
export function useDigestRun(): DigestRun {
  const { client, session } = useService();
  const [run, setRun] = useState<Run>({ state: 'none' });
  const [progress, setProgress] = useState(NOT_BEGUN);
  const [isBroken, setBroken] = useState(false);
  const [left] = useState(() => leftBehind);
  const latest = useRef<Making | null>(null);

  useEffect(() => {
    leftBehind = null;
    return () => {
      const mine = latest.current;
      leftBehind = mine?.progress.id ?? null;
      mine?.control.abort();
      latest.current = null;
    };
  }, []);

  useEffect(() => {
    // The address of a view that is shown already leads nowhere.
    const stay = (): void => {
      const id = latest.current?.progress.id ?? null;
      if (id !== null && location.hash === MAKE) showAddress(addressOf(id));
    };
    addEventListener('hashchange', stay);
    return () => removeEventListener('hashchange', stay);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with another key, what was wrong with the last is told no longer
  useEffect(() => setRun((before) => (isOfKey(before) ? { state: 'none' } : before)), [session]);

  const end = useCallback((next: Run) => {
    const id = latest.current?.progress.id ?? null;
    if (id !== null && location.hash === addressOf(id)) showAddress(MAKE);
    if (latest.current !== null && !mayStand(next)) unmark(latest.current.request.documents);
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
        if (isTransient(failure)) end({ state: 'cancelled', became: { kind: 'unreached', id } });
        else end({ state: 'failed', failure, mayGoOn: null });
      }
    },
    [client, end],
  );

  const start = useCallback(
    async (request: DigestInput) => {
      // A second click comes before the button is drawn as what it is by then.
      if (latest.current !== null) return;
      const mine: Making = { request, control: new AbortController(), progress: NOT_BEGUN, wantsEnd: false };
      latest.current = mine;
      setProgress(NOT_BEGUN);
      setBroken(false);
      setRun({ state: 'making', startedAt: Date.now(), isCancelling: false });
      let drawing = 0;
      try {
        const onConnection = (is: boolean): void => {
          if (latest.current === mine) setBroken(is);
        };
        const options = { signal: mine.control.signal, onConnection };
        for await (const event of followOn(client.digests, { request }, options)) {
          mine.progress = afterEvent(mine.progress, event);
          // Many events come between two pictures.
          drawing ||= window.setTimeout(() => {
            drawing = 0;
            if (latest.current === mine) setProgress(mine.progress);
          }, 40);
          if (latest.current !== mine) return;
          if (event.event === 'accepted') {
            markMade(request.documents);
            if (isHere(event.data.id)) showAddress(addressOf(event.data.id));
            if (mine.wantsEnd) void cancelAs(event.data.id);
          }
          if (event.event === 'digest') {
            if (mine.wantsEnd) return end({ state: 'cancelled', became: { kind: 'finished', id: event.data.id } });
            // Who is on the way elsewhere is not called back.
            if (!isHere(event.data.id)) return;
            latest.current = null;
            // So that the way back leads to the draft, and the page hears of the way there.
            showAddress(MAKE);
            location.hash = addressOf(event.data.id);
            return;
          }
        }
      } catch (failure) {
        if (latest.current !== mine) return;
        if (failure instanceof DigestCancelledError) end({ state: 'cancelled', became: { kind: 'cancelled' } });
        else if (!mine.control.signal.aborted) {
          end({ state: 'failed', failure, mayGoOn: isTransient(failure) ? mine.progress.id : null });
        }
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
  return { run, progress, isBroken, left, start: (request) => void start(request), cancel, forget };
}

/** A digest that is being made. */
interface Making {
  readonly request: DigestInput;
  readonly control: AbortController;
  progress: RunProgress;
  wantsEnd: boolean;
}

const MAKE = hrefOf({ view: 'make' });
const addressOf = (id: string): string => hrefOf({ view: 'digest', id, face: 'read' });

/** Whether the address is still that of this view, or of the digest that is made in it. */
function isHere(id: string): boolean {
  return routeOf(location.hash).view === 'make' || location.hash === addressOf(id);
}

/** Puts another address in the place of this one; what is shown stays, until the page is loaded again. */
function showAddress(address: string): void {
  history.replaceState(history.state, '', address);
}

/** Whether the service may have a digest for all that. */
function mayStand(run: Run): boolean {
  if (run.state === 'failed') return run.mayGoOn !== null;
  return run.state === 'cancelled' && (run.became.kind === 'finished' || run.became.kind === 'unreached');
}

function isOfKey(run: Run): boolean {
  const isRefused = (failure: unknown) => failure instanceof AuthenticationError || failure instanceof PermissionError;
  return run.state === 'failed' && isRefused(run.failure);
}

function became(state: DigestState): Became {
  if (isFinished(state)) return { kind: 'finished', id: state.id };
  return state.status === 'failed' ? { kind: 'failed', id: state.id } : { kind: 'cancelled' };
}
