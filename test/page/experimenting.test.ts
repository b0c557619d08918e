import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Assignment, Experiment, ExperimentResults } from '../../src/client/index.ts';
import { number, signed } from '../../src/page/parts/words.ts';
import { AT, put, results, running, SIZES, told } from '../server/experiments-support.ts';
import type { TestApp } from '../support/test-deps.ts';
import { confirming, inBrowser, openPage, seriousViolations } from './browser.ts';

const EVIL = '<img src=x onerror="document.title=`broken`"><script>document.title=`broken`</script>';
const PHONE = { viewport: { width: 390, height: 844 } };

/** Readers who see their variant, and what a share of each variant does. */
async function seed(
  { post }: TestApp,
  count: number,
  shares: Readonly<Record<string, Readonly<Record<string, number>>>>,
) {
  const counts: Record<string, number> = {};
  const outcomes: object[] = [];
  for (let i = 0; i < count; i++) {
    const { variant } = await told<Assignment>(post(`${AT}/exposures`, { subject: `s${i}` }));
    const nth = counts[String(variant)] ?? 0;
    counts[String(variant)] = nth + 1;
    for (const [metric, byVariant] of Object.entries(shares)) {
      const share = byVariant[String(variant)] ?? 0;
      // Evenly spread: as many of the first n as the share says.
      if (Math.floor((nth + 1) * share) > Math.floor(nth * share)) {
        outcomes.push({ eventId: `${metric}${i}`, subject: `s${i}`, metric });
      }
    }
  }
  await told(post(`${AT}/outcomes`, { outcomes }));
}

const noScroll = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

inBrowser('experiments', () => {
  test('are listed with what they try, 30 at a time; where there are none it says how to begin', async () => {
    const service = await openPage({ context: PHONE });
    const { page, go, post } = service;
    await go('#/experiments');
    await page.getByText('There are no experiments yet').waitFor();
    expect(await page.locator('.empty a').getAttribute('href')).toBe('/docs');
    for (let i = 0; i < 31; i++) {
      await told(post('/v1/experiments', { ...SIZES, key: `draft-${i}`, hypothesis: `${EVIL} ${i}` }), 201);
    }
    await running(service);
    await page.reload();
    const entries = page.locator('.exp-entry');
    await entries.first().waitFor();
    expect(await entries.count()).toBe(30);
    const first = await entries.first().innerText();
    for (const words of ['sizes', 'Running', SIZES.hypothesis, 'small 50%, large 50%', 'Started']) {
      expect(first).toContain(words);
    }
    expect(await entries.nth(1).innerText()).toContain(EVIL);
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => entries.count()).toBe(32);
    await noScroll(page);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('from a draft to the end: asked before, by keyboard', async () => {
    const service = await openPage();
    const { page, go, post, app } = service;
    await told(post('/v1/experiments', SIZES), 201);
    await go('#/experiments/sizes');
    await page.getByRole('heading', { name: 'Not started' }).waitFor();
    const planned = await page.locator('main').innerText();
    for (const words of ['The experiment has not started.', 'read', 'Goal', 'complaint', '10% worse']) {
      expect(planned).toContain(words);
    }
    expect(await seriousViolations(page)).toEqual([]);

    const asked = confirming(page, false, true, true);
    const state = async () => (await told<Experiment>(app.request(AT))).status;
    const start = page.getByRole('button', { name: 'Start…' });
    await start.press('Enter');
    await expect.poll(() => asked.length).toBe(1);
    expect(await state()).toBe('draft');
    await start.press('Enter');
    await page.locator('.exp-state', { hasText: 'Running' }).waitFor();
    expect(await state()).toBe('running');
    await page.getByRole('button', { name: 'Stop…' }).click();
    await page.locator('.exp-state', { hasText: 'Stopped' }).waitFor();
    expect(await state()).toBe('stopped');
    expect(asked.map((text) => text.split('?')[0])).toEqual([
      ...['Start the experiment', 'Start the experiment', 'Stop the experiment'],
    ]);
  });

  test('with a winner that breaches nothing yet: the conclusion first, intervals where the numbers say', async () => {
    const service = await openPage();
    const { page, go, post } = service;
    await running(service);
    await seed(service, 260, { read: { small: 0.3, large: 0.75 } });
    const shown = await results(service);
    expect(shown.verdict).toBe('winner');
    await go('#/experiments/sizes');
    await page.getByRole('heading', { name: 'There is a winner' }).waitFor();
    expect(await page.locator('.exp-verdict').innerText()).toContain(shown.conclusion);
    await page.getByText('the wide intervals hold at every look').waitFor();
    await expectIntervals(page, shown, 'read');

    const panel = page.locator('[data-metric="read"]');
    expect(await panel.innerText()).toMatch(/large: better \(so far \+\d/);
    const { arms } = shown.metrics[0];
    for (const [place, { n, conversions }] of arms.entries()) {
      const cells = await panel.locator('tbody tr').nth(place).locator('td').allInnerTexts();
      expect(cells.slice(0, 2)).toEqual([String(n), String(conversions)]);
    }
    const { subjects } = shown.sampleRatio.observed[1];
    const variant = page.getByRole('region', { name: 'Variants' }).getByRole('row').nth(2);
    expect((await variant.getByRole('cell').allInnerTexts()).slice(0, 2)).toEqual(['50%', String(subjects)]);
    expect(await seriousViolations(page)).toEqual([]);

    // What comes in meanwhile is there when it is asked for again, and the keyboard stays.
    await told(post(`${AT}/exposures`, { subject: 'late' }));
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.press('Enter');
    await page.getByText('261 readers').first().waitFor();
    expect((await page.locator(':focus').innerText()) === 'Refresh').toBe(true);
  });

  test('with a breached guardrail, in the dark and on a phone; an earlier version can be read', async () => {
    const service = await openPage({ context: { ...PHONE, colorScheme: 'dark' } });
    const { page, go } = service;
    await running(service);
    await seed(service, 260, { read: { small: 0.3, large: 0.75 }, complaint: { small: 0.3, large: 0.75 } });
    const shown = await results(service);
    expect(shown.verdict).toBe('guardrail');
    await told(put(service, { traffic: 0.5, newVersion: true }));
    await go('#/experiments/sizes');
    await page.getByLabel('Version').selectOption('1');
    await page.getByRole('heading', { name: 'A guardrail is breached' }).waitFor();
    await page.getByText('“large” makes “complaint” worse by more than the 10% that is allowed.').waitFor();
    const ended = await results(service, '?version=1');
    await expectIntervals(page, ended, 'complaint');
    expect(await page.getByRole('button', { name: 'Stop…' }).count()).toBe(0);
    await noScroll(page);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('with a split that is wrong: why, and nothing is judged', async () => {
    const service = await openPage();
    const { page, go, post, app } = service;
    await running(service);
    for (let i = 0, exposed = 0; exposed < 40; i++) {
      const { variant } = await told<Assignment>(app.request(`${AT}/assignment?subject=s${i}`));
      if (variant !== 'large') continue;
      await told(post(`${AT}/exposures`, { subject: `s${i}` }));
      exposed += 1;
    }
    expect(await results(service)).toMatchObject({ verdict: 'mismatch' });
    await go('#/experiments/sizes');
    await page.getByRole('heading', { name: 'The split is wrong' }).waitFor();
    await page.getByText('the subjects are not split as the weights say').waitFor();
    const numbers = page.getByText(/^Goals .*not reliable$/);
    expect(await page.locator('[data-metric="read"]').isVisible()).toBe(false);
    await numbers.click();
    await page.locator('[data-metric="read"]').waitFor();
    await page.locator('[data-metric="read"]').getByText('not judged, because the split is wrong').waitFor();
    await go('#/experiments/nowhere');
    await page.getByRole('alert').waitFor();
    service.complaints.length = 0; // the browser tells of the 404
  });
});

/** Holds the intervals that the page shows of a share to those of the results. */
async function expectIntervals(page: Page, { metrics }: ExperimentResults, key: string): Promise<void> {
  const [comparison] = metrics.find((each) => each.key === key)?.comparisons ?? [];
  const cells = page.locator(`[data-metric="${key}"] tbody tr`).nth(1).locator('td');
  const intervals = [comparison.sequential?.interval, comparison.interval].map((each) => {
    const [low, high] = [each?.low ?? 0, each?.high ?? 0].map((end) =>
      signed(end, (value) => `${number(100 * value)} pp`),
    );
    return `${low} to ${high}`;
  });
  expect((await cells.allInnerTexts()).slice(4, 6)).toEqual(intervals);
}
