import { MapView } from '../map/map-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { ReadView } from './read-view.tsx';
import { storedDigest } from './stored-digest.ts';

const FACES = [
  { face: 'read', name: 'Read' },
  { face: 'map', name: 'Map' },
] as const;

/** A stored digest: to be read, or as a map of its key points. */
export function DigestView({ id, face }: { readonly id: string; readonly face: 'read' | 'map' }) {
  const { client, hasKey } = useService();
  const [loaded, again] = useLoaded(`${id} ${hasKey}`, (signal) => storedDigest(client, id, signal));
  return (
    <>
      <nav class="faces" aria-label="Ways to look at this digest">
        {FACES.map(({ face: each, name }) => (
          <a
            key={each}
            href={hrefOf({ view: 'digest', id, face: each })}
            aria-current={each === face ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {loaded.state === 'loading' && <Loading what="the digest" />}
      {loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
      {loaded.state === 'there' && (face === 'read' ? <ReadView {...loaded.value} /> : <MapView {...loaded.value} />)}
    </>
  );
}
