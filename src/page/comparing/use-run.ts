import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Client, DigestCancelledError, type DigestInput, type Progress } from '../../client/index.ts';

/** How far the making of one side has come. */
export type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'cancelled' }
  | { readonly state: 'running'; readonly id: string | null; readonly progress: Progress | null }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'done'; readonly id: string };

export interface Running {
  readonly run: Run;
  /** Makes a digest, unless one is being made. */
  readonly start: (input: DigestInput) => void;
  readonly cancel: () => void;
}

/** The making of one digest. Who leaves stops listening; the digest goes on at the service. */
export function useRun(client: Client): Running {
  const [run, setRun] = useState<Run>({ state: 'idle' });
  const held = useRef<{ readonly giving: AbortController; id: string | null } | null>(null);
  useEffect(() => () => held.current?.giving.abort(), []);

  const start = useCallback(
    (input: DigestInput) => {
      if (held.current !== null) return;
      const own = { giving: new AbortController(), id: null as string | null };
      held.current = own;
      const notify = (next: Run): void => {
        if (held.current === own) setRun(next);
      };
      notify({ state: 'running', id: null, progress: null });
      follow(client, input, own.giving.signal, (id, progress) => {
        own.id = id;
        notify({ state: 'running', id, progress });
      })
        .then(
          (id) => notify({ state: 'done', id }),
          (failure: unknown) => {
            const isGivenUp = own.giving.signal.aborted || failure instanceof DigestCancelledError;
            notify(isGivenUp ? { state: 'cancelled' } : { state: 'failed', failure });
          },
        )
        .finally(() => {
          if (held.current === own) held.current = null;
        });
    },
    [client],
  );

  const cancel = useCallback(() => {
    const own = held.current;
    if (own === null) return;
    if (own.id === null) own.giving.abort();
    // The stream tells what became of it; where that cannot be asked, nobody waits for it any more.
    else client.digests.cancel(own.id).catch(() => own.giving.abort());
  }, [client]);

  return { run, start, cancel };
}

/** @returns the id of the finished digest */
async function follow(
  client: Client,
  input: DigestInput,
  signal: AbortSignal,
  notify: (id: string | null, progress: Progress | null) => void,
): Promise<string> {
  let id: string | null = null;
  for await (const event of client.digests.stream(input, { signal })) {
    if (event.event === 'accepted') id = event.data.id;
    if (event.event === 'digest') return event.data.id;
    if (event.event !== 'sentence') notify(id, event.event === 'progress' ? event.data : null);
  }
  throw new Error('The stream ended without a digest.');
}
