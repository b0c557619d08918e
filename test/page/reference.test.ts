import { expect, test } from 'vitest';
import { inBrowser, openPage } from './browser.ts';

inBrowser('the API reference', () => {
  test.each([1280, 390])('shows each call, under its policy, %i pixels wide', async (width) => {
    const { page, origin } = await openPage({ context: { viewport: { width, height: 900 } } });
    const answer = await page.goto(`${origin}/docs`);
    const policy = answer?.headers()['content-security-policy'];
    for (const rule of ["script-src 'self';", "connect-src 'self';"]) expect(policy).toContain(rule);
    await page.getByText('Make a digest').click();
    await page.getByText('Idempotency-Key').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.getByPlaceholder('Filter by tag').fill('Experiments');
    await page.getByText('Record outcomes').waitFor();
    await page.getByText('Make a digest', { exact: true }).waitFor({ state: 'detached' });
  });

  test('sends a request to the service, and shows its answer', async () => {
    const { page, origin } = await openPage();
    await page.goto(`${origin}/docs`);
    await page.getByText('Check readiness').click();
    const [answer] = await Promise.all([
      page.waitForResponse(`${origin}/readyz`),
      page.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect(answer.status()).toBe(200);
    await page.getByText('curl -X').first().waitFor();
  });
});
