import { useId, useState } from 'preact/hooks';
import { markersOf, type Sentence as SentenceOf } from '../../client/index.ts';
import { CitationButton } from './citation.tsx';
import { corroboration, disagreesOn, otherSide } from './disagreement.ts';
import { useReading } from './reading.ts';
import { SideBySide } from './side-by-side.tsx';

/** Numbers that stand after a sentence; where there are more, the first and how many more there are. */
const MAX_MARKERS = 2;

/** A sentence with the numbers of its sources, and a mark where sources disagree with it. */
export function Sentence({ sentence }: { readonly sentence: SentenceOf }) {
  const { digest } = useReading();
  const [shown, show] = useState<'agreeing' | 'differing' | null>(null);
  const id = useId();
  const toggle = (what: 'agreeing' | 'differing') => show((before) => (before === what ? null : what));
  if (sentence.framing) return <span class="read-framing">{sentence.text} </span>;
  const differing = disagreesOn(sentence, digest);
  const agreeing = corroboration(sentence, digest);
  const markers = markersOf(sentence, digest.sources);
  const first = markers.length > MAX_MARKERS && agreeing.length > 1 ? markers.slice(0, 1) : markers;
  // What follows a sentence stays in the line of its last word.
  const cut = sentence.text.lastIndexOf(' ') + 1;
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
            <button
              type="button"
              class="read-citation"
              aria-expanded={shown === 'agreeing'}
              aria-controls={shown === 'agreeing' ? id : undefined}
              title={`${agreeing.length} sources say this`}
              onClick={() => toggle('agreeing')}
            >
              +{markers.length - first.length}
              <span class="unseen"> more: {agreeing.length} sources say this</span>
            </button>
          )}
          {differing !== null && (
            <button
              type="button"
              class="read-differs"
              aria-expanded={shown === 'differing'}
              aria-controls={shown === 'differing' ? id : undefined}
              title={differing}
              onClick={() => toggle('differing')}
            >
              <span aria-hidden="true">≠</span> disputed<span class="unseen">: {differing}</span>
            </button>
          )}
        </span>
      </span>{' '}
      {shown === 'agreeing' && (
        <SideBySide
          id={id}
          heading={`${agreeing.length} sources say this`}
          sides={[{ name: null, stated: agreeing }]}
          onClose={() => show(null)}
        />
      )}
      {shown === 'differing' && differing !== null && (
        <SideBySide
          id={id}
          // The quotes stand below.
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
