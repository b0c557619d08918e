import { useId, useState } from 'preact/hooks';
import { markersOf, type Sentence as SentenceOf } from '../../client/index.ts';
import { CitationButton } from './citation.tsx';
import { corroboration } from './corroboration.ts';
import { useReading } from './reading.ts';
import { SideBySide } from './side-by-side.tsx';

/** Numbers that stand after a sentence; where there are more, the first and how many more there are. */
const MAX_MARKERS = 2;

/** A sentence with the numbers of its sources. */
export function Sentence({ sentence }: { readonly sentence: SentenceOf }) {
  const { digest } = useReading();
  const [isOpen, open] = useState(false);
  const id = useId();
  if (sentence.framing) return <span class="read-framing">{sentence.text} </span>;
  const agreeing = corroboration(sentence, digest);
  const markers = markersOf(sentence, digest.sources);
  const first = markers.length > MAX_MARKERS && agreeing.length > 1 ? markers.slice(0, 1) : markers;
  // What follows a sentence stays in the line of its last word.
  const cut = sentence.text.lastIndexOf(' ') + 1;
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
              title={`${agreeing.length} sources say this`}
              onClick={() => open(!isOpen)}
            >
              +{markers.length - first.length}
              <span class="unseen"> more: {agreeing.length} sources say this</span>
            </button>
          )}
        </span>
      </span>{' '}
      {isOpen && (
        <SideBySide
          id={id}
          heading={`${agreeing.length} sources say this`}
          stated={agreeing}
          onClose={() => open(false)}
        />
      )}
    </>
  );
}
