import { useMemo, useRef, useState } from 'preact/hooks';
import { useMedia } from '../parts/use-media.ts';
import { Answer } from './answer.tsx';
import { Details } from './details.tsx';
import { DigestActions } from './digest-actions.tsx';
import { documentsOf } from './digest-documents.ts';
import { DigestHead } from './digest-head.tsx';
import { FollowUp } from './follow-up.tsx';
import { History } from './history.tsx';
import { Notes } from './notes.tsx';
import { type Opened, type Reading, ReadingProvider } from './reading.ts';
import { SourceBeside } from './source-beside.tsx';
import { SourceList } from './source-list.tsx';
import type { StoredDigest } from './stored-digest.ts';
import './read.css';

/** Room for a text and its sources side by side, as in `read.css`. */
const WIDE = '(min-width: 62rem)';

interface ReadViewProps extends StoredDigest {
  /** A key point in whose source the reading begins. */
  readonly point: string | undefined;
}

/** A digest beside its sources. */
export function ReadView({ digest, request, point }: ReadViewProps) {
  const [opened, setOpened] = useState<Opened | null>(() => openedAt(digest, point));
  const opener = useRef<HTMLElement | null>(null);
  const isWide = useMedia(WIDE);
  const documentOf = useMemo(() => documentsOf({ digest, request }), [digest, request]);
  const reading = useMemo<Reading>(
    () => ({
      digest,
      request,
      documentOf,
      opened,
      open(citation, by) {
        opener.current = by;
        setOpened((before) => ({ citation, opening: (before?.opening ?? 0) + 1 }));
      },
      goTo: (citation) => setOpened((before) => ({ citation, opening: before?.opening ?? 0 })),
      close() {
        setOpened(null);
        const by = opener.current;
        // It may have been folded away since.
        (by?.isConnected ? by : document.getElementById('main'))?.focus();
      },
    }),
    [digest, request, documentOf, opened],
  );
  return (
    <ReadingProvider value={reading}>
      <div class={`read-columns ${opened === null ? '' : 'read-columns-open'}`}>
        <article class="read-main">
          <DigestHead digest={digest} request={request} />
          {digest.status === 'failed' && <p class="problem">{FAILED}</p>}
          <Answer />
          <Notes />
          <DigestActions digest={digest} request={request} />
          <FollowUp />
          <History />
          {!isWide && <SourceList />}
          <Details digest={digest} request={request} />
        </article>
        <SourceBeside isWide={isWide} />
      </div>
    </ReadingProvider>
  );
}

const FAILED = 'None of the documents could be read, so there is no answer.';

/** The source of a key point, opened at its quote; null where there is none. */
function openedAt({ keyPoints }: StoredDigest['digest'], id: string | undefined): Opened | null {
  const point = id === undefined ? undefined : keyPoints.find((each) => each.id === id);
  if (point === undefined || point.quote.status === 'unverified') return null;
  return { citation: { document: point.document, quote: point.quote }, opening: 1 };
}
