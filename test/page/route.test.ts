import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hrefOf, type Route, routeOf } from '../../src/page/route.ts';

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/\p{Surrogate}/u.test(text));
const digest = fc.stringMatching(/^dig_[0-9a-f]{32}$/);
const id = fc.option(name, { nil: null });
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>({ view: 'make' }, { view: 'digests' }, { view: 'experiments' }),
  fc.record({
    view: fc.constant('digest' as const),
    id: name,
    face: fc.constant('read' as const),
    point: fc.option(name, { nil: undefined }),
    thread: fc.option(fc.array(digest, { minLength: 1, maxLength: 30 }), { nil: undefined }),
  }),
  fc.record({ view: fc.constant('digest' as const), id: name, face: fc.constant('points' as const) }),
  fc.record({ view: fc.constant('experiment' as const), key: name }),
  fc.record({ view: fc.constant('compare' as const), left: id, right: id }),
);

test('an address leads back to its route, whatever the names in it are', () => {
  fc.assert(
    fc.property(routes, (route) => {
      expect(routeOf(hrefOf(route))).toEqual(route);
    }),
  );
});

test('a thread takes nothing but ids of digests, and the last of very many', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `dig_${index.toString(16).padStart(32, '0')}`);
  const threadOf = (text: string) => {
    const route = routeOf(`#/digests/${ids[0]}?thread=${encodeURIComponent(text)}`);
    return route.view === 'digest' ? route.thread : null;
  };
  expect(threadOf(`${ids[1]}.javascript:x.../../v1/keys.${ids[2]}0.${ids[3]}`)).toEqual([ids[1], ids[3]]);
  expect(threadOf('none')).toBeUndefined();
  expect(threadOf(ids.join('.'))).toEqual(ids.slice(10));
});

test('any other address is a route too, if only to nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(routeOf(`#/${text}`).view).toBeTypeOf('string');
    }),
  );
  const views = ['', '#', '#/', '#/nothing', '#/digests/a/b', '#/digests/a/points/c', '#/digests/%E0%A4%A'];
  expect(views.map((hash) => routeOf(hash).view)).toEqual([
    ...['make', 'make', 'make'],
    ...['unknown', 'unknown', 'unknown', 'digest'],
  ]);
});
