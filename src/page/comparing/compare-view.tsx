import './compare.css';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { storedDigest } from '../reading/stored-digest.ts';
import { useService } from '../service.tsx';
import { CompareForm } from './compare-form.tsx';
import { ComparedPair } from './compared-pair.tsx';

interface CompareProps {
  readonly left: string | null;
  readonly right: string | null;
}

/** Two digests side by side: both there already, or one or both still to be made. */
export function CompareView({ left, right }: CompareProps) {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${left} ${right} ${session}`, (signal) =>
    Promise.all([left, right].map(async (id) => (id === null ? null : storedDigest(client, id, signal)))),
  );
  if (loaded.state !== 'there') {
    return (
      <>
        <h1>Side by side</h1>
        {loaded.state === 'loading' ? (
          <Loading what={left !== null && right !== null ? 'both digests' : 'the digest'} />
        ) : (
          <>
            <Problem failure={loaded.failure} again={again} />
            <p>
              <a href="#/compare">Begin with two new ones</a>
            </p>
          </>
        )}
      </>
    );
  }
  const [first, second] = loaded.value;
  if (first !== null && second !== null) return <ComparedPair left={first} right={second} />;
  // One alone is the left one, whichever side the address has it on.
  return <CompareForm given={first ?? second} />;
}
