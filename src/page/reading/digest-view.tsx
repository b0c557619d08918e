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
import { DeleteDigest } from './delete-digest.tsx';
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

/** A digest while it is made: how far it has come, the sentences that stand, and a way to give it up. */
function UnderWay({ digest, request, onEnd }: UnderWayProps) {
  const { progress, sentences, isBroken, failure, again } = useFollowed(digest, onEnd);
  const { cancel, isCancelling, refused } = useCancel(digest.id, onEnd);
  const names = new Map(request.documents.map(({ id, title }) => [id, title ?? id]));
  return (
    <article>
      <DigestHead digest={digest} request={request} />
      <p>
        {progress === null
          ? 'It waits for its turn. This page goes on by itself.'
          : 'It is being made. This page shows it as soon as it is there; you may also close it, and come back by this link.'}
      </p>
      <ProgressList progress={progress} nameOf={(id) => names.get(id) ?? id} />
      {isBroken && failure === null && (
        <p class="notice" role="status">
          The connection broke; trying again…
        </p>
      )}
      {failure !== null && <Problem failure={failure} again={again} />}
      {refused !== null && <Problem failure={refused} />}
      <div class="actions">
        <button type="button" disabled={isCancelling} onClick={cancel}>
          {isCancelling ? 'Cancelling…' : 'Cancel it'}
        </button>
      </div>
      {sentences.length > 0 && (
        <section aria-labelledby="read-so-far">
          <h2 id="read-so-far">Written so far</h2>
          <LaidOut
            summary={{ text: '', sentences }}
            show={({ text, framing }) => <span class={framing ? 'read-framing' : undefined}>{text} </span>}
          />
        </section>
      )}
    </article>
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
      for await (const { event, data } of followOn(client.digests, { id }, options)) {
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
      announce(status === 'cancelled' ? 'The digest was cancelled.' : 'It had ended before it could be cancelled.');
      onEnd();
    } catch (refused) {
      setState({ refused });
    }
  };
  return { cancel, isCancelling: state === 'cancelling', refused: typeof state === 'object' ? state.refused : null };
}

const FACES = [
  { face: 'read', name: 'Read' },
  { face: 'map', name: 'Map' },
] as const;

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
  return (
    <>
      <nav class="faces" aria-label="Ways to look at this digest">
        {FACES.map(({ face: each, name }) => (
          <a
            key={each}
            href={hrefOf({ view: 'digest', id, face: each })}
            aria-current={each === face ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {loaded.state === 'loading' && <Loading what="the digest" />}
      {loaded.state === 'failed' && (
        <>
          <h1>Digest</h1>
          <Problem failure={loaded.failure} again={again} />
        </>
      )}
      {loaded.state === 'there' && <Shown {...loaded.value} face={face} point={point} onChange={again} />}
    </>
  );
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
    <article>
      <DigestHead digest={digest} request={request} />
      {digest.status === 'failed' ? (
        <Problem failure={new DigestFailedError(digest.id, digest.error ?? null)} />
      ) : (
        <p class="empty">This digest was cancelled before it was finished, so there is nothing to read.</p>
      )}
      <div class="actions">
        <a class="button" href={hrefOf({ view: 'make' })}>
          Make another
        </a>
        <DeleteDigest id={digest.id} />
      </div>
    </article>
  );
}
