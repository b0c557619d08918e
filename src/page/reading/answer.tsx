import { useId } from 'preact/hooks';
import { hrefOf } from '../route.ts';
import type { Stated } from './corroboration.ts';
import { LaidOut } from './laid-out.tsx';
import { useReading } from './reading.ts';
import { Sentence } from './sentence.tsx';
import { SideBySide } from './side-by-side.tsx';
import type { StoredDigest } from './stored-digest.ts';

/** The summary in its layout, each sentence with its sources; or what comes nearest, where nothing answers. */
export function Answer() {
  const { digest } = useReading();
  const id = useId();
  const saysNothing = digest.summary.sentences.every(({ framing }) => framing);
  // Digests that were made before do not say.
  const isUnanswered = digest.intent?.answered === 'no' && digest.keyPoints.every(({ selected }) => !selected);
  const nearest = isUnanswered ? nearestOf(digest) : [];
  return (
    <section class="read-summary" aria-labelledby="read-summary">
      <h2 id="read-summary" class="unseen">
        Answer
      </h2>
      <LaidOut summary={digest.summary} show={(sentence) => <Sentence sentence={sentence} />} />
      {nearest.length > 0 && <SideBySide id={id} heading="The closest passages" stated={nearest} />}
      {saysNothing && digest.status !== 'failed' && (
        <p class="muted">
          Try other words below, or <a href={hrefOf({ view: 'make' })}>ask other documents</a>.
        </p>
      )}
    </section>
  );
}

/** Quotes of the key points that come nearest; without those that no document holds. */
function nearestOf({ intent, keyPoints }: StoredDigest['digest']): Stated[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return (intent?.nearest ?? []).flatMap((id) => {
    const point = points.get(id);
    if (point === undefined || point.quote.start === null) return [];
    return [{ document: point.document, quote: point.quote, isPicked: false }];
  });
}
