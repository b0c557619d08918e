import { expect, test } from 'vitest';
import { createKey } from '../../src/store/index.ts';
import { inBrowser, openPage, seriousViolations } from './browser.ts';

inBrowser('the page', () => {
  test('opens, and has nothing that keeps people out', async () => {
    const { page, go } = await openPage();
    await go('');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.title()).toBe('Ask – Tessera');
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('uses a key at once, says what is wrong with it, and loads what is shown again with another', async () => {
    const { page, go, parts, complaints } = await openPage({ service: { app: { allowsOpen: false } } });
    const { key } = await createKey(parts.database, { tenant: 'a', name: 'test', scopes: ['digests'] });
    const other = await createKey(parts.database, { tenant: 'a', name: 'other', scopes: ['experiments'] });
    const use = async (given: string) => {
      await page.getByRole('button', { name: 'Menu' }).press('Enter');
      await page.getByLabel('API key').fill(given);
      await page.getByLabel('API key').press('Enter');
    };
    await go('#/digests');
    await page.getByText('This service needs an API key. Enter it in the menu at the top right.').waitFor();
    await use('tsr_wrong');
    await page.getByText('The key was not accepted').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await use(key);
    await page.getByText('There are no digests yet').waitFor();
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    await use(other.key);
    await page.getByText('This request needs a key with the scope "digests".').waitFor();
    // The browser tells of every answer that is no success.
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.splice(0).every((complaint) => /status of 40[13]/.test(complaint))).toBe(true);
  });
});
