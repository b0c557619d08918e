import { useId, useState } from 'preact/hooks';
import { keyOfCitation, type Marker, markersOf, type Sentence as SentenceOf } from '../../client/index.ts';
import { citationMarkers } from '../../text/index.ts';
import { corroboration, disagreesOn, otherSide } from './disagreement.ts';
import { useReading } from './reading.ts';
import { SideBySide } from './side-by-side.tsx';
import { percent, shortened } from './words.ts';

/** Characters of a quote that stand in for it in a label. */
const LABEL = 120;

/** A sentence with where it is from, how far that supports it, and who says otherwise. */
export function Sentence({ sentence }: { readonly sentence: SentenceOf }) {
  const { digest } = useReading();
  const [shown, show] = useState<'agreeing' | 'differing' | null>(null);
  const id = useId();
  const toggle = (what: 'agreeing' | 'differing') => show((before) => (before === what ? null : what));
  const { text, framing, support } = sentence;
  const differing = disagreesOn(sentence, digest);
  const agreeing = corroboration(sentence, digest);
  if (framing) return <span class="read-framing">{text} </span>;
  return (
    <>
      <span class="read-sentence">
        {text}{' '}
        {markersOf(sentence, digest.sources).map((marker) => (
          <CitationButton key={marker.name} marker={marker} />
        ))}
        {support !== null && support < 1 && <Support support={support} />}
        {agreeing.length > 1 && (
          <button
            type="button"
            class="read-offer"
            aria-expanded={shown === 'agreeing'}
            aria-controls={shown === 'agreeing' ? id : undefined}
            onClick={() => toggle('agreeing')}
          >
            compare {agreeing.length} sources
          </button>
        )}
        {differing !== null && (
          <button
            type="button"
            class="read-offer read-differs"
            aria-expanded={shown === 'differing'}
            aria-controls={shown === 'differing' ? id : undefined}
            onClick={() => toggle('differing')}
          >
            <span aria-hidden="true">≠ </span>
            {differing}
          </button>
        )}
      </span>{' '}
      {shown === 'agreeing' && (
        <SideBySide
          id={id}
          heading={`What ${agreeing.length} sources say to it`}
          sides={[{ name: null, stated: agreeing }]}
        />
      )}
      {shown === 'differing' && differing !== null && (
        <SideBySide
          id={id}
          heading={differing}
          sides={[
            { name: 'This sentence goes by', stated: agreeing },
            { name: 'Against it', stated: otherSide(sentence, digest) },
          ]}
        />
      )}
    </>
  );
}

function CitationButton({ marker: { citation, name } }: { readonly marker: Marker }) {
  const { documentOf, opened, open } = useReading();
  const isOpen = opened !== null && keyOfCitation(opened.citation) === keyOfCitation(citation);
  return (
    <button
      type="button"
      class="read-citation"
      aria-label={`Source ${name}: ${documentOf(citation.document).name}, quote “${shortened(citation.quote.text, LABEL)}”`}
      aria-pressed={isOpen}
      data-document={citation.document}
      data-start={citation.quote.start}
      onClick={({ currentTarget }) => open(citation, currentTarget)}
    >
      {citationMarkers([name])}
    </button>
  );
}

/** How far the quotes carry the wording: a sign, and in words for those who point at it, come to it or press it. */
function Support({ support }: { readonly support: number }) {
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="read-support"
        aria-expanded={isShown}
        aria-label="How far the quotes support this wording"
        aria-describedby={id}
        onClick={() => setShown((before) => !before)}
        onKeyDown={({ key }) => key === 'Escape' && setShown(false)}
      >
        ≈
      </button>
      <span id={id} role="tooltip" class={isShown ? 'read-tip read-tip-shown' : 'read-tip'}>
        The quotes support this wording to {percent(support)}: it is put in other words than theirs.
      </span>
    </>
  );
}
