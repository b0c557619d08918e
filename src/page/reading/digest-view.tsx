import { isFinished } from '../../client/client.ts';
import { MapView } from '../map/map-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { EndedDigest } from './ended-digest.tsx';
import { ReadView } from './read-view.tsx';
import { type LookedAt, lookAt } from './stored-digest.ts';
import { UnderWay } from './under-way.tsx';

const FACES = [
  { face: 'read', name: 'Read' },
  { face: 'map', name: 'Map' },
] as const;

interface DigestViewProps {
  readonly id: string;
  readonly face: 'read' | 'map';
  /** A key point, in whose source the reading begins. */
  readonly point: string | undefined;
}

/** A stored digest: to be read, or as a map of its key points. One that is under way is watched until it is there. */
export function DigestView({ id, face, point }: DigestViewProps) {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${id} ${session}`, (signal) => lookAt(client, id, signal));
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
      {loaded.state === 'failed' && (
        <>
          <h1>Digest</h1>
          <Problem failure={loaded.failure} again={again} />
        </>
      )}
      {loaded.state === 'there' && <Shown {...loaded.value} face={face} point={point} onChange={again} />}
    </>
  );
}

type ShownProps = LookedAt & Pick<DigestViewProps, 'face' | 'point'> & { readonly onChange: () => void };

function Shown({ digest, request, face, point, onChange }: ShownProps) {
  if (isFinished(digest)) {
    return face === 'read' ? (
      <ReadView digest={digest} request={request} point={point} />
    ) : (
      <MapView digest={digest} request={request} />
    );
  }
  if (digest.status === 'failed' || digest.status === 'cancelled') {
    return <EndedDigest digest={digest} request={request} />;
  }
  return <UnderWay digest={digest} request={request} onEnd={onChange} />;
}
