import { expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { inBrowser, openPage, seriousViolations } from './browser.ts';
import { answered } from './reading-page.ts';

/** Controls in sight that are less than 44 px wide or high; a checkbox or a file is chosen by its label. */
const SMALL = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip'))
  .map((each) => (each.matches('[type=checkbox], [type=radio], [type=file]') ? each.closest('label') : each))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.9 || height < 43.9)
  .map(([html, { width, height }]) => html + ' ' + width + ' x ' + height)`;
const COUNT = `document.querySelectorAll('a[href], button, input, select, textarea, summary').length`;

inBrowser('where fingers point', () => {
  test('every control is at least 44 px wide and high, and no view is wider than the screen', async () => {
    const { page, post, go } = await openPage({
      context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const make = (body: object) => answered<Digest>(post('/v1/digests', { documents: CITY, ...body }));
    const long = { intent: CITY_INTENT, selection: { size: { keyPoints: 8 } } };
    const [one, other] = [await make(long), await make({ ...long, summary: { format: 'bullets' } })];
    const check = async () => {
      expect(await page.evaluate<number>(COUNT)).toBeGreaterThan(6);
      expect(await page.evaluate<string[]>(SMALL)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    };
    await go('#/');
    await page.getByRole('button', { name: 'Try an example' }).tap();
    await page.getByText('Options', { exact: true }).tap();
    await page.getByText('Expert:').tap();
    await page.getByLabel('Strategy').selectOption('k-dpp');
    await check();
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .tap();
    await page.getByRole('dialog').waitFor();
    await check();
    await go(`#/digests/${one.id}?thread=${other.id}.${one.id}`);
    await page.getByRole('navigation', { name: 'Earlier in this thread' }).getByRole('link').waitFor();
    await page.getByText('Details', { exact: true }).tap();
    await page.getByText('Engine', { exact: true }).tap();
    await check();
    for (const menu of ['Export', 'More', '☰']) {
      await page.getByText(menu, { exact: true }).tap();
      await check();
      await page.keyboard.press('Escape');
    }
    await page.locator('.read-citation').first().tap();
    await page.locator('mark[aria-current]').waitFor();
    await check();
    for (const hash of ['#/digests', `#/digests/${one.id}/points`, `#/compare?left=${one.id}&right=${other.id}`]) {
      await go(hash);
      await page.locator('main li, main ol').first().waitFor();
      await check();
    }
    await go(`#/compare?left=${one.id}`);
    await page.getByRole('button', { name: 'Make it' }).waitFor();
    await check();
    expect(await seriousViolations(page)).toEqual([]);
  });
});
