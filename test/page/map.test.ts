import { expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
import { selectionRequest } from '../../src/page/map/reselection.ts';
import { told } from '../server/experiments-support.ts';
import { inBrowser, seriousViolations } from './browser.ts';
import {
  CLAIMS,
  card,
  colourAt,
  DOCUMENTS,
  openMap,
  ownPicks,
  picksOf,
  pointsOf,
  reselect,
  signed,
} from './open-map.ts';

inBrowser('the map', () => {
  test('shows the digest’s own selection: blue where selected, grey where not, and highlights a document', async () => {
    const mapped = await openMap();
    const { page, digest, placeOf } = mapped;
    expect(await picksOf(page)).toEqual(ownPicks(digest));
    expect(ownPicks(digest).length).toBeGreaterThan(2);
    const first = placeOf.get(ownPicks(digest)[0]) ?? [0, 0];
    await expect.poll(async () => (await colourAt(page, first)).strength).toBeGreaterThan(0);
    const selected = await colourAt(page, first);
    expect(selected.blue).toBeGreaterThan(selected.red);
    const far = ([x, y]: readonly [number, number], least: number, except: string) =>
      [...placeOf].every(([id, [a, b]]) => id === except || Math.hypot(a - x, b - y) > least);
    const other = digest.keyPoints.find(
      ({ id, selected: isSelected, reason }) =>
        !isSelected && reason !== 'gate' && far(placeOf.get(id) ?? [0, 0], 12, id),
    );
    const unselected = await colourAt(page, placeOf.get(other?.id ?? '') ?? [0, 0]);
    // Grey: red is for errors.
    expect(Math.abs(unselected.red - unselected.blue)).toBeLessThan(40);
    expect(await page.getByText(`${ownPicks(digest).length} selected key points`).count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);

    const document = page.getByLabel('Highlight a document');
    expect(await document.locator('option').allTextContents()).toContain(`${DOCUMENTS[1].title} (5)`);
    const outside = digest.keyPoints.find(
      ({ id, document: of, selected: isPick }) => isPick && of !== 'd1' && far(placeOf.get(id) ?? [0, 0], 12, id),
    );
    const place = placeOf.get(outside?.id ?? '') ?? [0, 0];
    await expect.poll(async () => (await colourAt(page, place)).strength).toBeGreaterThan(100);
    await document.selectOption({ index: 2 });
    await expect.poll(async () => (await colourAt(page, place)).strength).toBeLessThan(100);
  });

  test('tells of a point that is pointed at, and holds the one that is clicked', async () => {
    const { page, digest, placeOf, box } = await openMap();
    const [first, second] = ownPicks(digest);
    const go = async (id: string) => {
      const [x, y] = placeOf.get(id) ?? [0, 0];
      await page.mouse.move(box.x + x, box.y + y);
    };
    await go(first);
    await card(page).getByText('Selected as no. 1.').waitFor();
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
    await card(page).getByText('Selected as no. 2.').waitFor();
    await page.mouse.move(2, 2);
    await card(page).getByText('Selected as no. 1.').waitFor();
  });

  test('is gone through by keys, and says where one is', async () => {
    const { page, digest } = await openMap();
    const plot = page.getByRole('application');
    const told = page.locator('#told');
    await page.getByLabel('Highlight a document').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => told.textContent()).toContain('Selected as no. 1.');
    await page.keyboard.press('End');
    await expect.poll(() => told.textContent()).toContain(`Selected as no. ${ownPicks(digest).length}.`);
    const texts = new Set<string | null>();
    for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      await page.keyboard.press(key);
      texts.add(await card(page).locator('blockquote').textContent());
    }
    expect(texts.size).toBeGreaterThan(2);
    await page.keyboard.press('Enter');
    await card(page).getByRole('button', { name: 'Pinned' }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('heading', { name: 'Key points in the marked region' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'All key points' }).waitFor();
    expect(await plot.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('lists exactly the points of a region that is marked', async () => {
    const { page, digest, placeOf, box } = await openMap();
    const region = { left: 20, top: 40, right: Math.round(box.width * 0.55), bottom: Math.round(box.height * 0.6) };
    await page.mouse.move(box.x + region.left, box.y + region.top);
    await page.mouse.down();
    await page.mouse.move(box.x + region.right, box.y + region.bottom, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('heading', { name: 'Key points in the marked region' }).waitFor();
    const inside = [...placeOf]
      .filter(([, [x, y]]) => x >= region.left && x <= region.right && y >= region.top && y <= region.bottom)
      .map(([id]) => id);
    expect(inside.length).toBeGreaterThan(1);
    expect(inside.length).toBeLessThan(digest.keyPoints.length);
    await expect.poll(async () => (await pointsOf(page, '.map-list')).sort()).toEqual(inside.sort());
    await page.getByLabel('Order').selectOption('by relevance');
    const relevanceOf = new Map(digest.keyPoints.map(({ id, relevance }) => [id, relevance ?? 0]));
    const listed = (await pointsOf(page, '.map-list')).map((id) => relevanceOf.get(id ?? '') ?? 0);
    expect(listed).toEqual(listed.toSorted((a, b) => b - a));
    await page.getByRole('button', { name: 'Clear the region' }).click();
    await page.getByRole('heading', { name: 'All key points' }).waitFor();
    await page.getByLabel('Search').fill('no such words');
    await page.getByText('No key point contains these words.').waitFor();
    await page.getByLabel('Search').fill('mayor');
    await page.locator('.map-list .map-row').first().click();
    expect(await card(page).locator('blockquote').textContent()).toContain('mayor');
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
    await page.getByText(/Selected in \d+ ms/).waitFor();
    await page.getByLabel('Strategy').selectOption('relevance');
    const expected = await reselect(mapped, { size: { keyPoints: 6 }, strategy: 'relevance' });
    await expect.poll(() => picksOf(page)).toEqual(expected);
    const gone = ownPicks(digest).filter((id) => !expected.includes(id));
    expect(await signed(page, '– removed')).toEqual(expect.arrayContaining(gone));
    await page.getByRole('button', { name: 'Reset to the digest' }).click();
    expect(await picksOf(page)).toEqual(ownPicks(digest));
    await expect.poll(() => page.locator('#told').textContent()).toBe('The digest’s own selection.');

    const weight = page.getByLabel('Relevance against variety');
    const { relevance } = selectionRequest(digest.selection);
    await weight.fill('0.9');
    await expect
      .poll(() => picksOf(page))
      .toEqual(await reselect(mapped, { relevance: { ...relevance, weight: 0.9 } }));
    await weight.fill('0.5');
    await page.locator('.map-all').getByText('The same key points as in the digest.').waitFor();
    // The larger weight may pick the same points in another order.
    await expect.poll(() => picksOf(page)).toEqual(ownPicks(digest));
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
    await page.getByText(/Selected in \d+ ms/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('lays like to like while it can be used, at once for who wants no motion, and does without where that fails', async () => {
    const { page, complaints } = await openMap({ isStill: false });
    await page.getByLabel('Groups (t-SNE)').check();
    await page.getByText('Similar key points are close together (t-SNE)').waitFor();
    const layout = '**/assets/layout-thread-*';
    let letGo = (): void => {};
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route(layout, async (route) => {
      await held;
      await route.continue();
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.getByText('The map changes once, when that is done.').waitFor();
    letGo();
    await page.getByText('Similar key points are close together (t-SNE)').waitFor();
    await page.unroute(layout);

    await page.route(layout, (route) => route.abort());
    await page.reload();
    await page.getByText('Grouping failed in this browser. This map shows').waitFor();
    complaints.length = 0;
  });

  test('of few points there is one picture, on a small screen too', async () => {
    const opened = await openMap({
      documents: [{ id: 'only', title: '', text: `${CLAIMS[0]} ${CLAIMS[1]}` }],
      open: { context: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    });
    const { page, digest, placeOf } = opened;
    await page.getByText('With fewer than 4 key points there are no groups to find.').waitFor();
    expect(await page.getByLabel('Groups (t-SNE)').isDisabled()).toBe(true);
    const plot = page.getByRole('application');
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0 };
    const [x, y] = placeOf.get(ownPicks(digest)[0]) ?? [0, 0];
    await page.touchscreen.tap(box.x + x, box.y + y);
    await card(page).getByRole('button', { name: 'Pinned' }).waitFor();
    await page.getByRole('button', { name: 'Select a region' }).click();
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390);

    // A single one, which hardly helps to answer, is seen in the middle all the same.
    const { post, go } = opened;
    const asked = {
      documents: [{ id: 'one', text: CLAIMS[0] }],
      intent: 'Gluons?',
      selection: { relevance: { gate: 1 } },
    };
    const alone = await told<Digest>(post('/v1/digests', asked), 201);
    expect(alone.keyPoints.map(({ reason }) => reason)).toEqual(['level']);
    await go(`#/digests/${alone.id}/map`);
    await page.getByText('There is only one key point, in the middle').waitFor();
    await plot.scrollIntoViewIfNeeded();
    const { width, height } = (await plot.boundingBox()) ?? { width: 0, height: 0 };
    await plot.click({ position: { x: width / 2, y: height / 2 } });
    await card(page).getByText('Not selected: it hardly helps to answer the question.').waitFor();
  });
});
