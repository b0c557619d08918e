import { useEffect, useRef, useState } from 'preact/hooks';
import { KeyForm } from './key-form.tsx';
import { Announcer } from './parts/announcer.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Menu } from './parts/menu.tsx';
import { hrefOf, type Route, routeOf } from './route.ts';
import { ServiceProvider } from './service.tsx';
import { View } from './view.tsx';
import { WorkspaceProvider } from './workspace.tsx';

const TITLES: Readonly<Record<Route['view'], string>> = {
  make: 'Ask',
  digests: 'Digests',
  digest: 'Digest',
  analyse: 'Analyse',
  compare: 'Compare',
  experiments: 'Experiments',
  experiment: 'Experiment',
  unknown: 'Not found',
};

const PLACES: readonly { readonly route: Route; readonly views: readonly Route['view'][] }[] = [
  { route: { view: 'make' }, views: ['make'] },
  { route: { view: 'digests' }, views: ['digests', 'digest'] },
  { route: { view: 'analyse' }, views: ['analyse', 'compare', 'experiments', 'experiment'] },
];

/** The view that a route belongs to: a map is an analysis. */
function viewOf(route: Route): Route['view'] {
  return route.view === 'digest' && route.face === 'map' ? 'analyse' : route.view;
}

/** The whole page: where one can go, and the view of the address. */
export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const shown = hrefOf(route);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another view, which begins at its top
  useEffect(() => {
    document.title = `${TITLES[route.view]} – Tessera`;
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [shown]);
  return (
    <ServiceProvider>
      <WorkspaceProvider>
        <Announcer>
          {/* A link would take the part after #, which says what is shown. */}
          <button type="button" class="skip" onClick={() => main.current?.focus()}>
            Skip to the content
          </button>
          <header class="top">
            <a class="brand" href="#/">
              <Tiles />
              <span>Tessera</span>
            </a>
            <nav aria-label="Views">
              {PLACES.map(({ route: place, views }) => (
                <a
                  key={place.view}
                  href={hrefOf(place)}
                  aria-current={views.includes(viewOf(route)) ? 'page' : undefined}
                >
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
        </Announcer>
      </WorkspaceProvider>
    </ServiceProvider>
  );
}

/** The sign of the page: the tiles that it is named after. */
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

/** The licences of what the page is built from, which its build puts there. */
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
