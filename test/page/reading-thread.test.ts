import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import type { Digest, KeptRequest } from '../../src/client/index.ts';
import { pageFiles } from '../../src/server/runtime/node/serve.node.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { memoryDatabase, type TestApp, testApp } from '../support/test-deps.ts';
import { inBrowser, openAddress, openPage, seriousViolations } from './browser.ts';
import { OPPOSED_DOCUMENTS } from './reading-documents.ts';
import { answered, read } from './reading-page.ts';

const EVIL = '<img src=x onerror=hacked()> tram?';

/** An engine that reads nothing until it is let go. */
class StuckEngine extends InProcessEngine {
  letGo = (): void => {};
  readonly #isFree = new Promise<void>((resolve) => {
    this.letGo = resolve;
  });
  override async extract(text: string) {
    await this.#isFree;
    return super.extract(text);
  }
}

/** Serves on a port, the same one again after `end`. */
async function serve({ app }: TestApp, port = 0) {
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  onTestFinished(end);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service has no port');
  return { port: address.port, end };
}

inBrowser('a digest and those before it', () => {
  test('are a thread of questions, each a link with its answer, which a reload and a deleted one leave whole', async () => {
    const open = await openPage();
    const { page, app } = open;
    const first = await read(open, { documents: OPPOSED_DOCUMENTS, intent: EVIL });
    const ask = async (question: string) => {
      await page.getByPlaceholder('Your next question').fill(question);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: question, level: 1 }).waitFor();
      await page.locator('.read-summary').waitFor();
    };
    await ask('What does the library do?');
    await ask('Which towns are named?');
    await page.reload();
    const earlier = page.getByRole('navigation', { name: 'Earlier in this thread' });
    await earlier.getByRole('listitem').nth(1).waitFor();
    expect(await earlier.getByRole('link').allTextContents()).toEqual([EVIL, 'What does the library do?']);
    const [{ text }] = first.summary.sentences;
    expect(await earlier.getByRole('listitem').first().innerText()).toContain(text);
    expect(await seriousViolations(page)).toEqual([]);

    await earlier.getByRole('link', { name: 'What does the library do?' }).click();
    await page.getByRole('heading', { name: 'What does the library do?', level: 1 }).waitFor();
    await expect.poll(() => earlier.getByRole('link').allTextContents()).toEqual([EVIL]);
    const later = page.getByRole('navigation', { name: 'Later in this thread' });
    await expect.poll(() => later.getByRole('link').allTextContents()).toEqual(['Which towns are named?']);
    await app.request(`/v1/digests/${first.id}`, { method: 'DELETE' });
    await page.reload();
    await later.getByRole('link').waitFor();
    await expect.poll(() => earlier.getByRole('link').count()).toBe(0);
    open.complaints.length = 0; // the browser tells of the one that is gone
  });

  test('of a collection are asked what is new since, told with the latest source first', async () => {
    const open = await openPage();
    const { page, app, post } = open;
    const { id: collection } = await answered<{ id: string }>(post('/v1/collections', { name: 'Trams' }));
    const put = (id: string, text: string, publishedAt?: string) =>
      app.request(`/v1/collections/${collection}/documents/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, title: id, publishedAt }),
      });
    await put('old', 'The tram cut noise in the old town.', '2025-01-02');
    const intent = { problem: 'What did the tram change?', userStory: 'I plan trams.' };
    const options = { summary: { format: 'bullets' as const }, selection: { size: { keyPoints: 8 } } };
    const before = await read(open, { collection, intent, ...options });
    await put('undated', 'The tram line brought many shops to the harbour.');
    await put('march', 'The tram made tickets cheaper by a third for pupils.', '2025-03-04');
    await put('may', 'The tram has needed two hundred more drivers since spring.', '2025-05-06');
    await page.getByRole('button', { name: 'What is new since this?' }).click();
    await page.getByRole('link', { name: 'an earlier digest' }).waitFor();
    await page.locator('.read-citation').first().waitFor();
    const id = /#\/digests\/(dig_\w+)/.exec(page.url())?.[1];
    expect(await answered<KeptRequest>(app.request(`/v1/digests/${id}/request`))).toMatchObject({
      collection,
      intent: { ...intent, background: { digest: before.id } },
      ...options,
    });
    const { sources } = await answered<Digest>(app.request(`/v1/digests/${id}`));
    expect(new Set(sources.map(({ document }) => document))).toEqual(new Set(['undated', 'march', 'may']));
    const list = page.getByRole('region', { name: 'Sources, latest first' });
    const dates = (await list.getByRole('listitem').allInnerTexts()).map(
      (item) => /\d+ \w+ 2025|No date/.exec(item)?.[0],
    );
    expect(dates).toEqual(['6 May 2025', '4 Mar 2025', 'No date']);
    expect(await page.getByRole('region', { name: 'Notes' }).innerText()).toContain('read for the earlier digest');
    expect(await seriousViolations(page)).toEqual([]);
    // Other digests keep the order of their numbers.
    await page.getByRole('navigation', { name: 'Earlier in this thread' }).getByRole('link').click();
    await page.getByRole('region', { name: 'Sources', exact: true }).waitFor();
  });

  test('without a collection leads to the form, which adds the new documents and says what is asked', async () => {
    const open = await openPage();
    const { page } = open;
    const intent = { problem: 'Is the tram safe?', userStory: 'I plan trams.' };
    const before = await read(open, { documents: OPPOSED_DOCUMENTS, intent });
    await page.getByRole('button', { name: 'What is new since this?' }).click();
    await page.getByText('Only what is new since').waitFor();
    await page.getByRole('textbox', { name: 'Documents' }).fill('The tram is safe for dogs.');
    const request = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/v1/digests'));
    await page.getByRole('button', { name: 'Make digest' }).click();
    expect((await request).postDataJSON()).toMatchObject({
      documents: [{ text: 'The tram is safe for dogs.' }],
      intent: { ...intent, background: { digest: before.id } },
    });
    await page.getByRole('link', { name: 'an earlier digest' }).waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Tell everything' }).click();
    expect(await page.getByText('Only what is new since').count()).toBe(0);
  });

  test('under way is followed over a reload and a restart of the service, at the address that it got at once', async () => {
    const database = memoryDatabase();
    const app = { page: pageFiles() };
    const engine = new StuckEngine();
    const stuck = testApp({ database, app, engine, leaseMilliseconds: 500 });
    const { port, end } = await serve(stuck);
    const { page, complaints } = await openAddress(`http://127.0.0.1:${port}/#/`);
    await page.getByRole('textbox', { name: 'Documents' }).fill('The tram cut noise in the old town.');
    await page.getByRole('textbox', { name: 'Question' }).fill('What did the tram cut?');
    await page.getByRole('button', { name: 'Make digest' }).click();
    await page.waitForURL(/#\/digests\/dig_[0-9a-f]{32}$/);
    const address = page.url();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Waiting for the service…').waitFor();
    await end();
    const stopping = stuck.parts.worker.stop(0);
    engine.letGo();
    await stopping;
    await page.getByText('Trying again…').waitFor();
    await serve(testApp({ database, app, leaseMilliseconds: 500 }), port);
    await page.locator('.read-citation').first().waitFor();
    expect(page.url()).toBe(address);
    complaints.length = 0; // the browser tells of each lost connection
  });
});
