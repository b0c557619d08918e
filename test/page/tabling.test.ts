import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { csvLines } from '../../src/lab/index.ts';
import { inBrowser, openPage, seriousViolations } from './browser.ts';

const QUESTIONS = ['What did the council approve about the congestion charge?', 'What do penguins eat?'];
const TEXTS = [
  'Council\n\nThe council did approve the congestion charge of 4 euros.',
  'Gazette\n\nThe council did approve the congestion charge of 4 euros.',
  'Garden\n\nTomatoes need warm soil.',
];

async function filled(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Table' }).click();
  for (const text of TEXTS) {
    await page.getByRole('textbox', { name: 'Documents' }).fill(text);
    await page.getByRole('button', { name: 'Add another document' }).click();
  }
  await page.getByRole('textbox', { name: 'Question 1' }).fill(QUESTIONS[0]);
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByRole('textbox', { name: 'Question 2' }).fill(QUESTIONS[1]);
  await page.getByRole('button', { name: 'Fill table' }).click();
  await page.getByText('0 of 3 mention it').waitFor();
}

const heads = (page: Page) => page.locator('tbody th').allTextContents();

inBrowser('the table', () => {
  test('is reached from the questions, fills, filters, sorts, and opens a source at its quote', async () => {
    const { page, go } = await openPage();
    await go('');
    await filled(page);
    expect(await page.getByText('1 other says the same').count()).toBe(2);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wide.png`, fullPage: true });
    expect(await seriousViolations(page)).toEqual([]);

    const mentions = page.getByRole('button', { name: '2 of 3 mention it' });
    await mentions.press('Enter');
    expect(await heads(page)).toEqual(['Council', 'Gazette']);
    await mentions.press('Enter');
    await page.getByRole('button', { name: 'not said' }).first().click();
    expect(await heads(page)).toEqual(['Garden']);
    await page.getByRole('button', { name: 'not said' }).first().click();
    await page.getByLabel('Filter').fill('gaz');
    expect(await heads(page)).toEqual(['Gazette']);
    await page.getByLabel('Filter').fill('');
    const sort = page.getByRole('button', { name: /^Document/ });
    await sort.click();
    await sort.click();
    expect(await heads(page)).toEqual(['Gazette', 'Garden', 'Council']);
    expect(await page.getByRole('columnheader', { name: /^Document/ }).getAttribute('aria-sort')).toBe('descending');

    await page.locator('tbody button').first().click();
    const dialog = page.getByRole('dialog', { name: 'Source: Gazette' });
    expect(await dialog.locator('mark').textContent()).toBe(
      'The council did approve the congestion charge of 4 euros.',
    );
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('asks only what is new, keeps its columns, and removes one', async () => {
    const { page, go } = await openPage();
    await go('');
    await filled(page);
    await page.getByRole('link', { name: 'Digests' }).click();
    await page.goBack();
    await page.getByText('2 of 3 mention it').waitFor();
    await page.getByRole('textbox', { name: 'Question 2' }).fill('What do tomatoes need?');
    const request = page.waitForRequest((each) => each.url().endsWith('/v1/tables'));
    await page.getByRole('button', { name: 'Fill table' }).click();
    expect((await request).postDataJSON().questions).toEqual(['What do tomatoes need?']);
    await page.getByRole('button', { name: 'What do tomatoes need?' }).waitFor();
    await page.getByRole('button', { name: 'Remove question 1' }).click();
    expect(await page.getByText(QUESTIONS[0]).count()).toBe(0);
  });

  test('is downloaded as CSV and as Excel', async () => {
    const { page, go } = await openPage();
    await go('');
    await filled(page);
    for (const [name, file] of [
      ['CSV', 'table.csv'],
      ['Excel', 'table.xlsx'],
    ]) {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      const made = await download;
      expect(made.suggestedFilename()).toBe(file);
      const bytes = readFileSync(await made.path());
      if (name === 'CSV')
        expect(csvLines(bytes.toString()).map(([first]) => first)).toEqual([
          'Document',
          'Council',
          'Gazette',
          'Garden',
        ]);
      else expect(bytes.subarray(0, 2).toString()).toBe('PK');
    }
  });

  test('fits a telephone, in the dark', async () => {
    const { page, go } = await openPage({ context: { viewport: { width: 390, height: 800 }, colorScheme: 'dark' } });
    await go('');
    await filled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await seriousViolations(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/narrow.png`, fullPage: true });
  });
});
