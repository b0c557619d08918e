import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Citation, type Digest, keyOfCitation, layoutOf, markersOf, type Sentence } from '../../client/index.ts';
import { day } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { CitationButton } from './citation.tsx';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

export function Answer() {
  const { digest } = useReading();
  const id = useId();
  const { summary, keyPoints, intent } = digest;
  const saysNothing = summary.sentences.every(({ framing }) => framing);
  const isUnanswered = intent?.answered === 'no' && keyPoints.every(({ selected }) => !selected);
  const nearest = isUnanswered ? nearestOf(digest) : [];
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Answer
      </h2>
      <Summary summary={summary}>{(sentence) => <CitedSentence sentence={sentence} />}</Summary>
      {nearest.length > 0 && <Quotes id={id} heading="The closest passages" stated={nearest} />}
      {saysNothing && digest.status !== 'failed' && (
        <p class="muted">
          Try other words below, or <a href={hrefOf({ view: 'make' })}>ask other documents</a>.
        </p>
      )}
    </section>
  );
}

/** Quotes of the nearest key points, without those that are in no document. */
function nearestOf({ intent, keyPoints }: StoredDigest['digest']): Stated[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return (intent?.nearest ?? []).flatMap((id) => {
    const point = points.get(id);
    if (point === undefined || point.quote.start === null) return [];
    return [{ document: point.document, quote: point.quote, isPicked: false }];
  });
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
          <div id={label} class="read-paragraph read-label" dir="auto">
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

/** Max citations shown after a sentence; of more, only the first is shown. */
const MAX_MARKERS = 2;

function CitedSentence({ sentence }: { readonly sentence: Sentence }) {
  const { digest } = useReading();
  const [isOpen, open] = useState(false);
  const id = useId();
  if (sentence.framing) return <span class="read-framing">{sentence.text} </span>;
  const agreeing = corroboration(sentence, digest);
  const markers = markersOf(sentence, digest.sources);
  const first = markers.length > MAX_MARKERS && agreeing.length > 1 ? markers.slice(0, 1) : markers;
  // Citations stay on the line of the last word.
  const cut = sentence.text.lastIndexOf(' ') + 1;
  const heading = `${agreeing.length} sources say this`;
  return (
    <>
      <span class="read-sentence">
        {sentence.text.slice(0, cut)}
        <span class="read-end">
          {sentence.text.slice(cut)}
          {first.map((marker) => (
            <CitationButton key={marker.name} marker={marker} />
          ))}
          {first.length < markers.length && (
            <button
              type="button"
              class="read-citation"
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              title={heading}
              onClick={() => open(!isOpen)}
            >
              +{markers.length - first.length}
              <span class="unseen"> more: {heading}</span>
            </button>
          )}
        </span>
      </span>{' '}
      {isOpen && <Quotes id={id} heading={heading} stated={agreeing} onClose={() => open(false)} />}
    </>
  );
}

interface Stated extends Citation {
  /** Whether the digest's sentence is this quote. */
  readonly isPicked: boolean;
}

/** One quote of each document that a sentence cites, the picked one first. */
export function corroboration({ citations, keyPoints }: Sentence, digest: Pick<Digest, 'keyPoints'>): Stated[] {
  const picked = new Set(
    digest.keyPoints.flatMap(({ id, selected, document, quote }) =>
      selected && keyPoints.includes(id) && quote.start !== null ? [keyOfCitation({ document, quote })] : [],
    ),
  );
  const stated = new Map<string, Stated>();
  for (const citation of citations) {
    const isPicked = picked.has(keyOfCitation(citation));
    const known = stated.get(citation.document);
    if (known === undefined || (isPicked && !known.isPicked)) stated.set(citation.document, { ...citation, isPicked });
  }
  return [...stated.values()].sort((a, b) => Number(b.isPicked) - Number(a.isPicked));
}

interface QuotesProps {
  readonly id: string;
  readonly heading: string;
  readonly stated: readonly Stated[];
  readonly onClose?: () => void;
}

function Quotes({ id, heading, stated, onClose }: QuotesProps) {
  const { documentOf, open } = useReading();
  return (
    <section id={id} class="read-beside" aria-label={heading}>
      <p class="read-beside-head">
        <strong>{heading}</strong>
        {onClose !== undefined && (
          <button type="button" class="plain" aria-label={`Close: ${heading}`} onClick={onClose}>
            ✕
          </button>
        )}
      </p>
      <ul class="read-cards">
        {stated.map(({ document, quote, isPicked }) => {
          const { name, number, publishedAt } = documentOf(document);
          return (
            <li key={`${quote.start} ${document}`}>
              <blockquote dir="auto">{quote.text}</blockquote>
              <button
                type="button"
                class="plain"
                onClick={({ currentTarget }) => open({ document, quote }, currentTarget)}
              >
                <span class="unseen">Open the source: </span>
                {number !== null && `${number}. `}
                <bdi>{name}</bdi>
              </button>
              <span class="muted">
                {publishedAt !== null && ` ${day(publishedAt)}`}
                {isPicked && ' · quoted in the digest'}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
