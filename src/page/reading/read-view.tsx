import { useMemo, useRef, useState } from 'preact/hooks';
import type { Citation, DigestEntry, DigestState } from '../../client/index.ts';
import { useMedia } from '../parts/browser.ts';
import { count, moment } from '../parts/words.ts';
import { DigestActions } from './actions.tsx';
import { Answer } from './answer.tsx';
import { Details } from './details.tsx';
import { FollowUp } from './follow-up.tsx';
import { headingOf, IntentFacts } from './intent.tsx';
import { documentsOf, type Reading, ReadingProvider, useReading } from './reading.ts';
import { SourceList, Sources } from './sources.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { Thread } from './thread.tsx';
import './reading.css';

/** Room for a text and its sources side by side, as in `reading.css`. */
const WIDE = '(min-width: 62rem)';

interface ReadViewProps extends StoredDigest {
  /** Id of the key point whose source is open initially. */
  readonly point: string | undefined;
  readonly thread: readonly string[];
}

export function ReadView({ digest, request, point, thread }: ReadViewProps) {
  const [opened, setOpened] = useState<Citation | null>(() => openedAt(digest, point));
  const opener = useRef<HTMLElement | null>(null);
  const isWide = useMedia(WIDE);
  const documentOf = useMemo(() => documentsOf({ digest, request }), [digest, request]);
  const reading = useMemo<Reading>(
    () => ({
      digest,
      request,
      thread,
      documentOf,
      opened,
      open(citation, by) {
        opener.current = by;
        setOpened({ ...citation });
      },
      close() {
        setOpened(null);
        const by = opener.current;
        // The opener may be hidden by now.
        (by?.isConnected ? by : document.getElementById('main'))?.focus();
      },
    }),
    [digest, request, thread, documentOf, opened],
  );
  return (
    <ReadingProvider value={reading}>
      <div class={`read-columns ${opened === null ? '' : 'read-columns-open'}`}>
        <article class="read-main">
          <Thread thread={thread} id={digest.id} side="earlier" />
          <DigestHead digest={digest} request={request} />
          {digest.status === 'failed' && (
            <p class="problem">None of the documents could be read, so there is no answer.</p>
          )}
          <Answer />
          <Notes />
          <DigestActions />
          <Thread thread={thread} id={digest.id} side="later" />
          <FollowUp />
          {!isWide && <SourceList />}
          <Details />
        </article>
        <Sources isWide={isWide} />
      </div>
    </ReadingProvider>
  );
}

function openedAt({ keyPoints }: StoredDigest['digest'], id: string | undefined): Citation | null {
  const point = keyPoints.find((each) => each.id === id);
  if (point === undefined || point.quote.status === 'unverified') return null;
  return { document: point.document, quote: point.quote };
}

export const STATUSES: Readonly<Record<DigestEntry['status'], { readonly word: string; readonly sign: string }>> = {
  queued: { word: 'Waiting', sign: '…' },
  running: { word: 'In progress', sign: '▸' },
  completed: { word: 'Done', sign: '✓' },
  partial: { word: 'Partly done', sign: '◐' },
  failed: { word: 'Failed', sign: '✕' },
  cancelled: { word: 'Cancelled', sign: '–' },
};

/** Nothing for a complete digest. */
export function Status({ status }: Pick<DigestEntry, 'status'>) {
  if (status === 'completed') return null;
  const { sign, word } = STATUSES[status];
  return (
    <>
      <span>
        <span aria-hidden="true">{sign}</span> {word}
      </span>
      {' · '}
    </>
  );
}

interface DigestHeadProps {
  readonly digest: Pick<DigestState, 'status'>;
  readonly request: StoredDigest['request'];
}

/** Characters above which a question is set as text. */
const LONG = 140;

export function DigestHead({ digest, request }: DigestHeadProps) {
  const heading = headingOf(request.intent);
  return (
    <header class="read-head">
      <h1 class={heading.length > LONG ? 'read-long' : undefined} dir="auto">
        {heading}
      </h1>
      <p class="muted">
        <Status status={digest.status} />
        {count(request.documents.length, 'document')} · {moment(request.createdAt)}
      </p>
      <IntentFacts intent={request.intent} />
    </header>
  );
}

function Notes() {
  const { digest, documentOf } = useReading();
  const { warnings } = digest;
  const unread = digest.documents.filter(({ status }) => status === 'failed');
  const isDegraded = digest.status === 'partial' && unread.length === 0;
  if (unread.length + warnings.length === 0 && !isDegraded) return null;
  return (
    <section class="read-notes" aria-labelledby="read-notes">
      <h2 id="read-notes">Notes</h2>
      <ul>
        {unread.map(({ id, error }) => (
          <li key={id}>
            Could not be read: <bdi>{documentOf(id).name}</bdi>. {error?.message}
          </li>
        ))}
        {isDegraded && <li>One step failed and was done in a simpler way.</li>}
        {warnings.map((warning) => (
          <li key={warning}>{warning.replace(/dig_[0-9a-f]{32}/, 'the earlier digest')}</li>
        ))}
      </ul>
    </section>
  );
}
