import { useMemo } from 'preact/hooks';
import { hrefOf } from '../route.ts';
import { Answered } from './answered.tsx';
import { layoutOf } from './layout.ts';
import { useReading } from './reading.ts';
import { Sentence } from './sentence.tsx';

/** The summary in the layout of its text, each sentence with its sources. */
export function Summary() {
  const { digest } = useReading();
  const parts = useMemo(() => layoutOf(digest.summary), [digest]);
  const saysNothing = digest.summary.sentences.every(({ framing }) => framing);
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Summary
      </h2>
      {parts.map(({ kind, sentences }, index) => {
        const key = `${kind} ${index}`;
        if (kind === 'paragraph') {
          return (
            <div key={key} class="read-paragraph" dir="auto">
              {sentences.map((sentence, place) => (
                <Sentence key={`${place} ${sentence.text}`} sentence={sentence} />
              ))}
            </div>
          );
        }
        return (
          <ul key={key}>
            {sentences.map((sentence, place) => (
              <li key={`${place} ${sentence.text}`} class="read-paragraph" dir="auto">
                <Sentence sentence={sentence} />
              </li>
            ))}
          </ul>
        );
      })}
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
