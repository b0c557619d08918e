import { useMemo, useRef, useState } from 'preact/hooks';
import { DigestActions } from './digest-actions.tsx';
import { documentsOf } from './digest-documents.ts';
import { DigestHead } from './digest-head.tsx';
import { Facts } from './facts.tsx';
import { Notices } from './notices.tsx';
import { type Opened, type Reading, ReadingProvider } from './reading.ts';
import { SourceBeside } from './source-beside.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { Summary } from './summary.tsx';
import './read.css';

interface ReadViewProps extends StoredDigest {
  /** A key point in whose source the reading begins. */
  readonly point: string | undefined;
}

/** A digest beside its sources. */
export function ReadView({ digest, request, point }: ReadViewProps) {
  const [opened, setOpened] = useState<Opened | null>(() => openedAt(digest, point));
  const opener = useRef<HTMLElement | null>(null);
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
      <article class="read">
        <DigestHead digest={digest} request={request} />
        <DigestActions digest={digest} request={request} />
        <Notices digest={digest} />
        <div class="read-columns">
          <div class="read-main">
            <Summary />
            <Facts digest={digest} request={request} />
          </div>
          <SourceBeside />
        </div>
      </article>
    </ReadingProvider>
  );
}

/** The source of a key point, opened at its quote; null where there is none. */
function openedAt({ keyPoints }: StoredDigest['digest'], id: string | undefined): Opened | null {
  const point = id === undefined ? undefined : keyPoints.find((each) => each.id === id);
  if (point === undefined || point.quote.status === 'unverified') return null;
  return { citation: { document: point.document, quote: point.quote }, opening: 1 };
}
