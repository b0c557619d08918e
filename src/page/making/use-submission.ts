import { useEffect, useRef, useState } from 'preact/hooks';
import { AuthenticationError, type DigestInput, PermissionError } from '../../client/index.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { markMade } from './made-documents.ts';

/** A request for a digest on its way to the service, or what became of it. */
type Submission =
  | { readonly state: 'none' }
  | { readonly state: 'sending' }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly failure: unknown };

/** Hands requests to the service, one at a time, and goes to the digest as soon as it has an address. */
export function useSubmission() {
  const { client, session } = useService();
  const [submission, setSubmission] = useState<Submission>({ state: 'none' });
  const latest = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      // The service goes on with what it has; who is on the way elsewhere is not called back.
      latest.current = null;
    },
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another key, what was refused to the last is shown no longer
  useEffect(() => setSubmission((before) => (isOfKey(before) ? { state: 'none' } : before)), [session]);

  const submit = async (request: DigestInput): Promise<void> => {
    // A second click comes before the button is drawn as what it is by then.
    if (latest.current !== null) return;
    const mine = new AbortController();
    latest.current = mine;
    setSubmission({ state: 'sending' });
    try {
      const { id } = await client.digests.submit(request, { signal: mine.signal });
      markMade(request.documents);
      if (latest.current === mine) location.hash = hrefOf({ view: 'digest', id, face: 'read' });
    } catch (failure) {
      if (latest.current === mine) {
        setSubmission(mine.signal.aborted ? { state: 'cancelled' } : { state: 'failed', failure });
      }
    } finally {
      if (latest.current === mine) latest.current = null;
    }
  };
  return {
    submission,
    submit,
    cancel: () => latest.current?.abort(),
    /** Forgets what became of the last one. */
    forget: () => setSubmission((before) => (before.state === 'sending' ? before : { state: 'none' })),
  };
}

function isOfKey(submission: Submission): boolean {
  if (submission.state !== 'failed') return false;
  return submission.failure instanceof AuthenticationError || submission.failure instanceof PermissionError;
}
