import { expect, test } from 'vitest';
import { confirming, inBrowser, openPage, seriousViolations } from './browser.ts';

inBrowser('the list of digests', () => {
  test('says what was asked and when, page by page, is searched, and loses what is deleted', async () => {
    const { page, post, go } = await openPage();
    const make = (intent: string) =>
      post('/v1/digests', { documents: [{ id: 'a', text: 'The tram cut noise.' }], intent });
    await Promise.all(Array.from({ length: 31 }, (_, index) => make(`tram ${index}`)));
    await make('<img src=x onerror=hacked()> tram');
    await go('#/digests');
    const rows = page.locator('.digests-row');
    await page.getByRole('link', { name: '<img src=x onerror=hacked()> tram' }).waitFor();
    expect(await rows.count()).toBe(30);
    expect(await rows.first().innerText()).toMatch(/1 document: a\n+.+\nDelete$/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(32);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);

    // Further pages are looked through for what is sought.
    await page.getByLabel('Search').fill('IMG tram');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Search').fill('tram of nowhere');
    await page.getByText('No digest matches.').waitFor();
    await page.getByLabel('Search').fill('');
    confirming(page, true);
    await page.getByRole('button', { name: 'Delete: <img' }).click();
    await expect.poll(() => rows.count()).toBe(31);

    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No digest matches.').waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    const name = await page
      .getByRole('link', { name: /^tram \d+$/ })
      .first()
      .innerText();
    await page.getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, exact: true }).waitFor();
  });

  test('says where digests are made while there is none, and what is wrong where it cannot be had', async () => {
    const { page, go, origin, complaints } = await openPage();
    await go('#/digests');
    await page.getByText('There are no digests yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Ask a question' }).getAttribute('href')).toBe('#/');
    const problem = { type: 'about:blank', title: 'No such thing', status: 404, detail: 'It is gone.' };
    const at = `${origin}/v1/digests?*`;
    await page.route(at, (route) => route.fulfill({ status: 404, json: problem }));
    await page.reload();
    await page.getByRole('alert').getByText('No such thing. It is gone.').waitFor();
    await page.unroute(at);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There are no digests yet.').waitFor();
    // The browser tells of every answer of this kind.
    complaints.length = 0;
  });
});
