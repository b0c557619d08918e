/** The view that the address names after `#`. */
export type Route =
  | { readonly view: 'make' }
  | { readonly view: 'digests' }
  | { readonly view: 'analyse' }
  | {
      readonly view: 'digest';
      readonly id: string;
      readonly face: 'read' | 'map';
      /** The key point whose source is open initially. */
      readonly point?: string | undefined;
    }
  | { readonly view: 'compare'; readonly left: string | null; readonly right: string | null }
  | { readonly view: 'experiments' }
  | { readonly view: 'experiment'; readonly key: string }
  | { readonly view: 'unknown' };

export function routeOf(hash: string): Route {
  const [address, search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', second, third, ...rest] = address.split('/').map(decoded);
  if (rest.length > 0) return { view: 'unknown' };
  if (first === '' && second === undefined) return { view: 'make' };
  if (first === 'digests' && second === undefined) return { view: 'digests' };
  if (first === 'analyse' && second === undefined) return { view: 'analyse' };
  if (first === 'digests' && second && third === undefined) {
    return { view: 'digest', id: second, face: 'read', point: new URLSearchParams(search).get('point') ?? undefined };
  }
  if (first === 'digests' && second && third === 'map') return { view: 'digest', id: second, face: 'map' };
  if (first === 'experiments' && second === undefined) return { view: 'experiments' };
  if (first === 'experiments' && second && third === undefined) return { view: 'experiment', key: second };
  if (first === 'compare' && second === undefined) {
    const asked = new URLSearchParams(search);
    return { view: 'compare', left: asked.get('left'), right: asked.get('right') };
  }
  return { view: 'unknown' };
}

export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'make':
    case 'unknown':
      return '#/';
    case 'digests':
    case 'analyse':
    case 'experiments':
      return `#/${route.view}`;
    case 'digest':
      return `#/digests/${encodeURIComponent(route.id)}${route.face === 'map' ? '/map' : ''}${
        route.point === undefined ? '' : `?point=${encodeURIComponent(route.point)}`
      }`;
    case 'experiment':
      return `#/experiments/${encodeURIComponent(route.key)}`;
    case 'compare': {
      const asked = new URLSearchParams();
      if (route.left !== null) asked.set('left', route.left);
      if (route.right !== null) asked.set('right', route.right);
      const search = asked.toString();
      return search === '' ? '#/compare' : `#/compare?${search}`;
    }
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
