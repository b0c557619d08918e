import { expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
import { createKey } from '../../src/store/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { inBrowser, openPage, seriousViolations } from './browser.ts';
import { answered } from './reading-page.ts';

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
    const menu = page.locator('.menu-panel');
    const use = async (given: string) => {
      await page.getByRole('button', { name: 'Menu' }).press('Enter');
      await menu.getByLabel('API key').fill(given);
      await menu.getByLabel('API key').press('Enter');
    };
    await go('#/digests');
    await page.getByText('This service needs an API key. Enter it here.').waitFor();
    await use('tsr_wrong');
    await page.getByText('The key was not accepted').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await use(key);
    await page.getByText('There are no digests yet').waitFor();
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    expect(await page.locator('main').getByLabel('API key').count()).toBe(0);
    await use(other.key);
    await page.getByText('This request needs a key with the scope "digests".').waitFor();
    // The browser tells of every answer that is no success.
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.splice(0).every((complaint) => /status of 40[13]/.test(complaint))).toBe(true);
  });

  test('opens the link of a digest for whoever has a key, once the key is given', async () => {
    const { page, go, parts, app, complaints } = await openPage({ service: { app: { allowsOpen: false } } });
    const keyOf = async (tenant: string) =>
      (await createKey(parts.database, { tenant, name: 'test', scopes: ['digests'] })).key;
    const [owner, stranger] = [await keyOf('a'), await keyOf('b')];
    const { id } = await answered<{ id: string }>(
      app.request('/v1/digests', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
        body: JSON.stringify({
          documents: [{ id: 'a', text: 'The tram cut noise.' }],
          intent: 'What did the tram cut?',
        }),
      }),
    );
    await go(`#/digests/${id}`);
    const field = page.locator('main').getByLabel('API key');
    await field.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await field.fill('tsr_wrong');
    await field.press('Enter');
    await page.getByText('The key was not accepted').waitFor();
    await field.fill(owner);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'What did the tram cut?' }).waitFor();
    expect(page.url()).toMatch(new RegExp(`#/digests/${id}$`));
    // Another tenant's key opens nothing.
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page
      .locator('.menu-panel')
      .getByLabel(/^API key/)
      .fill(stranger);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Not found').waitFor();
    expect(await page.getByText('What did the tram cut?').count()).toBe(0);
    complaints.length = 0; // the browser tells of each refusal
  });

  test('speaks plainly outside of what is marked for experts', async () => {
    const { page, post, go } = await openPage();
    const make = (body: object) =>
      answered<Digest>(post('/v1/digests', { documents: CITY, intent: CITY_INTENT, ...body }));
    const left = await make({ selection: { kernel: { sigma: 1 }, size: { keyPoints: 1 } } });
    const right = await make({ selection: { strategy: 'mmr', mmr: { lambda: 0.9 }, size: { keyPoints: 2 } } });
    const jargon =
      /\b(?:kernels?|sigma|gain|DPP|MAP|MMR|lambda|idf|gate|salience|embedd\w+|encod\w+|facets?|tokens?|corpus|cosine)\b|dpp-|bertscore/i;
    const views = ['#/', '#/digests', `#/digests/${left.id}`, `#/digests/${right.id}/points`, '#/compare'];
    for (const hash of [...views, `#/compare?left=${left.id}&right=${right.id}`, `#/compare?left=${left.id}`]) {
      await go(hash);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      for (const name of ['Options', 'Details']) {
        const summary = page.locator('summary', { hasText: new RegExp(`^${name}$`) });
        if ((await summary.count()) > 0) await summary.click();
      }
      // The lists of what can be chosen are part of the text.
      const texts = await page.locator('body').innerText();
      expect([hash, jargon.exec(texts)?.[0]]).toEqual([hash, undefined]);
      expect([
        hash,
        /(?<![\d.,])1 [a-z ]*(?:quotes|points|documents|words|citations|sentences)\b/.exec(texts)?.[0],
      ]).toEqual([hash, undefined]);
    }
  });
});
