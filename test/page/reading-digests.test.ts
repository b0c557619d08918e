import { expect, test } from 'vitest';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { inBrowser, type OpenPage, openPage, seriousViolations } from './browser.ts';

const DOCUMENTS = [
  { id: 'a', title: 'First of two', text: 'The tram cut noise in the old town.' },
  { id: 'b', title: 'Second of two', text: 'The harbour got a new tram.' },
];

/** An engine that extracts nothing of the second document until it is let. */
class HeldEngine extends InProcessEngine {
  letGo = () => {};
  private readonly held = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });

  override async extract(text: string) {
    if (text === DOCUMENTS[1]?.text) await this.held;
    return super.extract(text);
  }
}

/** Opens a digest that is under way, and stays so until the engine is let go. */
async function openUnderWay(): Promise<OpenPage & { readonly id: string; readonly engine: HeldEngine }> {
  const engine = new HeldEngine();
  const open = await openPage({ service: { engine } });
  const order = { documents: DOCUMENTS, intent: 'tram' };
  const { id } = (await (await open.post('/v1/digests', order, { prefer: 'respond-async' })).json()) as { id: string };
  await open.go(`#/digests/${id}`);
  await open.page.getByRole('list', { name: 'Stages' }).waitFor();
  return { ...open, id, engine };
}

inBrowser('a digest that is under way', () => {
  test('shows its stages, and is read as soon as it is there', async () => {
    const { page, engine } = await openUnderWay();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('tram');
    await page.locator('[aria-current="step"]').getByText('1 of 2').waitFor();
    expect(await page.locator('[aria-current="step"]').innerText()).toContain('First of two');
    expect(await seriousViolations(page)).toEqual([]);
    engine.letGo();
    await page.locator('.read-citation').first().waitFor();
    await expect.poll(() => page.locator('#told').innerText()).toBe('The digest is ready.');
  });

  test('is cancelled, and says so to those who come by its link', async () => {
    const { page, engine, app, id } = await openUnderWay();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This digest was cancelled').waitFor();
    engine.letGo();
    expect(await (await app.request(`/v1/digests/${id}`)).json()).toMatchObject({ status: 'cancelled' });
  });
});

inBrowser('the list of digests', () => {
  test('says what was asked and when, page by page, is searched, and loses what is deleted', async () => {
    const { page, post, go } = await openPage();
    const make = (intent: string) =>
      post('/v1/digests', { documents: [{ id: 'a', text: 'The tram cut noise.' }], intent });
    await Promise.all(Array.from({ length: 31 }, (_, index) => make(`tram ${index}`)));
    await make('<img src=x onerror=hacked()> tram');
    await go('#/digests');
    const rows = page.locator('.digests-row');
    await page.getByRole('link', { name: '<img src=x onerror=hacked()> tram' }).waitFor();
    expect(await rows.count()).toBe(30);
    expect(await rows.first().innerText()).toMatch(/1 document: a\n+.+\nDelete$/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(32);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);

    // Further pages are looked through for what is sought.
    await page.getByLabel('Search').fill('IMG tram');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Search').fill('tram of nowhere');
    await page.getByText('No digest matches.').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByRole('button', { name: 'Delete: <img' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rows.count()).toBe(31);

    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No digest matches.').waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    const name = await page
      .getByRole('link', { name: /^tram \d+$/ })
      .first()
      .innerText();
    await page.getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, exact: true }).waitFor();
  });

  test('says where digests are made while there is none, and what is wrong where it cannot be had', async () => {
    const { page, go, origin, complaints } = await openPage();
    await go('#/digests');
    await page.getByText('There are no digests yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Ask a question' }).getAttribute('href')).toBe('#/');
    const problem = { type: 'about:blank', title: 'No such thing', status: 404, detail: 'It is gone.' };
    const at = `${origin}/v1/digests?*`;
    await page.route(at, (route) => route.fulfill({ status: 404, json: problem }));
    await page.reload();
    await page.getByRole('alert').getByText('No such thing. It is gone.').waitFor();
    await page.unroute(at);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There are no digests yet.').waitFor();
    // The browser tells of every answer of this kind.
    complaints.length = 0;
  });
});
