import { hrefOf } from '../route.ts';
import { Answered } from './answered.tsx';
import { LaidOut } from './laid-out.tsx';
import { useReading } from './reading.ts';
import { Sentence } from './sentence.tsx';

/** The summary in its layout, each sentence with its sources. */
export function Summary() {
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
