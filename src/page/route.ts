/** The view that the address names after `#`. */
export type Route =
  | { readonly view: 'make' | 'table' | 'digests' | 'experiments' | 'unknown' }
  | {
      readonly view: 'digest';
      readonly id: string;
      readonly face: 'read' | 'points';
      /** The key point whose source is open initially. */
      readonly point?: string | undefined;
      /** Ids of the digests of its thread, in order; absent if it stands alone. */
      readonly thread?: readonly string[] | undefined;
    }
  | { readonly view: 'compare'; readonly left: string | null; readonly right: string | null }
  | { readonly view: 'experiment'; readonly key: string };

export function routeOf(hash: string): Route {
  const [address, search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const asked = new URLSearchParams(search);
  const [view = '', name = '', face, ...rest] = address.split('/').map(decoded);
  if (rest.length > 0 || (face !== undefined && (view !== 'digests' || face !== 'points'))) return { view: 'unknown' };
  if (name === '') {
    if (view === '') return { view: 'make' };
    if (view === 'compare') return { view, left: asked.get('left'), right: asked.get('right') };
    return { view: view === 'table' || view === 'digests' || view === 'experiments' ? view : 'unknown' };
  }
  if (view === 'experiments') return { view: 'experiment', key: name };
  if (view !== 'digests') return { view: 'unknown' };
  if (face === 'points') return { view: 'digest', id: name, face };
  return { view: 'digest', id: name, face: 'read', point: asked.get('point') ?? undefined, thread: threadIn(asked) };
}

/** Max digests of a thread: the last ones. */
const MAX_THREAD = 30;

function threadIn(asked: URLSearchParams): readonly string[] | undefined {
  const ids = asked.get('thread')?.match(/\bdig_[0-9a-f]{32}\b/g);
  return ids?.slice(-MAX_THREAD);
}

export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'make':
    case 'unknown':
      return '#/';
    case 'table':
    case 'digests':
    case 'experiments':
      return `#/${route.view}`;
    case 'digest':
      return `#/digests/${encodeURIComponent(route.id)}${route.face === 'points' ? '/points' : ''}${searchOf({ point: route.point, thread: route.thread?.join('.') })}`;
    case 'experiment':
      return `#/experiments/${encodeURIComponent(route.key)}`;
    case 'compare':
      return `#/compare${searchOf({ left: route.left, right: route.right })}`;
  }
}

function searchOf(fields: Readonly<Record<string, string | null | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value != null) search.set(name, value);
  return search.size === 0 ? '' : `?${search}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
