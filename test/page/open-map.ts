import type { Page } from 'playwright-core';
import type { Digest, DigestMap, SelectionsAnswer } from '../../src/client/index.ts';
import { placePoints } from '../../src/page/map/layout.ts';
import { layOut } from '../../src/page/map/layout-thread.ts';
import { selectionRequest } from '../../src/page/map/reselection.ts';
import { type OpenPage, openPage } from './browser.ts';

const SUBJECTS = ['trams', 'bridges', 'schools', 'parks', 'taxes', 'harbours'];
export const CLAIMS = [
  'The council says that X cost more than was planned for this year.',
  'Many people who live near X want them to be closed on Sundays.',
  'A report on X found that half of them need repair before winter.',
  'Nobody has asked the drivers what they think of X and their price.',
  'The mayor promised that X would be paid for by the visitors.',
];

/** Documents that repeat each other a little. */
export const DOCUMENTS = SUBJECTS.map((subject, d) => ({
  id: `d${d}`,
  title: `Notes on <b>${subject}</b>`,
  text: CLAIMS.map((claim, c) => claim.replace('X', c === 0 && d < 3 ? 'trams' : subject)).join(' '),
}));

/** Large enough for all of the map to be seen. */
const VIEWPORT = { width: 1280, height: 1200 };

interface Mapped extends OpenPage {
  readonly digest: Digest;
  /** Where each point of the map belongs, by its id, in pixels. */
  readonly placeOf: ReadonlyMap<string, readonly [number, number]>;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

interface MapOptions {
  readonly documents?: typeof DOCUMENTS;
  readonly selection?: object;
  readonly open?: Parameters<typeof openPage>[0];
}

/** Makes a digest, opens its map, and waits until like lies with like. */
export async function openMap({ documents = DOCUMENTS, selection = {}, open = {} }: MapOptions = {}): Promise<Mapped> {
  const opened = await openPage({
    ...open,
    context: { viewport: VIEWPORT, ...open.context },
  });
  const asked = {
    documents,
    intent: 'What do trams cost the council?',
    selection: { size: { keyPoints: 4 }, kernel: { sigma: 0.5 }, relevance: { gate: null, weight: 0.5 }, ...selection },
  };
  const digest = await read<Digest>(opened.post('/v1/digests', asked));
  const map = await read<DigestMap>(opened.app.request(`/v1/digests/${digest.id}/map`));
  await opened.go(`#/digests/${digest.id}/map`);
  const plot = opened.page.getByRole('img', { name: /Map of/ });
  await opened.page.getByText('Similar key points are close together').waitFor();
  const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const pixels = placePoints(layOut(map.points.map(({ vector }) => vector)), box);
  const placeOf = new Map(map.points.map(({ id }, i) => [id, [pixels[2 * i], pixels[2 * i + 1]] as const]));
  return { ...opened, digest, placeOf, box };
}

async function read<Body>(answer: Response | Promise<Response>): Promise<Body> {
  // What the service answers is tested with its schemas elsewhere.
  return (await (await answer).json()) as Body;
}

export const picksOf = (page: Page) =>
  page
    .locator('.map-row:has(.map-row-selected)')
    .evaluateAll((found) => found.map((each) => each.getAttribute('data-point')));
/** The points that are marked as added or removed. */
export const signed = (page: Page, sign: '+ added' | '– removed') =>
  page
    .locator('.map-row', { hasText: sign })
    .evaluateAll((found) => found.map((each) => each.getAttribute('data-point')));
export const ownPicks = ({ keyPoints }: Digest) =>
  keyPoints
    .filter(({ selected }) => selected)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ id }) => id);
export const card = (page: Page) => page.getByRole('region', { name: 'Key point', exact: true });
export const reselect = async ({ post, digest }: Mapped, changes: object): Promise<(string | null)[]> => {
  const selection = { ...selectionRequest(digest.selection), ...changes };
  const answer = await read<SelectionsAnswer>(post('/v1/selections', { digest: digest.id, selection }));
  return answer.selected.map(({ id }) => id);
};
