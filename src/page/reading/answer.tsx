import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { keyOfCitation, layoutOf, markersOf, type Sentence } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { useLoaded } from '../parts/loading.tsx';
import { count, shortened } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { CitationButton } from './citation.tsx';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

export function Answer() {
  const { digest } = useReading();
  const { summary, keyPoints, intent } = digest;
  const saysNothing = summary.sentences.every(({ framing }) => framing);
  const isUnanswered = intent?.answered === 'no' && keyPoints.every(({ selected }) => !selected);
  const nearest = intent?.nearest.flatMap((id) => keyPoints.filter((point) => point.id === id)) ?? [];
  const open = intent?.answered === 'partly' ? openParts(intent) : [];
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Answer
      </h2>
      {intent?.answered === 'partly' && (
        <p class="notice">
          <strong>Answered in part:</strong>{' '}
          {open.length === 0
            ? 'it is not certain that this answers the question'
            : `nothing certain on ${listed(open)}`}
          .
        </p>
      )}
      <Summary summary={summary}>{(sentence) => <CitedSentence sentence={sentence} />}</Summary>
      {isUnanswered && <Passages label="The closest passages" points={nearest} />}
      {open.length > 0 && <ClosestOf parts={open.slice(0, MAX_PARTS)} />}
      {saysNothing && digest.status !== 'failed' && (
        <p class="muted">
          Try other words below, or <a href={hrefOf({ view: 'make' })}>ask other documents</a>.
        </p>
      )}
    </section>
  );
}

/** Max parts of a question that are named, with their closest passages; and passages of each. */
const MAX_PARTS = 3;
const MAX_PASSAGES = 3;
/** Max characters of a part. */
const MAX_PART = 100;

/** The parts of a question without a certain answer; empty if it is one part, which is the question. */
function openParts({ facets }: NonNullable<StoredDigest['digest']['intent']>): string[] {
  return facets.length < 2 ? [] : facets.filter(({ answered }) => !answered).map(({ text }) => text);
}

function listed(parts: readonly string[]): string {
  const names = parts.slice(0, MAX_PARTS).map((part) => `“${shortened(part, MAX_PART)}”`);
  const more = parts.length - names.length;
  return LIST.format(more === 0 ? names : [...names, count(more, 'more part')]);
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' });

type KeyPoint = StoredDigest['digest']['keyPoints'][number];

/** The passages nearest to each part of the question, among all key points, which are read once. */
function ClosestOf({ parts }: { readonly parts: readonly string[] }) {
  const { client } = useService();
  const { id } = useReading().digest;
  const [loaded] = useLoaded(id, async (signal) => {
    const { keyPoints } = await client.digests.wait(id, { signal, include: ['keyPoints'], receipts: true });
    return new Map(keyPoints.map((point) => [point.id, point]));
  });
  if (loaded.state !== 'there') return null;
  return (
    <>
      {parts.map((part) => (
        <Closest key={part} part={part} points={loaded.value} />
      ))}
    </>
  );
}

interface ClosestProps {
  readonly part: string;
  readonly points: ReadonlyMap<string, KeyPoint>;
}

/** The passages nearest to a part of the question, without those that the answer tells; nothing until they are found. */
function Closest({ part, points }: ClosestProps) {
  const { client } = useService();
  const { digest } = useReading();
  const { id } = digest;
  const [loaded] = useLoaded(`${id} ${part}`, (signal) => {
    const selection = { strategy: 'relevance', size: { keyPoints: 1 } } as const; // the answer lists all points
    return client.selections.create({ digest: id, intent: part, selection }, { signal });
  });
  if (loaded.state !== 'there') return null;
  const told = new Set(digest.summary.sentences.flatMap(({ keyPoints }) => keyPoints));
  const near = loaded.value.items
    .toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))
    .flatMap((item) => (item.id === null || told.has(item.id) ? [] : (points.get(item.id) ?? [])));
  const label = `The closest passages on “${shortened(part, MAX_PART)}”`;
  return <Passages label={label} points={near.slice(0, MAX_PASSAGES)} />;
}

/** Quotes of key points, without those that are in no document. */
function Passages({ label, points }: { readonly label: string; readonly points: readonly KeyPoint[] }) {
  const heading = useId();
  const { documentOf, open } = useReading();
  const found = points.flatMap(({ document, quote }) => (quote.start === null ? [] : [{ document, quote }]));
  if (found.length === 0) return null;
  return (
    <section class="read-nearest" aria-labelledby={heading}>
      <h3 id={heading}>{label}</h3>
      {found.map((citation) => (
        <Fragment key={keyOfCitation(citation)}>
          <blockquote dir="auto">{citation.quote.text}</blockquote>
          <button type="button" class="plain" onClick={({ currentTarget }) => open(citation, currentTarget)}>
            <span class="unseen">Open the source: </span>
            <bdi>{documentOf(citation.document).name}</bdi>
          </button>
        </Fragment>
      ))}
    </section>
  );
}

interface SummaryProps {
  readonly summary: StoredDigest['digest']['summary'];
  readonly children: (sentence: Sentence) => ComponentChildren;
}

export function Summary({ summary, children }: SummaryProps) {
  const id = useId();
  const shown = (sentences: readonly Sentence[]) =>
    sentences.map((sentence, index) => <Fragment key={`${index} ${sentence.text}`}>{children(sentence)}</Fragment>);
  return layoutOf(summary).map((part, index) => {
    if (part.kind === 'paragraph') {
      return (
        <div key={index} class="read-paragraph" dir="auto">
          {shown(part.sentences)}
        </div>
      );
    }
    const label = part.label === null ? undefined : `${id}-${index}`;
    return (
      <Fragment key={index}>
        {label !== undefined && (
          <div id={label} class="read-paragraph" dir="auto">
            {part.label}:
          </div>
        )}
        <ul aria-labelledby={label}>
          {part.items.map((sentences, place) => (
            <li key={`${place} ${sentences[0]?.text}`} class="read-paragraph" dir="auto">
              {shown(sentences)}
            </li>
          ))}
        </ul>
      </Fragment>
    );
  });
}

/** Max citations shown after a sentence; more are shown by a press. */
const MAX_MARKERS = 2;

function CitedSentence({ sentence }: { readonly sentence: Sentence }) {
  const { digest } = useReading();
  const [isOpen, open] = useState(false);
  if (sentence.framing) return <span class="read-framing">{sentence.text} </span>;
  const markers = markersOf(sentence, digest.sources);
  const shown = isOpen ? markers : markers.slice(0, MAX_MARKERS);
  // Citations stay on the line of the last word.
  const cut = sentence.text.lastIndexOf(' ') + 1;
  return (
    <>
      <span class="read-sentence">
        {sentence.text.slice(0, cut)}
        <span class={isOpen ? undefined : 'read-end'}>
          {sentence.text.slice(cut)}
          {shown.map((marker) => (
            <CitationButton key={marker.name} marker={marker} />
          ))}
          {markers.length > MAX_MARKERS && (
            <button type="button" class="read-citation" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
              {isOpen ? '−' : `+${markers.length - MAX_MARKERS}`}
              <span class="unseen"> {markers.length - MAX_MARKERS === 1 ? 'more citation' : 'more citations'}</span>
            </button>
          )}
        </span>
      </span>{' '}
    </>
  );
}
