import { useEffect, useRef, useState } from 'preact/hooks';
import {
  DigestCancelledError,
  DigestFailedError,
  type DigestState,
  isFinished,
  type PendingDigest,
  type Progress,
  type SentenceNews,
  TesseraClientError,
} from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Await, useLoaded, useTask } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { number } from '../parts/words.ts';
import { PointsView } from '../points/points-view.tsx';
import { hrefOf } from '../route.ts';
import { Summary } from './answer.tsx';
import { DigestHead, ReadView } from './read-view.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { Thread } from './thread.tsx';

interface DigestViewProps {
  readonly id: string;
  readonly face: 'read' | 'points';
  /** Id of the key point whose source is open initially. */
  readonly point: string | undefined;
  /** Ids of the digests of its thread, in order; undefined if it stands alone. */
  readonly thread: readonly string[] | undefined;
}

export function DigestView({ id, face, point, thread }: DigestViewProps) {
  const { client, session } = useService();
  // A point may be shown that the digest names nowhere.
  const receipts = face === 'points' || point !== undefined;
  const loading = useLoaded(`${id} ${session} ${receipts}`, async (signal) => {
    const [digest, request] = await Promise.all([
      client.digests.get(id, { signal, receipts }),
      client.digests.request(id, { signal }),
    ]);
    return { digest, request };
  });
  const [, again] = loading;
  return (
    <Await of={loading} what="the digest">
      {(loaded) => <Shown {...loaded} face={face} point={point} thread={thread} onChange={again} />}
    </Await>
  );
}

interface ShownProps extends Pick<DigestViewProps, 'face' | 'point' | 'thread'> {
  readonly digest: DigestState;
  readonly request: StoredDigest['request'];
  readonly onChange: () => void;
}

function Shown({ digest, request, face, point, thread: given = [], onChange }: ShownProps) {
  const thread = given.includes(digest.id) ? given : [...given, digest.id];
  if (isFinished(digest)) {
    return face === 'points' ? (
      <PointsView digest={digest} request={request} />
    ) : (
      <ReadView digest={digest} request={request} point={point} thread={thread} />
    );
  }
  return (
    <div class="read-columns">
      <article class="read-main">
        <Thread thread={thread} id={digest.id} side="earlier" />
        <DigestHead digest={digest} request={request} />
        {digest.status === 'queued' || digest.status === 'running' ? (
          <InProgress digest={digest} request={request} onEnd={onChange} />
        ) : (
          <>
            {digest.status === 'failed' ? (
              <Problem failure={new DigestFailedError(digest.id, digest.error ?? null)} />
            ) : (
              <p>This digest was cancelled before it was finished.</p>
            )}
            <a class="button" href={hrefOf({ view: 'make' })}>
              Ask again
            </a>
          </>
        )}
      </article>
    </div>
  );
}

interface InProgressProps {
  readonly digest: PendingDigest;
  readonly request: StoredDigest['request'];
  readonly onEnd: () => void;
}

/** Milliseconds until a broken connection is tried again. */
const PAUSE = 3000;

function InProgress({ digest: { id, progress: known }, request, onEnd }: InProgressProps) {
  const { client } = useService();
  const [progress, setProgress] = useState<Progress | null>(known);
  const [sentences, setSentences] = useState<readonly SentenceNews[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const cancelling = useTask();
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      for await (const { event, data } of client.digests.follow(id, { signal: leaving.signal })) {
        setFailure(null);
        if (event === 'progress') setProgress(data);
        if (event === 'sentence') {
          setSentences((before) =>
            [...before.filter(({ index }) => index !== data.index), data].sort((a, b) => a.index - b.index),
          );
        }
      }
      announce('The digest is ready.');
      end.current();
    };
    follow().catch((reason: unknown) => {
      if (leaving.signal.aborted) return;
      if (reason instanceof DigestFailedError || reason instanceof DigestCancelledError) return end.current();
      setFailure(reason);
      if (!isRefused(reason)) timer = setTimeout(() => setAttempt(attempt + 1), PAUSE);
    });
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, id, attempt]);
  const cancel = async () => {
    const { status } = await client.digests.cancel(id);
    const hasEnded = status !== 'cancelled';
    announce(hasEnded ? 'The digest had ended before it could be cancelled.' : 'The digest was cancelled.');
    onEnd();
  };
  const problem = failure ?? cancelling.failure;
  return (
    <>
      {sentences.length > 0 && (
        <section class="read-summary" aria-label="Answer so far">
          <Summary summary={{ text: '', sentences: [...sentences] }}>
            {({ text, framing }) => <span class={framing ? 'read-framing' : undefined}>{text} </span>}
          </Summary>
        </section>
      )}
      <Stage progress={progress} request={request} />
      {problem !== null && (
        <Problem
          failure={problem}
          again={() => {
            setFailure(null);
            setAttempt(attempt + 1);
          }}
        />
      )}
      {failure !== null && !isRefused(failure) && <p class="muted">Trying again…</p>}
      <div class="actions">
        <button type="button" disabled={cancelling.isRunning} onClick={() => void cancelling.run(cancel)}>
          {cancelling.isRunning ? 'Cancelling…' : 'Cancel'}
        </button>
        <span class="muted">You can close this page. The digest continues.</span>
      </div>
    </>
  );
}

/** Whether another attempt would be answered alike; not while the service is away or restarts. */
function isRefused(failure: unknown): boolean {
  return failure instanceof TesseraClientError && failure.status !== null && failure.status < 500;
}

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  extract: 'Reading the documents',
  encode: 'Comparing the key points',
  rank: 'Matching them with the question',
  select: 'Selecting key points that do not repeat each other',
  write: 'Writing the answer',
};

interface StageProps {
  /** Null before the first stage. */
  readonly progress: Progress | null;
  readonly request: StoredDigest['request'];
}

function Stage({ progress, request }: StageProps) {
  if (progress === null) return <p role="status">Waiting for the service…</p>;
  const { stage, done, total, document } = progress;
  const stages = Object.keys(STAGES);
  return (
    <div>
      <p role="status">
        Step {stages.indexOf(stage) + 1} of {stages.length}: {STAGES[stage]}…
      </p>
      <progress max={Math.max(total, 1)} value={total > 1 ? done : undefined} aria-label={STAGES[stage]} />{' '}
      <span class="muted">
        {total > 1 && `${number(done)} of ${number(total)} `}
        <bdi>{request.documents.find(({ id }) => id === document)?.title ?? document}</bdi>
      </span>
    </div>
  );
}
