import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type CancelledDigest,
  DigestCancelledError,
  DigestFailedError,
  type FailedDigest,
  isFinished,
  type PendingDigest,
  type Progress,
  type SentenceNews,
  TesseraClientError,
} from '../../client/index.ts';
import { MapView } from '../map/map-view.tsx';
import { useAnnounce } from '../parts/announcer.tsx';
import { followOn } from '../parts/follow-on.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { ProgressList } from '../parts/progress-list.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { DigestHead } from './digest-head.tsx';
import { LaidOut } from './laid-out.tsx';
import { ReadView } from './read-view.tsx';
import { type LookedAt, lookAt, type StoredDigest } from './stored-digest.ts';
import './read.css';

interface UnderWayProps {
  readonly digest: PendingDigest;
  readonly request: StoredDigest['request'];
  /** Told when it is under way no more, whatever came of it. */
  readonly onEnd: () => void;
}

/** A digest while it is made: how far it has come, the sentences that stand, and a way to cancel it. */
function UnderWay({ digest, request, onEnd }: UnderWayProps) {
  const { progress, sentences, isBroken, failure, again } = useFollowed(digest, onEnd);
  const { cancel, isCancelling, refused } = useCancel(digest.id, onEnd);
  const names = new Map(request.documents.map(({ id, title }) => [id, title ?? id]));
  return (
    <div class="read-columns">
      <article class="read-main">
        <DigestHead digest={digest} request={request} />
        {sentences.length > 0 && (
          <section class="read-summary" aria-label="Answer so far">
            <LaidOut
              summary={{ text: '', sentences }}
              show={({ text, framing }) => <span class={framing ? 'read-framing' : undefined}>{text} </span>}
            />
          </section>
        )}
        <ProgressList progress={progress} nameOf={(id) => names.get(id) ?? id} />
        {isBroken && failure === null && (
          <p class="notice" role="status">
            Connection lost. Trying again…
          </p>
        )}
        {failure !== null && <Problem failure={failure} again={again} />}
        {refused !== null && <Problem failure={refused} />}
        <div class="actions">
          <button type="button" disabled={isCancelling} onClick={cancel}>
            {isCancelling ? 'Cancelling…' : 'Cancel'}
          </button>
          <span class="muted">You can close this page. The digest continues.</span>
        </div>
      </article>
    </div>
  );
}

/** Follows the events of a digest. */
function useFollowed({ id, progress: known }: PendingDigest, onEnd: () => void) {
  const { client } = useService();
  const announce = useAnnounce();
  const [progress, setProgress] = useState<Progress | null>(known);
  const [sentences, setSentences] = useState<readonly SentenceNews[]>([]);
  const [isBroken, setBroken] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const end = useRef(onEnd);
  end.current = onEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows it once more
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      const options = { signal: leaving.signal, onConnection: setBroken };
      for await (const { event, data } of followOn(client.digests, id, options)) {
        if (event === 'progress') setProgress(data);
        if (event === 'sentence') {
          setSentences((before) => [...before.filter(({ index }) => index !== data.index), data].sort(byIndex));
        }
      }
      announce('The digest is ready.');
      end.current();
    };
    follow().catch((reason: unknown) => {
      if (leaving.signal.aborted) return;
      if (reason instanceof DigestFailedError || reason instanceof DigestCancelledError) end.current();
      else setFailure(reason);
    });
    return () => leaving.abort();
  }, [client, id, announce, attempt]);
  const again = () => {
    setFailure(null);
    setBroken(false);
    setAttempt((count) => count + 1);
  };
  return { progress, sentences, isBroken, failure, again };
}

const byIndex = (a: SentenceNews, b: SentenceNews): number => a.index - b.index;

function useCancel(id: string, onEnd: () => void) {
  const { client } = useService();
  const announce = useAnnounce();
  const [state, setState] = useState<'ready' | 'cancelling' | { readonly refused: unknown }>('ready');
  const cancel = async () => {
    setState('cancelling');
    try {
      const { status } = await client.digests.cancel(id);
      announce(
        status === 'cancelled' ? 'The digest was cancelled.' : 'The digest had ended before it could be cancelled.',
      );
      onEnd();
    } catch (refused) {
      setState({ refused });
    }
  };
  return { cancel, isCancelling: state === 'cancelling', refused: typeof state === 'object' ? state.refused : null };
}

interface DigestViewProps {
  readonly id: string;
  readonly face: 'read' | 'map';
  /** A key point, in whose source the reading begins. */
  readonly point: string | undefined;
}

/** A stored digest: to be read, or as a map of its key points. One that is under way is watched until it is there. */
export function DigestView({ id, face, point }: DigestViewProps) {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${id} ${session}`, (signal) => lookAt(client, id, signal));
  if (loaded.state === 'loading') return <Loading what="the digest" />;
  if (loaded.state === 'failed') {
    return (
      <>
        <h1>{isMissing(loaded.failure) ? 'Digest not found' : 'Digest'}</h1>
        {isMissing(loaded.failure) ? (
          <p>
            It may have been deleted. See <a href={hrefOf({ view: 'digests' })}>all digests</a> or{' '}
            <a href={hrefOf({ view: 'make' })}>ask a question</a>.
          </p>
        ) : (
          <Problem failure={loaded.failure} again={again} />
        )}
      </>
    );
  }
  return <Shown {...loaded.value} face={face} point={point} onChange={again} />;
}

function isMissing(failure: unknown): boolean {
  return failure instanceof TesseraClientError && failure.status === 404;
}

type ShownProps = LookedAt & Pick<DigestViewProps, 'face' | 'point'> & { readonly onChange: () => void };

function Shown({ digest, request, face, point, onChange }: ShownProps) {
  if (isFinished(digest)) {
    return face === 'read' ? (
      <ReadView digest={digest} request={request} point={point} />
    ) : (
      <MapView digest={digest} request={request} />
    );
  }
  if (digest.status === 'failed' || digest.status === 'cancelled') {
    return <EndedDigest digest={digest} request={request} />;
  }
  return <UnderWay digest={digest} request={request} onEnd={onChange} />;
}

interface EndedDigestProps {
  readonly digest: CancelledDigest | FailedDigest;
  readonly request: StoredDigest['request'];
}

/** A digest that ended before there was anything to read. */
function EndedDigest({ digest, request }: EndedDigestProps) {
  return (
    <div class="read-columns">
      <article class="read-main">
        <DigestHead digest={digest} request={request} />
        {digest.status === 'failed' ? (
          <Problem failure={new DigestFailedError(digest.id, digest.error ?? null)} />
        ) : (
          <p>This digest was cancelled before it was finished.</p>
        )}
        <a class="button" href={hrefOf({ view: 'make' })}>
          Ask again
        </a>
      </article>
    </div>
  );
}
