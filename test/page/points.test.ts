import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
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

interface Opened extends OpenPage {
  readonly digest: Digest;
}

/** Makes a digest and opens the list of its key points. */
async function openPoints(): Promise<Opened> {
  const opened = await openPage();
  const selection = { size: { keyPoints: 4 }, kernel: { sigma: 0.5 }, relevance: { gate: null, weight: 0.5 } };
  const asked = { documents: DOCUMENTS, intent: 'What do trams cost the council?', selection };
  const digest = await told<Digest>(opened.post('/v1/digests?include=receipts', asked), 201);
  await opened.go(`#/digests/${digest.id}/points`);
  await opened.page.getByText('30 key points from 6 documents.').waitFor();
  return { ...opened, digest };
}

/** The points of the rows that match. */
const rows = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((found) => found.map((each) => each.getAttribute('data-point')));
const picksOf = (page: Page) => rows(page, '.points-row:has(.points-row-selected)');
const ownPicks = ({ keyPoints }: Digest) =>
  keyPoints
    .filter(({ selected }) => selected)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ id }) => id);
const card = (page: Page) => page.getByRole('region', { name: 'Key point', exact: true });

inBrowser('the key points of a digest', () => {
  test('are listed as selected, and the one that is chosen is told in full', async () => {
    const { page, digest } = await openPoints();
    const own = ownPicks(digest);
    expect(await picksOf(page)).toEqual(own);
    expect(own.length).toBeGreaterThan(2);
    await page.locator(`[data-point="${own[0]}"]`).click();
    await card(page).getByText('selected as no. 1.').waitFor();
    const point = digest.keyPoints.find(({ id }) => id === own[0]);
    expect(await card(page).locator('blockquote').textContent()).toBe(point?.quote.text);
    const title = DOCUMENTS.find(({ id }) => id === point?.document)?.title ?? '';
    expect(await card(page).textContent()).toContain(title);
    expect(await card(page).getByRole('link', { name: 'Open the source' }).getAttribute('href')).toBe(
      `#/digests/${digest.id}?point=${own[0]}`,
    );
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('are put in an order, found by words, and chosen by key', async () => {
    const { page, digest } = await openPoints();
    const rows = page.locator('.points-list .points-row');
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
  });

  test('fit a small screen', async () => {
    const { page, post, go } = await openPage({ context: { viewport: { width: 390, height: 844 }, hasTouch: true } });
    const asked = {
      documents: [{ id: 'one', text: CLAIMS[0] }],
      intent: 'Gluons?',
      selection: { relevance: { gate: 1 } },
    };
    const alone = await told<Digest>(post('/v1/digests', asked), 201);
    await go(`#/digests/${alone.id}/points`);
    await page.locator('.points-row').tap();
    await card(page).getByText('hardly helps to answer the question.').waitFor();
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
