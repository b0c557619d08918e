import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { useService } from '../service.tsx';
import { type LatestOnly, latestOnly } from './latest-only.ts';
import { type Picture, pictureOf } from './picture.ts';
import { type Changes, changedRequest, isChanged } from './selection-request.ts';

/** Milliseconds in which moves of a slider are gathered. */
const REST = 40;

/** The selection that is being tried. */
export interface Reselection {
  /** What was moved. */
  readonly changes: Changes;
  /** What came of it; null where the digest's own selection is to be shown. */
  readonly picture: Picture | null;
  /** How long the answer took; null before the first. */
  readonly milliseconds: number | null;
  readonly isWaiting: boolean;
  readonly failure: unknown;
  /** Moves something, and asks for the selection that comes of it. */
  move(part: Changes): void;
  /** Goes back to the digest's own. */
  reset(): void;
  /** Asks for the same once more. */
  again(): void;
}

interface Came {
  readonly picture: Picture | null;
  readonly milliseconds: number | null;
  readonly isWaiting: boolean;
  readonly failure: unknown;
}

const NOTHING: Came = { picture: null, milliseconds: null, isWaiting: false, failure: null };

/** Selects a digest's key points again whenever options are moved, the latest of them only. */
export function useReselection(digest: StoredDigest['digest'], picked: number): Reselection {
  const { client } = useService();
  const [changes, setChanges] = useState<Changes>({});
  const [came, setCame] = useState<Came>(NOTHING);
  const asking = useRef<LatestOnly<Changes> | null>(null);

  useEffect(() => {
    const latest = latestOnly<Changes>(REST, async (changes, signal) => {
      const begun = performance.now();
      try {
        const selection = changedRequest(digest.selection, changes, picked);
        const answer = await client.selections.create({ digest: digest.id, selection }, { signal });
        if (signal.aborted) return;
        const picture = pictureOf(answer);
        setCame({ picture, milliseconds: performance.now() - begun, isWaiting: false, failure: null });
      } catch (failure) {
        if (!signal.aborted) setCame((before) => ({ ...before, isWaiting: false, failure }));
      }
    });
    asking.current = latest;
    return () => latest.stop();
  }, [client, digest, picked]);

  const ask = useCallback((changes: Changes) => {
    setChanges(changes);
    if (isChanged(changes)) {
      setCame((before) => ({ ...before, isWaiting: true }));
      asking.current?.want(changes);
    } else {
      asking.current?.stop();
      setCame(NOTHING);
    }
  }, []);
  return useMemo(
    () => ({
      ...came,
      changes,
      move: (part) => ask({ ...changes, ...part }),
      reset: () => ask({}),
      again: () => ask(changes),
    }),
    [came, changes, ask],
  );
}
