import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage } from './browser.ts';

/** Where an operation stands, by its title. */
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 3 });

inBrowser('the API reference', () => {
  test.each([1280, 390])('finds an operation by a word, under its policy, %i pixels wide', async (width) => {
    const { page, origin } = await openPage({ context: { viewport: { width, height: 900 } } });
    const answer = await page.goto(`${origin}/docs`);
    expect(answer?.headers()['content-security-policy']).toMatch(/script-src 'self';.*connect-src 'self';/);
    await heading(page, 'Make a digest').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    if (width < 1000) await page.getByRole('button', { name: 'Open Menu' }).click();
    await page.locator('button:visible', { hasText: 'Open Search' }).click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('outcomes');
    await page.getByRole('option', { name: 'Record outcomes' }).first().click();
    await heading(page, 'Record outcomes').waitFor();
    expect(page.url()).toContain('/outcomes');
  });

  test('shows each call in curl, Python and the TypeScript client', async () => {
    const { page, origin } = await openPage();
    await page.goto(`${origin}/docs`);
    await heading(page, 'Make a digest').waitFor();
    const picker = page.getByRole('button', { name: 'Shell Curl' }).first();
    await picker.click();
    const offered = page.getByRole('listbox').getByRole('option');
    expect((await offered.allInnerTexts()).map((text) => text.trim())).toEqual([
      'TypeScript client',
      'Requests',
      'Curl',
    ]);
    await offered.first().click();
    await page.getByText('await client.digests.create({').first().waitFor();
  });

  test('sends a request to the service, and shows its answer', async () => {
    const { page, origin } = await openPage();
    await page.goto(`${origin}/docs#tag/service/GET/readyz`);
    await heading(page, 'Check readiness').waitFor();
    await page.getByRole('button', { name: /Test Request\s*\(get \/readyz\)/ }).click();
    const [answer] = await Promise.all([
      page.waitForResponse(`${origin}/readyz`),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(answer.status()).toBe(200);
    await page.getByText('200 OK').first().waitFor();
  });
});
