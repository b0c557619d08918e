import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Citation, citationCounts, inOrder, isSame, quotesFrom } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { count, day } from '../parts/words.ts';
import { isSince } from './intent.tsx';
import { type KnownDocument, useReading } from './reading.ts';
import { SourceText } from './source-text.tsx';

export function Sources({ isWide }: { readonly isWide: boolean }) {
  const { digest, documentOf, opened, close } = useReading();
  if (opened === null) {
    return isWide && digest.sources.length > 0 ? (
      <aside class="read-aside" aria-label="Sources">
        <SourceList />
      </aside>
    ) : null;
  }
  const document = documentOf(opened.document);
  const label = `Source: ${document.name}`;
  const panel = <SourcePanel key={document.id} document={document} opened={opened} />;
  if (!isWide) {
    return (
      <Dialog class="read-sheet" label={label} onClose={close}>
        {panel}
      </Dialog>
    );
  }
  return (
    <aside class="read-aside read-aside-open" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && close()}>
      {panel}
    </aside>
  );
}

/** Lists the sources by number; of what is new since an earlier digest by date, the latest first and undated ones last. */
export function SourceList() {
  const { digest, request, documentOf, open } = useReading();
  if (digest.sources.length === 0) return null;
  const counts = citationCounts(digest);
  const timeOf = ({ document }: { readonly document: string }) =>
    Date.parse(documentOf(document).publishedAt ?? '') || 0;
  const isByDate = isSince(request.intent) && digest.sources.some((source) => timeOf(source) > 0);
  const sources = isByDate ? digest.sources.toSorted((a, b) => timeOf(b) - timeOf(a)) : digest.sources;
  return (
    <section aria-labelledby="read-sources">
      <h2 id="read-sources">{isByDate ? 'Sources, latest first' : 'Sources'}</h2>
      <ol class="read-sources">
        {sources.map(({ number, document }) => {
          const { name, publishedAt, link } = documentOf(document);
          const [quote] = quotesFrom(digest, document);
          return (
            <li key={document} value={number}>
              {quote === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <button
                  type="button"
                  class="plain"
                  onClick={({ currentTarget }) => open({ document, quote }, currentTarget)}
                >
                  <bdi>{name}</bdi>
                </button>
              )}
              <span class="muted">
                {publishedAt !== null ? `${day(publishedAt)} · ` : isByDate && 'No date · '}
                {`cited in ${count(counts.get(document) ?? 0, 'sentence')}`}
                {link !== null && ' · '}
                <WebLink link={link} />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function WebLink({ link }: { readonly link: string | null }) {
  if (link === null) return null;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {new URL(link).host}
      <span class="unseen"> (opens in a new tab)</span>
    </a>
  );
}

interface SourcePanelProps {
  readonly document: KnownDocument;
  readonly opened: Citation;
}

function SourcePanel({ document, opened }: SourcePanelProps) {
  const { client } = useService();
  const { digest, close } = useReading();
  const loading = useLoaded(JSON.stringify([digest.id, document.id]), (signal) =>
    client.digests.document(digest.id, document.id, { signal }),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening takes the focus once
  useEffect(() => heading.current?.focus({ preventScroll: true }), [opened]);
  const picked = opened.quote;
  const cited = useMemo(() => quotesFrom(digest, document.id), [digest, document.id]);
  const quotes = cited.some((quote) => isSame(quote, picked)) ? cited : inOrder([...cited, picked]);
  return (
    <div class="read-panel">
      <header class="read-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {document.number !== null && `${document.number}. `}
          <bdi>{document.name}</bdi>
        </h2>
        <button type="button" class="read-close" aria-label="Close the source" onClick={close}>
          ✕
        </button>
        <p class="muted">
          {document.publishedAt !== null && `${day(document.publishedAt)} `}
          <WebLink link={document.link} />
        </p>
        <p class="muted">
          {quotes.length < 2
            ? 'The only quote from this source'
            : `${count(quotes.length, 'quote')} from this source, all marked`}
        </p>
      </header>
      <Await of={loading} what="the document">
        {({ text }) => <SourceText text={text} picked={picked} others={quotes} label={`Text of ${document.name}`} />}
      </Await>
    </div>
  );
}
