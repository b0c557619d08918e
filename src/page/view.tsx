import { AnalyseView } from './analyse-view.tsx';
import { CompareView } from './comparing/compare-view.tsx';
import { ExperimentView } from './experimenting/experiment-view.tsx';
import { ExperimentsView } from './experimenting/experiments-view.tsx';
import { AskView } from './making/ask-view.tsx';
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
      return <AskView />;
    case 'digests':
      return <DigestsView />;
    case 'digest':
      return <DigestView key={route.id} id={route.id} face={route.face} point={route.point} />;
    case 'analyse':
      return <AnalyseView />;
    case 'compare':
      return <CompareView left={route.left} right={route.right} />;
    case 'experiments':
      return <ExperimentsView />;
    case 'experiment':
      return <ExperimentView key={route.key} experiment={route.key} />;
    case 'unknown':
      return (
        <>
          <h1>Not found</h1>
          <p>
            There is nothing at this address. <a href="#/">Ask a question</a>
          </p>
        </>
      );
  }
}
