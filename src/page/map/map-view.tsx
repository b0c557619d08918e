import { useMemo } from 'preact/hooks';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import './map.css';
import { mapPoints } from './map-point.ts';
import { MapWorkbench } from './map-workbench.tsx';
import { count } from './numbers.ts';

/** Coordinates of a point that grouping goes by. */
const DIMENSIONS = 32;

/** The key points of a digest in two dimensions, what was selected among them and why, and what other settings would select. */
export function MapView({ digest, request }: StoredDigest) {
  const { client, hasKey } = useService();
  const points = useMemo(() => mapPoints({ digest, request }), [digest, request]);
  const [loaded, again] = useLoaded(`${digest.id} ${hasKey}`, (signal) =>
    client.digests.map(digest.id, { dimensions: DIMENSIONS, signal }),
  );
  const documents = new Set(points.map(({ document }) => document)).size;
  const intent = typeof request.intent === 'string' ? request.intent : request.intent?.problem;
  return (
    <div class="map-view">
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>← Back to the digest</a>
      </p>
      <h1>Map of the key points</h1>
      {intent && <p class="map-intent">{intent}</p>}
      {points.length === 0 ? (
        <p class="empty">This digest has no key points to show.</p>
      ) : (
        <>
          <p class="muted">
            {`${count(points.length, 'key point')} from ${count(documents, 'document')}.`}
            {points.length > 1 && ' Similar ones are close together.'}
          </p>
          {loaded.state === 'loading' && <Loading what="the map" />}
          {loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
          {loaded.state === 'there' && (
            <MapWorkbench digest={digest} request={request} points={points} map={loaded.value} />
          )}
        </>
      )}
    </div>
  );
}
