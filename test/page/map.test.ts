import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Digest, DigestMap, SelectionsAnswer } from '../../src/client/index.ts';
import { placePoints } from '../../src/page/map/layout.ts';
import { layOut } from '../../src/page/map/layout-thread.ts';
import { SIZES } from '../../src/page/map/plot.tsx';
import { selectionRequest } from '../../src/page/map/reselection.ts';
import { told } from '../server/experiments-support.ts';
import { inBrowser, type OpenPage, openPage, seriousViolations } from './browser.ts';

const SUBJECTS = ['trams', 'bridges', 'schools', 'parks', 'taxes', 'harbours'];
const CLAIMS = [
  'The council says that X cost more than was planned for this year.',
  'Many people who live near X want them to be closed on Sundays.',
  'A report on X found that half of them need repair before winter.',
  'Nobody has asked the drivers what they think of X and their price.',
  'The mayor promised that X would be paid for by the visitors.',
];

/** Documents that repeat each other a little. */
const DOCUMENTS = SUBJECTS.map((subject, d) => ({
  id: `d${d}`,
  title: `Notes on <b>${subject}</b>`,
  text: CLAIMS.map((claim, c) => claim.replace('X', c === 0 && d < 3 ? 'trams' : subject)).join(' '),
}));

/** Large enough for all of the map to be seen. */
const VIEWPORT = { width: 1280, height: 1200 };

interface Mapped extends OpenPage {
  readonly digest: Digest;
  /** Where each point of the map belongs, by its id, in units of the picture. */
  readonly placeOf: ReadonlyMap<string, readonly [number, number]>;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Makes a digest, opens its map, and waits until like lies with like. */
async function openMap(): Promise<Mapped> {
  const opened = await openPage({ context: { viewport: VIEWPORT } });
  const selection = { size: { keyPoints: 4 }, kernel: { sigma: 0.5 }, relevance: { gate: null, weight: 0.5 } };
  const asked = { documents: DOCUMENTS, intent: 'What do trams cost the council?', selection };
  const digest = await told<Digest>(opened.post('/v1/digests', asked), 201);
  const map = await told<DigestMap>(opened.app.request(`/v1/digests/${digest.id}/map`));
  await opened.go(`#/digests/${digest.id}/map`);
  const plot = opened.page.getByRole('img', { name: /Map of/ });
  await opened.page.getByText('Similar key points are close together').waitFor();
  const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const places = placePoints(layOut(map.points.map(({ vector }) => vector)), SIZES.wide);
  const placeOf = new Map(map.points.map(({ id }, i) => [id, [places[2 * i], places[2 * i + 1]] as const]));
  return { ...opened, digest, placeOf, box };
}

/** The points of the rows that match. */
const rows = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((found) => found.map((each) => each.getAttribute('data-point')));
const picksOf = (page: Page) => rows(page, '.map-row:has(.map-row-selected)');
/** The points that are marked as added or removed. */
const signed = (page: Page, sign: '+ added' | '– removed') => rows(page, `.map-row:has-text("${sign}")`);
const ownPicks = ({ keyPoints }: Digest) =>
  keyPoints
    .filter(({ selected }) => selected)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ id }) => id);
const card = (page: Page) => page.getByRole('region', { name: 'Key point', exact: true });
const reselect = async ({ post, digest }: Mapped, changes: object): Promise<(string | null)[]> => {
  const selection = { ...selectionRequest(digest.selection), ...changes };
  const answer = await told<SelectionsAnswer>(post('/v1/selections', { digest: digest.id, selection }));
  return answer.selected.map(({ id }) => id);
};

inBrowser('the map', () => {
  test('shows the digest’s own selection where its points lie', async () => {
    const { page, digest, placeOf } = await openMap();
    const own = ownPicks(digest);
    expect(await picksOf(page)).toEqual(own);
    expect(own.length).toBeGreaterThan(2);
    const drawn = await page
      .locator('.map-plot .map-selected')
      .evaluateAll((found) => found.map((each) => [each.getAttribute('data-point'), each.getAttribute('d')]));
    const places = drawn.map(([id, d]) => [
      id,
      /^M([\d.]+) ([\d.]+)/
        .exec(d ?? '')
        ?.slice(1)
        .map((each) => Math.round(Number(each))),
    ]);
    expect(Object.fromEntries(places)).toEqual(
      Object.fromEntries(own.map((id) => [id, placeOf.get(id)?.map(Math.round)])),
    );
    expect(await page.locator('.map-label').allTextContents()).toEqual(own.map((_, place) => String(place + 1)));
    await page.getByText(`${own.length} selected, numbered in the order of selection`).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('tells of a point that is pointed at, and holds the one that is clicked', async () => {
    const { page, digest, placeOf, box } = await openMap();
    const [first, second] = ownPicks(digest);
    const go = async (id: string) => {
      const [x, y] = placeOf.get(id) ?? [0, 0];
      const scale = box.width / SIZES.wide.width;
      await page.mouse.move(box.x + scale * x, box.y + scale * y);
    };
    await go(first);
    await card(page).getByText('selected as no. 1.').waitFor();
    const point = digest.keyPoints.find(({ id }) => id === first);
    expect(await card(page).locator('blockquote').textContent()).toBe(point?.quote.text);
    const title = DOCUMENTS.find(({ id }) => id === point?.document)?.title ?? '';
    expect(await card(page).textContent()).toContain(title);
    expect(await card(page).getByRole('link', { name: 'Open the source' }).getAttribute('href')).toBe(
      `#/digests/${digest.id}?point=${first}`,
    );
    await page.mouse.down();
    await page.mouse.up();
    await card(page).getByRole('button', { name: 'Pinned' }).waitFor();
    await go(second);
    await card(page).getByText('selected as no. 2.').waitFor();
    await page.mouse.move(2, 2);
    await card(page).getByText('selected as no. 1.').waitFor();
  });

  test('lists its points in an order, finds words in them, and shows the one that is chosen by key', async () => {
    const { page, digest } = await openMap();
    const rows = page.locator('.map-list .map-row');
    expect(await rows.count()).toBe(digest.keyPoints.length);
    await page.getByLabel('Order').selectOption('by relevance');
    const relevanceOf = new Map(digest.keyPoints.map(({ id, relevance }) => [id, relevance ?? 0]));
    const ids = await rows.evaluateAll((found) => found.map((each) => each.getAttribute('data-point') ?? ''));
    const listed = ids.map((id) => relevanceOf.get(id) ?? 0);
    expect(listed).toEqual(listed.toSorted((a, b) => b - a));
    await page.getByLabel('Search').fill('no such words');
    await page.getByText('No key point contains these words.').waitFor();
    await page.getByLabel('Search').fill('mayor');
    await rows.first().press('Enter');
    expect(await card(page).locator('blockquote').textContent()).toContain('mayor');
    await expect.poll(() => page.locator('#told').textContent()).toContain('Pinned: ');
  });

  test('moves the selection with the settings, as the service selects, and goes back', async () => {
    const mapped = await openMap();
    const { page, digest } = mapped;
    const size = page.getByLabel('How many key points');
    await size.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const larger = await reselect(mapped, { size: { keyPoints: 6 } });
    await expect.poll(() => picksOf(page)).toEqual(larger);
    const added = larger.filter((id) => !ownPicks(digest).includes(id ?? ''));
    expect(added.length).toBeGreaterThan(0);
    expect(await signed(page, '+ added')).toEqual(added);
    const told = `Against the digest: ${added.length} added, `;
    expect(await page.locator('.map-all').textContent()).toContain(told);
    await expect.poll(() => page.locator('#told').textContent()).toContain(told);
    await page.getByLabel('Strategy').selectOption('relevance');
    const expected = await reselect(mapped, { size: { keyPoints: 6 }, strategy: 'relevance' });
    await expect.poll(() => picksOf(page)).toEqual(expected);
    const gone = ownPicks(digest).filter((id) => !expected.includes(id));
    expect(await signed(page, '– removed')).toEqual(expect.arrayContaining(gone));
    await page.getByRole('button', { name: 'Reset to the digest' }).click();
    expect(await picksOf(page)).toEqual(ownPicks(digest));
    await expect.poll(() => page.locator('#told').textContent()).toBe('The digest’s own selection.');

    await page.getByLabel('Relevance against variety').fill('0.9');
    const { relevance } = selectionRequest(digest.selection);
    const weighted = await reselect(mapped, { relevance: { ...relevance, weight: 0.9 } });
    await expect.poll(() => picksOf(page)).toEqual(weighted);
  });

  test('says what is wrong with a setting in its place, and tries again', async () => {
    const { page, digest, complaints } = await openMap();
    let refuses = true;
    await page.route('**/v1/selections', async (route) => {
      if (!refuses) return route.continue();
      const json = { type: 'about:blank', title: 'Unusable option', status: 422, detail: 'Too many key points.' };
      return route.fulfill({ status: 422, contentType: 'application/problem+json', json });
    });
    await page.getByLabel('How many key points').fill('9');
    await page.getByRole('alert').getByText('Too many key points.').waitFor();
    expect(await picksOf(page)).toEqual(ownPicks(digest));
    complaints.length = 0;
    refuses = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await picksOf(page)).length).toBe(9);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('shows the main directions until like lies with like, and where that fails', async () => {
    const { page, complaints } = await openMap();
    await page.route('**/assets/layout-thread-*', (route) => route.abort());
    await page.reload();
    await page.getByText('This map shows the two directions').waitFor();
    complaints.length = 0;
  });

  test('of few points there is one picture, on a small screen too', async () => {
    const { page, post, go } = await openPage({ context: { viewport: { width: 390, height: 844 }, hasTouch: true } });
    // A single one, which hardly helps to answer, is seen in the middle all the same.
    const asked = {
      documents: [{ id: 'one', text: CLAIMS[0] }],
      intent: 'Gluons?',
      selection: { relevance: { gate: 1 } },
    };
    const alone = await told<Digest>(post('/v1/digests', asked), 201);
    expect(alone.keyPoints.map(({ reason }) => reason)).toEqual(['level']);
    await go(`#/digests/${alone.id}/map`);
    await page.getByText('This map shows the two directions').waitFor();
    await page.locator('.map-plot').tap();
    await card(page).getByText('hardly helps to answer the question.').waitFor();
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
