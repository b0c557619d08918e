import { useEffect, useRef, useState } from 'preact/hooks';
import { CompareView } from './comparing/compare-view.tsx';
import { ServiceProvider, useService, WorkspaceProvider } from './context.tsx';
import { ExperimentView } from './experimenting/experiment-view.tsx';
import { ExperimentsView } from './experimenting/experiments-view.tsx';
import { KeyForm } from './key-form.tsx';
import { AskView } from './making/ask-view.tsx';
import { Menu } from './parts/overlays.tsx';
import { ErrorBoundary } from './parts/problem.tsx';
import { DigestView } from './reading/digest-view.tsx';
import { DigestsView } from './reading/digests-view.tsx';
import { hrefOf, type Route, routeOf } from './route.ts';
import { TableView } from './tabling/table-view.tsx';

const TITLES: Readonly<Record<Route['view'], string>> = {
  make: 'Ask',
  table: 'Table',
  digests: 'Digests',
  digest: 'Digest',
  compare: 'Compare',
  experiments: 'Experiments',
  experiment: 'Experiment',
  unknown: 'Not found',
};

const PLACES: readonly { readonly route: Route; readonly views: readonly Route['view'][] }[] = [
  { route: { view: 'make' }, views: ['make', 'table'] },
  { route: { view: 'digests' }, views: ['digests', 'digest'] },
  { route: { view: 'compare', left: null, right: null }, views: ['compare'] },
  { route: { view: 'experiments' }, views: ['experiments', 'experiment'] },
];

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const shown = hrefOf(route);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another view
  useEffect(() => {
    document.title = `${TITLES[route.view]} – Tessera`;
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [shown]);
  return (
    <ServiceProvider>
      <WorkspaceProvider>
        {/* The address of a link would replace the route. */}
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          Skip to the content
        </button>
        <header class="top">
          <a class="brand" href="#/" aria-label="Tessera">
            <Tiles />
            <span>Tessera</span>
          </a>
          <nav aria-label="Views">
            {PLACES.map(({ route: place, views }) => (
              <a key={place.view} href={hrefOf(place)} aria-current={views.includes(route.view) ? 'page' : undefined}>
                {TITLES[place.view]}
              </a>
            ))}
          </nav>
          <Menu name="☰" label="Menu">
            {(close) => (
              <>
                <KeyForm onDone={close} />
                <a href="/docs">API reference</a>
              </>
            )}
          </Menu>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          <ErrorBoundary key={shown}>
            <View route={route} />
          </ErrorBoundary>
        </main>
        <footer class="foot muted">
          This page loads nothing from other sites. <a href={licences()}>Licences</a>
        </footer>
        <div role="status" class="unseen" id="told" />
      </WorkspaceProvider>
    </ServiceProvider>
  );
}

/** The view of a route. Another key resets it, since what was loaded belongs to another caller. */
function View({ route }: { readonly route: Route }) {
  const { session } = useService();
  return <ViewOf key={session} route={route} />;
}

function ViewOf({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'make':
      return <AskView />;
    case 'table':
      return <TableView />;
    case 'digests':
      return <DigestsView />;
    case 'digest':
      return <DigestView key={route.id} id={route.id} face={route.face} point={route.point} thread={route.thread} />;
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

function Tiles() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <rect width="8" height="8" rx="1.5" />
      <rect x="10" width="8" height="8" rx="1.5" opacity=".55" />
      <rect y="10" width="8" height="8" rx="1.5" opacity=".55" />
      <rect x="10" y="10" width="8" height="8" rx="1.5" />
    </svg>
  );
}

/** The licences of the page's dependencies; the build adds the link. */
function licences(): string {
  return document.querySelector<HTMLLinkElement>('link[rel=license]')?.href ?? '';
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
}
