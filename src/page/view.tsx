import { CompareView } from './comparing/compare-view.tsx';
import { ExperimentView } from './experimenting/experiment-view.tsx';
import { ExperimentsView } from './experimenting/experiments-view.tsx';
import { MakeView } from './making/make-view.tsx';
import { DigestView } from './reading/digest-view.tsx';
import { DigestsView } from './reading/digests-view.tsx';
import type { Route } from './route.ts';
import { useService } from './service.tsx';

/** The view of a route, made anew with another key: what was loaded is another caller's. */
export function View({ route }: { readonly route: Route }) {
  const { session } = useService();
  return <ViewOf key={session} route={route} />;
}

function ViewOf({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'make':
      return <MakeView />;
    case 'digests':
      return <DigestsView />;
    case 'digest':
      return <DigestView key={route.id} id={route.id} face={route.face} point={route.point} />;
    case 'compare':
      return <CompareView left={route.left} right={route.right} />;
    case 'experiments':
      return <ExperimentsView />;
    case 'experiment':
      return <ExperimentView key={route.key} experiment={route.key} />;
    case 'unknown':
      return (
        <>
          <h1>Nothing here</h1>
          <p>
            There is no view at this address. <a href="#/">Make a digest</a>.
          </p>
        </>
      );
  }
}
