import { type ComponentChildren, Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { keyOfCitation, layoutOf, markersOf, type Sentence } from '../../client/index.ts';
import { hrefOf } from '../route.ts';
import { CitationButton } from './citation.tsx';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

export function Answer() {
  const { digest } = useReading();
  const { summary, keyPoints, intent } = digest;
  const saysNothing = summary.sentences.every(({ framing }) => framing);
  const isUnanswered = intent?.answered === 'no' && keyPoints.every(({ selected }) => !selected);
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Answer
      </h2>
      <Summary summary={summary}>{(sentence) => <CitedSentence sentence={sentence} />}</Summary>
      {isUnanswered && <Nearest ids={intent.nearest} />}
      {saysNothing && digest.status !== 'failed' && (
        <p class="muted">
          Try other words below, or <a href={hrefOf({ view: 'make' })}>ask other documents</a>.
        </p>
      )}
    </section>
  );
}

/** Quotes of the nearest key points, without those that are in no document. */
function Nearest({ ids }: { readonly ids: readonly string[] }) {
  const { digest, documentOf, open } = useReading();
  const points = ids.flatMap((id) => digest.keyPoints.filter((point) => point.id === id));
  const found = points.flatMap(({ document, quote }) => (quote.start === null ? [] : [{ document, quote }]));
  if (found.length === 0) return null;
  return (
    <section class="read-nearest" aria-labelledby="read-nearest">
      <h3 id="read-nearest">The closest passages</h3>
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
              <span class="unseen"> more citations</span>
            </button>
          )}
        </span>
      </span>{' '}
    </>
  );
}
