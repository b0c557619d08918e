import { useEffect, useMemo, useState } from 'preact/hooks';
import { announce } from '../parts/browser.ts';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { differences, listedPoints, ownPicks, picksOf, reselected } from './points.ts';
import { useReselection } from './reselection.ts';
import { SelectionControls } from './selection-controls.tsx';
import './points.css';

/** All key points of a digest, why each was selected or not, and what other settings would select. */
export function PointsView({ digest, request }: StoredDigest) {
  const own = useMemo(() => listedPoints({ digest, request }), [digest, request]);
  const documents = new Set(own.map(({ document }) => document)).size;
  return (
    <>
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>← Back to the digest</a>
      </p>
      <h1>Key points</h1>
      <p>
        <strong>{problemOf(request.intent)}</strong>
      </p>
      {own.length === 0 ? (
        <p class="empty">This digest has no key points to show.</p>
      ) : (
        <>
          <p class="muted">{`${count(own.length, 'key point')} from ${count(documents, 'document')}.`}</p>
          <Workbench digest={digest} own={own} />
        </>
      )}
    </>
  );
}

interface WorkbenchProps extends Pick<StoredDigest, 'digest'> {
  /** The points as the digest selected them. */
  readonly own: ReturnType<typeof listedPoints>;
}

function Workbench({ digest, own }: WorkbenchProps) {
  const [shown, show] = useState<string>();
  const picked = useMemo(() => ownPicks(own, digest.selection), [own, digest]);
  const trial = useReselection(digest, picksOf(own).length);
  const { answer } = trial;
  const points = useMemo(() => (answer === null ? own : reselected(own, answer)), [own, answer]);
  const changed = useMemo(() => (answer === null ? null : differences(picked, points)), [answer, picked, points]);
  const point = points.find(({ id }) => id === shown);
  useEffect(() => {
    if (changed !== null) announce(changed.sentence);
  }, [changed]);
  return (
    <div class="points-grid">
      <PointList points={points} changed={changed} shown={shown} onShow={show} />
      <section class="panel points-card" aria-labelledby="points-card-title" aria-live="polite">
        <h2 id="points-card-title">Key point</h2>
        {point === undefined ? (
          <p class="muted">Choose a key point in the list.</p>
        ) : (
          <PointCard digest={digest.id} point={point} points={points} />
        )}
      </section>
      <SelectionControls own={digest.selection} picked={picksOf(own).length} trial={trial} />
    </div>
  );
}
