import { useEffect, useMemo, useRef } from 'preact/hooks';
import { inOrder, isSame, type Quote, quotesFrom } from '../../client/index.ts';
import { day } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useService } from '../service.tsx';
import { Dialog } from './dialog.tsx';
import type { KnownDocument } from './digest-documents.ts';
import { useReading } from './reading.ts';
import { SourceList } from './source-list.tsx';
import { SourceText } from './source-text.tsx';
import { sourceText } from './source-texts.ts';
import './source.css';

interface SourceBesideProps {
  /** Whether there is room beside the text. */
  readonly isWide: boolean;
}

/** The source that is open, or the list of them: beside the text where there is room. A source lies over it elsewhere. */
export function SourceBeside({ isWide }: SourceBesideProps) {
  const { digest, documentOf, opened, goTo, close } = useReading();
  const document = opened?.citation.document ?? null;
  const cited = useMemo(() => (document === null ? [] : quotesFrom(digest, document)), [digest, document]);
  if (opened === null || document === null) {
    return isWide && digest.sources.length > 0 ? (
      <aside class="read-aside" aria-label="Sources">
        <SourceList />
      </aside>
    ) : null;
  }
  const known = documentOf(document);
  const panel = (
    <SourcePanel
      key={document}
      digest={digest.id}
      document={known}
      picked={opened.citation.quote}
      cited={cited}
      opening={opened.opening}
      onPick={(quote) => goTo({ document, quote })}
      onClose={close}
    />
  );
  if (!isWide) {
    return (
      <Dialog class="read-sheet" label={`Source: ${known.name}`} onClose={close}>
        {panel}
      </Dialog>
    );
  }
  return (
    <aside
      class="read-aside read-aside-open"
      aria-label={`Source: ${known.name}`}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      {panel}
    </aside>
  );
}

interface SourcePanelProps {
  readonly digest: string;
  readonly document: KnownDocument;
  readonly picked: Quote;
  /** The quotes that the digest cites of this document. */
  readonly cited: readonly Quote[];
  /** Changes whenever it is opened anew, and takes the focus then. */
  readonly opening: number;
  readonly onPick: (quote: Quote) => void;
  readonly onClose: () => void;
}

/** A document, with the quote that was asked for in its place. */
function SourcePanel({ digest, document, picked, cited, opening, onPick, onClose }: SourcePanelProps) {
  const { client } = useService();
  const [loaded, again] = useLoaded(JSON.stringify([digest, document.id]), (signal) =>
    sourceText(client, digest, document.id, signal),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening takes the focus once
  useEffect(() => heading.current?.focus({ preventScroll: true }), [opening]);
  const quotes = cited.some((quote) => isSame(quote, picked)) ? cited : inOrder([...cited, picked]);
  return (
    <div class="read-panel">
      <header class="read-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {document.number !== null && `${document.number}. `}
          <bdi>{document.name}</bdi>
        </h2>
        <button type="button" class="read-close" aria-label="Close the source" onClick={onClose}>
          ✕
        </button>
        <p class="muted">
          {document.publishedAt !== null && <>{day(document.publishedAt)} </>}
          {document.link !== null && (
            <a href={document.link} target="_blank" rel="noopener noreferrer">
              {new URL(document.link).host}
              <span class="unseen"> (opens in a new tab)</span>
            </a>
          )}
        </p>
        <Steps quotes={quotes} picked={picked} onPick={onPick} />
      </header>
      {loaded.state === 'loading' && <Loading what="the document" />}
      {loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
      {loaded.state === 'there' && (
        <SourceText text={loaded.value.text} picked={picked} others={quotes} label={`Text of ${document.name}`} />
      )}
    </div>
  );
}

interface StepsProps {
  readonly quotes: readonly Quote[];
  readonly picked: Quote;
  readonly onPick: (quote: Quote) => void;
}

/** From quote to quote of one document. */
function Steps({ quotes, picked, onPick }: StepsProps) {
  const at = quotes.findIndex((quote) => isSame(quote, picked));
  const [previous, next] = [quotes[at - 1], quotes[at + 1]];
  if (quotes.length < 2) return <p class="muted read-steps">The only quote from this source</p>;
  return (
    <div class="read-steps">
      <span class="muted" role="status">
        Quote {at + 1} of {quotes.length}
      </span>
      <button type="button" disabled={previous === undefined} onClick={() => previous && onPick(previous)}>
        ↑ Previous<span class="unseen"> quote</span>
      </button>
      <button type="button" disabled={next === undefined} onClick={() => next && onPick(next)}>
        ↓ Next<span class="unseen"> quote</span>
      </button>
    </div>
  );
}
