import { useEffect, useRef, useState } from 'preact/hooks';
import {
  DigestCancelledError,
  DigestFailedError,
  isFinished,
  type PendingDigest,
  type Progress,
  type SentenceNews,
  TesseraClientError,
} from '../../client/index.ts';
import { useService } from '../context.tsx';
import { MapView } from '../map/map-view.tsx';
import { announce } from '../parts/browser.ts';
import { Loading, useLoaded } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { number } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Summary } from './answer.tsx';
import { followOn } from './follow-on.ts';
import { DigestHead, ReadView } from './read-view.tsx';
import { type LookedAt, lookAt, type StoredDigest } from './stored-digest.ts';

interface DigestViewProps {
  readonly id: string;
  readonly face: 'read' | 'map';
  /** Id of the key point whose source is open initially. */
  readonly point: string | undefined;
}

export function DigestView({ id, face, point }: DigestViewProps) {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${id} ${session}`, (signal) => lookAt(client, id, signal));
  if (loaded.state === 'loading') return <Loading what="the digest" />;
  if (loaded.state === 'failed') {
    const isMissing = loaded.failure instanceof TesseraClientError && loaded.failure.status === 404;
    return (
      <>
        <h1>{isMissing ? 'Digest not found' : 'Digest'}</h1>
        {isMissing ? (
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

type ShownProps = LookedAt & Pick<DigestViewProps, 'face' | 'point'> & { readonly onChange: () => void };

function Shown({ digest, request, face, point, onChange }: ShownProps) {
  if (isFinished(digest)) {
    return face === 'map' ? (
      <MapView digest={digest} request={request} />
    ) : (
      <ReadView digest={digest} request={request} point={point} />
    );
  }
  return (
    <div class="read-columns">
      <article class="read-main">
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

function InProgress({ digest: { id, progress: known }, request, onEnd }: InProgressProps) {
  const { client } = useService();
  const [progress, setProgress] = useState<Progress | null>(known);
  const [sentences, setSentences] = useState<readonly SentenceNews[]>([]);
  const [isBroken, setBroken] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [isCancelling, setCancelling] = useState(false);
  const end = useRef(onEnd);
  end.current = onEnd;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows it again
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      const options = { signal: leaving.signal, onConnection: setBroken };
      for await (const { event, data } of followOn(client.digests, id, options)) {
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
      if (reason instanceof DigestFailedError || reason instanceof DigestCancelledError) end.current();
      else setFailure(reason);
    });
    return () => leaving.abort();
  }, [client, id, attempt]);
  const cancel = async () => {
    setCancelling(true);
    try {
      const { status } = await client.digests.cancel(id);
      const hasEnded = status !== 'cancelled';
      announce(hasEnded ? 'The digest had ended before it could be cancelled.' : 'The digest was cancelled.');
      onEnd();
    } catch (reason) {
      setFailure(reason);
      setCancelling(false);
    }
  };
  return (
    <>
      {sentences.length > 0 && (
        <section class="read-summary" aria-label="Answer so far">
          <Summary summary={{ text: '', sentences: [...sentences] }}>
            {({ text, framing }) => <span class={framing ? 'read-framing' : undefined}>{text} </span>}
          </Summary>
        </section>
      )}
      <Stages progress={progress} request={request} />
      {isBroken && failure === null && (
        <p class="notice" role="status">
          Connection lost. Trying again…
        </p>
      )}
      {failure !== null && (
        <Problem
          failure={failure}
          again={() => {
            setFailure(null);
            setBroken(false);
            setAttempt((count) => count + 1);
          }}
        />
      )}
      <div class="actions">
        <button type="button" disabled={isCancelling} onClick={cancel}>
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </button>
        <span class="muted">You can close this page. The digest continues.</span>
      </div>
    </>
  );
}

const STAGES: readonly { readonly stage: Progress['stage']; readonly name: string }[] = [
  { stage: 'extract', name: 'Read the documents' },
  { stage: 'encode', name: 'Compare the key points' },
  { stage: 'rank', name: 'Match them with the question' },
  { stage: 'select', name: 'Select key points that do not repeat each other' },
  { stage: 'write', name: 'Write the answer' },
];
const STATES = {
  done: { sign: '✓', word: 'done' },
  current: { sign: '▸', word: 'in progress' },
  ahead: { sign: '·', word: 'to do' },
} as const;

interface StagesProps {
  /** Null before the first stage. */
  readonly progress: Progress | null;
  readonly request: StoredDigest['request'];
}

function Stages({ progress, request }: StagesProps) {
  const current = STAGES.findIndex(({ stage }) => stage === progress?.stage);
  return (
    <ol class="read-stages" aria-label="Stages">
      {STAGES.map(({ stage, name }, index) => {
        const state = index < current ? 'done' : index === current ? 'current' : 'ahead';
        return (
          <li key={stage} class={`read-stage-${state}`} aria-current={state === 'current' ? 'step' : undefined}>
            <span aria-hidden="true">{STATES[state].sign}</span>{' '}
            <span>
              {name}
              <span class="unseen">: {STATES[state].word}</span>
            </span>
            {state === 'current' && progress !== null && (
              <StageProgress name={name} progress={progress} request={request} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface StageProgressProps {
  readonly name: string;
  readonly progress: Progress;
  readonly request: StoredDigest['request'];
}

function StageProgress({ name, progress: { done, total, document }, request }: StageProgressProps) {
  return (
    <>
      <span class="muted">{total > 1 && `${number(done)} of ${number(total)}`}</span>
      <progress max={Math.max(total, 1)} value={total > 1 ? done : undefined} aria-label={name} />
      {document !== undefined && (
        <bdi class="muted">{request.documents.find(({ id }) => id === document)?.title ?? document}</bdi>
      )}
    </>
  );
}
