import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { layoutOf, markersOf, type Sentence } from '../../client/index.ts';
import { day } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { CitationButton } from './citation.tsx';
import { corroboration, disagreesOn, otherSide, type Stated } from './disagreement.ts';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

/** The summary with its citations, or the closest passages if nothing answers. */
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
      {nearest.length > 0 && (
        <SideBySide id={id} heading="The closest passages" sides={[{ name: null, stated: nearest }]} />
      )}
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

/** The paragraphs and lists of a summary. */
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

/** Citations that are shown after a sentence; of more, only the first. */
const MAX_MARKERS = 2;

/** A sentence with the numbers of its sources, and a mark if sources disagree. */
function CitedSentence({ sentence }: { readonly sentence: Sentence }) {
  const { digest } = useReading();
  const [shown, show] = useState<'agreeing' | 'differing' | null>(null);
  const id = useId();
  if (sentence.framing) return <span class="read-framing">{sentence.text} </span>;
  const differing = disagreesOn(sentence, digest);
  const agreeing = corroboration(sentence, digest);
  const markers = markersOf(sentence, digest.sources);
  const first = markers.length > MAX_MARKERS && agreeing.length > 1 ? markers.slice(0, 1) : markers;
  const toggle = (what: 'agreeing' | 'differing') => ({
    type: 'button' as const,
    'aria-expanded': shown === what,
    'aria-controls': shown === what ? id : undefined,
    onClick: () => show(shown === what ? null : what),
  });
  // The citations stay in the line of the last word.
  const cut = sentence.text.lastIndexOf(' ') + 1;
  const count = `${agreeing.length} sources say this`;
  return (
    <>
      <span class={`read-sentence ${differing === null ? '' : 'read-disputed'}`}>
        {sentence.text.slice(0, cut)}
        <span class="read-end">
          {sentence.text.slice(cut)}
          {first.map((marker) => (
            <CitationButton key={marker.name} marker={marker} />
          ))}
          {first.length < markers.length && (
            <button class="read-citation" title={count} {...toggle('agreeing')}>
              +{markers.length - first.length}
              <span class="unseen"> more: {count}</span>
            </button>
          )}
          {differing !== null && (
            <button class="read-differs" title={differing} {...toggle('differing')}>
              <span aria-hidden="true">≠</span> disputed<span class="unseen">: {differing}</span>
            </button>
          )}
        </span>
      </span>{' '}
      {shown === 'agreeing' && (
        <SideBySide id={id} heading={count} sides={[{ name: null, stated: agreeing }]} onClose={() => show(null)} />
      )}
      {shown === 'differing' && differing !== null && (
        <SideBySide
          id={id}
          // The quotes are shown below.
          heading={differing.replace(/:? “.*$/su, '')}
          sides={[
            { name: 'The digest says', stated: agreeing },
            { name: 'Others say', stated: otherSide(sentence, digest) },
          ]}
          onClose={() => show(null)}
        />
      )}
    </>
  );
}

interface SideBySideProps {
  readonly id: string;
  readonly heading: string;
  /** Quotes in columns; a single column has no name. */
  readonly sides: readonly { readonly name: string | null; readonly stated: readonly Stated[] }[];
  readonly onClose?: () => void;
}

/** Quotes of several documents, side by side. */
function SideBySide({ id, heading, sides, onClose }: SideBySideProps) {
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
      <div class={sides.length > 1 ? 'read-sides' : ''}>
        {sides.map(({ name: side, stated }) => (
          <div key={side}>
            {side !== null && <p class="muted">{side}</p>}
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
                      {isPicked && sides.length === 1 && ' · quoted in the digest'}
                    </span>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}
