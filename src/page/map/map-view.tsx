import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DigestMap } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Await, useLoaded } from '../parts/loading.tsx';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useLayout } from './layout.ts';
import { Legend, Plot } from './plot.tsx';
import { PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { differences, type MapPoint, mapPoints, ownPicks, picksOf, reselected } from './points.ts';
import { useReselection } from './reselection.ts';
import { SelectionControls } from './selection-controls.tsx';
import './map.css';

/** Vector components used by the layout. */
const DIMENSIONS = 32;

export function MapView({ digest, request }: StoredDigest) {
  const { client, hasKey } = useService();
  const points = useMemo(() => mapPoints({ digest, request }), [digest, request]);
  const loading = useLoaded(`${digest.id} ${hasKey}`, (signal) =>
    client.digests.map(digest.id, { dimensions: DIMENSIONS, signal }),
  );
  const documents = new Set(points.map(({ document }) => document)).size;
  return (
    <>
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>← Back to the digest</a>
      </p>
      <h1>Map of the key points</h1>
      <p>
        <strong>{problemOf(request.intent)}</strong>
      </p>
      {points.length === 0 ? (
        <p class="empty">This digest has no key points to show.</p>
      ) : (
        <>
          <p class="muted">{`${count(points.length, 'key point')} from ${count(documents, 'document')}.`}</p>
          <Await of={loading} what="the map">
            {(map) => <Workbench digest={digest} own={points} map={map} />}
          </Await>
        </>
      )}
    </>
  );
}

interface WorkbenchProps extends Pick<StoredDigest, 'digest'> {
  /** The points as the digest selected them. */
  readonly own: readonly MapPoint[];
  readonly map: DigestMap;
}

const LAYOUTS = {
  main: 'This map shows the two directions in which the key points differ most (PCA).',
  grouping: 'Grouping similar key points (t-SNE). The map changes once, when that is done.',
  grouped: 'Similar key points are close together (t-SNE). Axes and exact distances have no meaning.',
} as const;

function Workbench({ digest, own, map }: WorkbenchProps) {
  const [lookedAt, lookAt] = useState<number | null>(null);
  const [pinned, setPinned] = useState<number | null>(null);
  const vectors = useMemo(() => vectorsOf(own, map.points), [own, map]);
  const layout = useLayout(vectors);
  const picked = useMemo(() => ownPicks(own, digest.selection), [own, digest]);
  const trial = useReselection(digest, picksOf(own).length);
  const { answer } = trial;
  const points = useMemo(() => (answer === null ? own : reselected(own, answer)), [own, answer]);
  const changed = useMemo(() => (answer === null ? null : differences(picked, points)), [answer, picked, points]);
  useEffect(() => {
    if (changed !== null) announce(changed.sentence);
  }, [changed]);

  const shown = lookedAt ?? pinned;
  const pin = (point: number | null): void => {
    // A point that is no longer pinned stays shown.
    lookAt(point === null ? shown : null);
    setPinned(point);
    if (point !== null) announce(`Pinned: ${points[point].text}`);
  };
  const toggle = (point: number): void => pin(point === pinned ? null : point);
  return (
    <div class="map-grid">
      <section class="map-picture" aria-label="The map">
        <div class="map-stays">
          <Plot
            positions={layout.positions}
            points={points}
            own={changed && picked}
            shown={shown}
            pinned={pinned}
            onShow={(point) => (point !== null || pinned !== null) && lookAt(point)}
            onPin={pin}
          />
          <p class="muted">{LAYOUTS[layout.kind]}</p>
          <Legend points={points} own={changed && picked} />
        </div>
      </section>
      <section class={`panel map-card ${shown === null ? '' : 'map-card-full'}`} aria-labelledby="map-card-title">
        <h2 id="map-card-title">Key point</h2>
        {shown === null ? (
          <p class="muted">Point at a dot, tap it, or choose a key point in the list below.</p>
        ) : (
          <PointCard
            digest={digest.id}
            point={points[shown]}
            points={points}
            isPinned={shown === pinned}
            onPin={() => toggle(shown)}
          />
        )}
      </section>
      <SelectionControls own={digest.selection} picked={picksOf(own).length} trial={trial} />
      <PointList
        points={points}
        changed={changed}
        pinned={pinned === null ? undefined : points[pinned].id}
        onPin={(id) => toggle(points.findIndex((point) => point.id === id))}
      />
    </div>
  );
}

/** The vectors in the order of the points; zeros for points missing from the map. */
function vectorsOf(points: readonly MapPoint[], mapped: DigestMap['points']): (readonly number[])[] {
  const vectorOf = new Map(mapped.map(({ id, vector }) => [id, vector]));
  const middle = new Array<number>(mapped[0]?.vector.length ?? 0).fill(0);
  return points.map(({ id }) => vectorOf.get(id) ?? middle);
}
