import { useMemo, useState } from 'preact/hooks';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { listedPoints } from './points.ts';
import './points.css';

/** All key points of a digest, and why each was selected or not. */
export function PointsView({ digest, request }: StoredDigest) {
  const points = useMemo(() => listedPoints({ digest, request }), [digest, request]);
  const documents = new Set(points.map(({ document }) => document)).size;
  const [shown, show] = useState<string>();
  const point = points.find(({ id }) => id === shown);
  return (
    <>
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>← Back to the digest</a>
      </p>
      <h1>Key points</h1>
      <p>
        <strong>{problemOf(request.intent)}</strong>
      </p>
      {points.length === 0 ? (
        <p class="empty">This digest has no key points to show.</p>
      ) : (
        <>
          <p class="muted">{`${count(points.length, 'key point')} from ${count(documents, 'document')}.`}</p>
          <div class="points-grid">
            <PointList points={points} shown={shown} onShow={show} />
            <section class="panel points-card" aria-labelledby="points-card-title" aria-live="polite">
              <h2 id="points-card-title">Key point</h2>
              {point === undefined ? (
                <p class="muted">Choose a key point in the list.</p>
              ) : (
                <PointCard digest={digest.id} point={point} points={points} />
              )}
            </section>
          </div>
        </>
      )}
    </>
  );
}
