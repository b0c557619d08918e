import { expect, test } from 'vitest';
import { inBrowser, openPage, seriousViolations } from './browser.ts';

inBrowser('the page', () => {
  test('opens, and has nothing that keeps people out', async () => {
    const { page, go } = await openPage();
    await go('');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.title()).toBe('New digest – Tessera');
    expect(await seriousViolations(page)).toEqual([]);
  });
});
