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

  test('tries a key before it is used, and loads what is shown again with it', async () => {
    const { page, go, parts, complaints } = await openPage({ service: { app: { allowsOpen: false } } });
    const { key } = await createKey(parts.database, { tenant: 'a', name: 'test', scopes: ['digests'] });
    await go('#/digests');
    await page.getByText('This service needs an API key. Enter it in the menu at the top right.').waitFor();
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.press('Enter');
    const field = page.getByLabel('API key');
    await field.fill('tsr_wrong');
    await field.press('Enter');
    await page.getByText('The key was not accepted').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await seriousViolations(page)).toEqual([]);
    await field.fill(key);
    await field.press('Enter');
    await page.getByText('There are no digests yet').waitFor();
    expect(await field.isVisible()).toBe(false);
    await expect.poll(() => page.locator('#told').innerText()).toBe('The key was accepted.');
    // A key that may do something else is a key.
    const other = await createKey(parts.database, { tenant: 'a', name: 'other', scopes: ['experiments'] });
    await menu.press('Enter');
    await page.getByText('one is in use').waitFor();
    await field.fill(other.key);
    await field.press('Enter');
    await page.getByText('This request needs a key with the scope "digests".').waitFor();
    // The browser tells of every answer that is no success.
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.splice(0).every((complaint) => /status of 40[13]/.test(complaint))).toBe(true);
  });
});
