import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DigestMap } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Await, useLoaded } from '../parts/loading.tsx';
import { count } from '../parts/words.ts';
import { problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useLayout } from './layout.ts';
import { Plot } from './plot.tsx';
import { Legend, PointCard } from './point-card.tsx';
import { PointList } from './point-list.tsx';
import { differences, type MapPoint, mapPoints, ownPicks, ownPicture, ranksOf } from './points.ts';
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
            {(map) => <Workbench digest={digest} points={points} map={map} />}
          </Await>
        </>
      )}
    </>
  );
}

interface WorkbenchProps extends Pick<StoredDigest, 'digest'> {
  readonly points: readonly MapPoint[];
  readonly map: DigestMap;
}

const LAYOUTS = {
  main: 'This map shows the two directions in which the key points differ most (PCA).',
  grouping: 'Grouping similar key points (t-SNE). The map changes once, when that is done.',
  grouped: 'Similar key points are close together (t-SNE). Axes and exact distances have no meaning.',
} as const;

function Workbench({ digest, points, map }: WorkbenchProps) {
  const [lookedAt, lookAt] = useState<number | null>(null);
  const [pinned, setPinned] = useState<number | null>(null);
  const vectors = useMemo(() => vectorsOf(points, map.points), [points, map]);
  const layout = useLayout(vectors);
  const own = useMemo(() => ({ picture: ownPicture(digest), picks: ownPicks(digest) }), [digest]);
  const trial = useReselection(digest, own.picture.picks.length);
  const picture = trial.picture ?? own.picture;
  const { standings, picks } = picture;
  const ranks = useMemo(() => ranksOf(points, picture), [points, picture]);
  const isTrial = trial.picture !== null;
  const changed = useMemo(() => (isTrial ? differences(own.picks, [...ranks.keys()]) : null), [isTrial, own, ranks]);
  const wasChanged = useRef(false);
  useEffect(() => {
    if (changed !== null) announce(`${count(picks.length, 'key point')} selected. ${changed.sentence}`);
    else if (wasChanged.current) announce('The digest’s own selection.');
    wasChanged.current = changed !== null;
  }, [changed, picks]);

  const shown = lookedAt ?? pinned;
  const pin = (point: number | null): void => {
    // A point that is no longer pinned stays shown.
    lookAt(point === null ? shown : null);
    setPinned(point);
    if (point !== null) announce(`Pinned: ${points[point].text}`);
  };
  const near = shown === null ? null : standings[shown].nearest;
  return (
    <div class="map-grid">
      <section class="map-picture" aria-label="The map">
        <div class="map-stays">
          <Plot
            label={`Map of ${count(points.length, 'key point')}, ${picks.length} of them selected`}
            positions={layout.positions}
            points={points}
            picture={picture}
            ranks={ranks}
            own={changed && own.picks}
            shown={shown}
            pinned={pinned}
            onShow={(point) => (point !== null || pinned !== null) && lookAt(point)}
            onPin={pin}
          />
          <p class="muted">{LAYOUTS[layout.kind]}</p>
          <Legend picture={picture} gone={changed?.gone.size ?? null} />
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
            standing={standings[shown]}
            nearest={points.find(({ id }) => id === near?.id)}
            ranks={ranks}
            isPinned={shown === pinned}
            onPin={() => pin(shown === pinned ? null : shown)}
          />
        )}
      </section>
      <SelectionControls digest={digest} picked={own.picture.picks.length} trial={trial} />
      <PointList points={points} picture={picture} changed={changed} ranks={ranks} pinned={pinned} onPin={pin} />
    </div>
  );
}

/** The vectors in the order of the points; zeros for points missing from the map. */
function vectorsOf(points: readonly MapPoint[], mapped: DigestMap['points']): (readonly number[])[] {
  const vectorOf = new Map(mapped.map(({ id, vector }) => [id, vector]));
  const middle = new Array<number>(mapped[0]?.vector.length ?? 0).fill(0);
  return points.map(({ id }) => vectorOf.get(id) ?? middle);
}
