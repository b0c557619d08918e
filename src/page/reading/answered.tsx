import { useId } from 'preact/hooks';
import type { Stated } from './disagreement.ts';
import { useReading } from './reading.ts';
import { SideBySide } from './side-by-side.tsx';
import type { StoredDigest } from './stored-digest.ts';

/** Which parts of a question are answered, where some are not; and what comes nearest, where nothing is told. */
export function Answered() {
  const { digest } = useReading();
  const id = useId();
  // Digests that were made before do not say.
  const answered = digest.intent?.answered ?? 'yes';
  const nearest = answered === 'no' && digest.keyPoints.every(({ selected }) => !selected) ? nearestOf(digest) : [];
  return (
    <>
      {answered === 'partly' && (
        <ul class="read-parts" aria-label="Parts of the question">
          {digest.intent?.facets.map((facet) => (
            <li key={facet.text}>
              <span aria-hidden="true">{facet.answered ? '✓' : '○'}</span> <bdi>{facet.text}</bdi>{' '}
              <span class="muted">{facet.answered ? 'answered' : 'not answered'}</span>
            </li>
          ))}
        </ul>
      )}
      {nearest.length > 0 && (
        <SideBySide id={id} heading="What comes nearest" sides={[{ name: null, stated: nearest }]} />
      )}
    </>
  );
}

/** Quotes of the points that come nearest; without those that no document holds. */
function nearestOf({ intent, keyPoints }: StoredDigest['digest']): Stated[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  return (intent?.nearest ?? []).flatMap((id) => {
    const point = points.get(id);
    if (point === undefined || point.quote.start === null) return [];
    return [{ document: point.document, quote: point.quote, isPicked: false }];
  });
}
