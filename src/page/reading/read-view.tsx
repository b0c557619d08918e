import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { citationCounts, quotesFrom } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { day } from '../parts/dates.ts';
import { hrefOf } from '../route.ts';
import { CopyButton } from './copy-button.tsx';
import { DeleteDigest } from './delete-digest.tsx';
import { documentsOf } from './digest-documents.ts';
import { DigestHead } from './digest-head.tsx';
import type { Stated } from './disagreement.ts';
import { EngineFacts } from './engine-facts.tsx';
import { askedOf } from './intent.ts';
import { LaidOut } from './laid-out.tsx';
import { leavesOf } from './leaves.ts';
import { MetricFacts } from './metric-facts.tsx';
import { type Opened, type Reading, ReadingProvider, useReading } from './reading.ts';
import { Sentence } from './sentence.tsx';
import { SideBySide } from './side-by-side.tsx';
import { SourceBeside } from './source-beside.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { toMarkdown } from './to-markdown.ts';
import { count } from './words.ts';
import './read.css';
import './facts.css';

type Document = StoredDigest['digest']['documents'][number];

const KINDS: readonly {
  readonly status: Exclude<Document['status'], 'ok'>;
  readonly name: string;
  readonly sign: string;
}[] = [
  { status: 'failed', name: 'Could not be read', sign: '✕' },
  { status: 'empty', name: 'Without a statement to use', sign: '○' },
  { status: 'excluded', name: 'Left out', sign: '–' },
];

/** The documents that the digest is not made of, and why. */
function DocumentFacts({ digest }: StoredDigest) {
  const { documentOf } = useReading();
  const quotable = digest.documents.filter(({ status }) => status === 'ok').length;
  return (
    <>
      <h3>Documents</h3>
      <p>
        {quotable} of {count(digest.documents.length, 'document')} {quotable === 1 ? 'has' : 'have'} something to quote:{' '}
        {count(digest.keyPoints.length, 'statement')} in all.
      </p>
      {KINDS.map(({ status, name, sign }) => {
        const documents = digest.documents.filter((document) => document.status === status);
        if (documents.length === 0) return null;
        return (
          <details key={status} open={status === 'failed'}>
            <summary>
              <span aria-hidden="true">{sign}</span> {name}: {documents.length}
            </summary>
            <ul>
              {documents.map((document) => (
                <li key={document.id}>
                  <bdi>{documentOf(document.id).name}</bdi> <span class="muted">{whyOf(document)}</span>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}

function whyOf({ status, excluded, error }: Document): string {
  if (excluded === 'date') return 'It was published outside the time that was asked for.';
  if (excluded === 'known') return 'It was read for the earlier digest.';
  if (error !== null) return error.message;
  return status === 'empty' ? 'Nothing in it is a statement that could be quoted.' : '';
}

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

/** How a digest came about: its sources and figures, and what made it. */
function Facts(stored: StoredDigest) {
  return (
    <section class="read-facts" aria-labelledby="read-facts">
      <h2 id="read-facts">Behind this digest</h2>
      <SourceList />
      <DocumentFacts {...stored} />
      <MetricFacts {...stored} />
      <EngineFacts {...stored} />
      <SelectionFacts {...stored} />
    </section>
  );
}

/** The summary in its layout, each sentence with its sources. */
function Summary() {
  const { digest } = useReading();
  const saysNothing = digest.summary.sentences.every(({ framing }) => framing);
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Summary
      </h2>
      <LaidOut summary={digest.summary} show={(sentence) => <Sentence sentence={sentence} />} />
      <Answered />
      {saysNothing && digest.status !== 'failed' && (
        <p class="empty">
          No statement was chosen, so there is nothing to cite. Ask in wider words,{' '}
          <a href={hrefOf({ view: 'compare', left: digest.id, right: null })}>try another way</a> with the same
          documents, or <a href={hrefOf({ view: 'make' })}>make a digest</a> of others.
        </p>
      )}
    </section>
  );
}

/** Which parts of a question are answered, where some are not; and what comes nearest, where nothing is told. */
function Answered() {
  const { digest } = useReading();
  const id = useId();
  // Digests that were made before do not say.
  const answered = digest.intent?.answered ?? 'yes';
  const nearest = answered === 'no' && digest.keyPoints.every(({ selected }) => !selected) ? nearestOf(digest) : [];
  return (
    <>
      {answered === 'partly' && (
        <ul class="read-parts" aria-label="Parts of the question">
          {digest.intent?.facets.map((facet) => (
            <li key={facet.text}>
              <span aria-hidden="true">{facet.answered ? '✓' : '○'}</span> <bdi>{facet.text}</bdi>{' '}
              <span class="muted">{facet.answered ? 'answered' : 'not answered'}</span>
            </li>
          ))}
        </ul>
      )}
      {nearest.length > 0 && (
        <SideBySide id={id} heading="What comes nearest" sides={[{ name: null, stated: nearest }]} />
      )}
    </>
  );
}

/** Quotes of the points that come nearest; without those that no document holds. */
function nearestOf({ intent, keyPoints }: StoredDigest['digest']): Stated[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return (intent?.nearest ?? []).flatMap((id) => {
    const point = points.get(id);
    if (point === undefined || point.quote.start === null) return [];
    return [{ document: point.document, quote: point.quote, isPicked: false }];
  });
}

/** The options that statements were chosen by, as they were in the end, and what came of them. */
function SelectionFacts({ digest: { selection, keyPoints } }: StoredDigest) {
  const { gate } = selection;
  const slight = keyPoints.filter(({ reason }) => reason === 'level').length;
  return (
    <details>
      <summary>How statements were chosen</summary>
      <p>
        {count(gate.kept, 'statement')} {gate.kept === 1 ? 'was' : 'were'} chosen among
        {gate.dropped > 0 && `; ${gate.dropped.toLocaleString('en-US')} too far from what was asked`}
        {slight > 0 && `; ${slight.toLocaleString('en-US')} of them hardly help to answer`}. Every setting, as the API
        names it:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div class="scrolls" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {leavesOf(selection).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** What a reader should know before reading: what could not be done, and what the service warns of. */
function Notices({ digest }: Pick<StoredDigest, 'digest'>) {
  const { warnings } = digest;
  const shortfall = shortfallOf(digest);
  return (
    <>
      {shortfall !== null && (
        <p class={digest.status === 'failed' ? 'problem' : 'notice'}>
          <strong>{digest.status === 'failed' ? 'This digest failed.' : 'This digest is not whole.'}</strong>{' '}
          {shortfall}
        </p>
      )}
      {warnings.length > 0 && (
        <div class="notice">
          <p class="read-notice-head">
            <strong>{warnings.length === 1 ? 'Take note' : `${warnings.length} things to note`}</strong>
          </p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** What a digest lacks, in words; null where nothing is. */
function shortfallOf({ status, documents }: StoredDigest['digest']): string | null {
  if (status === 'completed') return null;
  const failed = documents.filter((document) => document.status === 'failed').length;
  if (status === 'failed') {
    return documents.length === 1
      ? 'Its document could not be read, so there is nothing to report. Why stands below.'
      : 'None of its documents could be read, so there is nothing to report. Why stands below, for each.';
  }
  if (failed === 0) return 'A step could not be done as it was asked, and was done in a simpler way.';
  return `${count(failed, 'document')} of ${documents.length} could not be read; it is made of the others. Which, and why, stands below.`;
}

/** What can be done with a digest besides reading it. */
function DigestActions(stored: StoredDigest) {
  const { digest, request } = stored;
  const [isExported, setExported] = useState(false);
  const announce = useAnnounce();
  return (
    <div class="actions">
      <CopyButton
        name="Copy as Markdown"
        what="the digest as Markdown"
        text={() => toMarkdown(askedOf(request.intent).heading, digest, documentsOf(stored))}
      />
      <CopyButton
        name="Copy link"
        what="the link"
        text={() => location.origin + location.pathname + hrefOf({ view: 'digest', id: digest.id, face: 'read' })}
      />
      <button
        type="button"
        onClick={() => {
          downloadJson(`${digest.id}.json`, digest);
          setExported(true);
          announce('The digest was downloaded as JSON.');
        }}
      >
        {isExported ? '✓ Downloaded' : 'Export JSON'}
      </button>
      <a class="button" href={hrefOf({ view: 'compare', left: digest.id, right: null })}>
        Try another way
      </a>
      <DeleteDigest id={digest.id} />
    </div>
  );
}
/** Gives the reader a file of JSON. */
function downloadJson(name: string, value: unknown): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The documents that the summary cites, by their numbers; each opens at its first quote. */
function SourceList() {
  const { digest, documentOf, open } = useReading();
  const { sources } = digest;
  if (sources.length === 0) return null;
  const counts = citationCounts(digest);
  return (
    <>
      <h3>Sources</h3>
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
              )}{' '}
              <span class="muted">
                {publishedAt !== null && `${day(publishedAt)} · `}cited in{' '}
                {count(counts.get(document) ?? 0, 'sentence')}
                {link !== null && (
                  <>
                    {' · '}
                    <a href={link} target="_blank" rel="noopener noreferrer">
                      {new URL(link).host}
                      <span class="unseen"> (opens in a new tab)</span>
                    </a>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
