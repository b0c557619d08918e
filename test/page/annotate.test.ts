import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startAnnotating } from '../cli/benchmark/start-annotating.ts';
import { inBrowser, openAddress, seriousViolations } from './browser.ts';

const NARROW = { viewport: { width: 400, height: 800 }, colorScheme: 'dark' } as const;

inBrowser('the page for annotators', () => {
  test('three items by keyboard, one changed; reloading goes on; it keeps nobody out', async () => {
    const { url, out } = await startAnnotating({ annotator: 'Zoë' });
    const { page } = await openAddress(url);
    const saved = () =>
      readFileSync(out, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ annotator, field, value }) => `${annotator} ${field} ${value}`);
    const shown = (place: number) => page.getByText(`Item ${place} of 5`, { exact: true }).waitFor();

    await shown(1);
    const marked = () => page.locator('mark').allTextContents();
    await expect.poll(marked).toEqual(['It carries 9,000 people a day.']);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('y');
    await page.keyboard.press('a');
    await shown(2);
    await page.keyboard.press('n');
    await page.keyboard.press('3');
    await shown(3);
    // What a document holds is shown as it is, and is no markup.
    await expect.poll(marked).toEqual(['<b>Dogs</b> & cats']);
    await page.getByText('Pets <i>may</i> come.', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await shown(2);
    const pressed = page.getByRole('button', { pressed: true });
    expect(await pressed.allInnerTexts()).toEqual([expect.stringContaining('No'), expect.stringContaining('Disagree')]);
    await page.keyboard.press('u');
    await page.keyboard.press('j');
    await shown(3);
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'Neutral' }).click();
    await shown(4);
    await page.getByText('3 of 5 done').waitFor();
    expect(saved()).toEqual([
      ...['Zoë stated yes', 'Zoë helps agree', 'Zoë stated no', 'Zoë helps disagree'],
      ...['Zoë helps neutral', 'Zoë stated yes', 'Zoë helps neutral'],
    ]);
    await page.reload();
    await shown(4);
    await page.getByText('3 of 5 done').waitFor();
    await page.keyboard.press('ArrowLeft');
    await shown(3);
    expect(await pressed.allInnerTexts()).toEqual([expect.stringContaining('Yes'), expect.stringContaining('Neutral')]);
  });

  test('on a narrow screen in the dark; without keys; without the token the page says what to do', async () => {
    const { url, ended } = await startAnnotating();
    const { page } = await openAddress(url, NARROW);
    await page.locator('mark').first().waitFor();
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(400);
    expect(await seriousViolations(page)).toEqual([]);
    // Keys that are switched off do nothing.
    await page.getByLabel('Single keys answer and move').click();
    await page.keyboard.press('y');
    await page.keyboard.press('j');
    await page.getByText('Item 1 of 5', { exact: true }).waitFor();
    for (let item = 0; item < 5; item++) await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'This is the end; 5 items left without an answer.' }).waitFor();
    await page.getByRole('button', { name: 'Go to the first of them' }).click();
    await page.getByText('0 of 5 done').waitFor();
    const bare = await openAddress(url.replace(/#.*/, ''));
    await bare.page.getByText('Open the page by the whole address that was printed.').waitFor();
    expect(bare.complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await ended();
  });
});
