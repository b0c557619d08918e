import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { KeptRequest } from '../../src/client/client.ts';
import type { Digest } from '../../src/client/index.ts';
import { documentsOf } from '../../src/page/reading/digest-documents.ts';
import { toMarkdown } from '../../src/page/reading/to-markdown.ts';
import { inBrowser, openPage, seriousViolations } from './browser.ts';
import { HARD_DOCUMENTS, HOSTILE_DOCUMENTS, OPPOSED_DOCUMENTS } from './reading-documents.ts';
import { answered, focused, HARD, marked, read } from './reading-page.ts';

inBrowser('a digest that is read', () => {
  test('sets what several documents say beside each other, and both sides where they disagree', async () => {
    const open = await openPage();
    const { page } = open;
    const digest = await read(open, { documents: OPPOSED_DOCUMENTS }, (made) => ({
      ...made,
      summary: {
        ...made.summary,
        sentences: made.summary.sentences.map((each) => (each.framing ? each : { ...each, support: 0.874 })),
      },
    }));
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('What these documents say');
    await page.getByRole('button', { name: 'compare 2 sources' }).first().click();
    const [picked] = digest.keyPoints.filter(({ selected }) => selected);
    const cards = page.locator('.read-card');
    expect(await cards.count()).toBe(2);
    expect(await cards.first().innerText()).toContain('Picked wording');
    expect(picked).toBeDefined();
    await page.getByRole('button', { name: 'compare 2 sources' }).first().click();
    expect(await cards.count()).toBe(0);

    await page
      .getByRole('button', { name: /Sources disagree on whether the new tram line is safe/ })
      .first()
      .click();
    const region = page.getByRole('region', { name: /Sources disagree/ });
    expect(await region.innerText()).toContain('is safe for the children');
    expect(await region.innerText()).toContain('is not safe for the children');
    const against = region.locator('.read-card').filter({ hasText: 'not safe' });
    await against.getByRole('button', { name: 'Open the source: Union' }).click();
    await page.locator('mark[aria-current]').waitFor();
    expect((await marked(page)).text).toContain('is not safe');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Open the source: Union');

    const tip = page.getByRole('tooltip').first();
    expect(await tip.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'How far the quotes support this wording' }).first().focus();
    expect(await tip.innerText()).toContain('87%');
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('shows a list under what names it, with all the sentences of an item', async () => {
    const open = await openPage();
    const { page } = open;
    await read(open, { documents: OPPOSED_DOCUMENTS }, (made) => {
      const [first] = made.summary.sentences.filter(({ framing }) => !framing);
      const listed = (text: string, item: number) => ({
        ...first,
        text,
        paragraph: 1,
        item,
        label: 'Still <b>open</b>',
      });
      const sentences = [{ ...first, paragraph: 0 }, listed('One.', 0), listed('Two.', 0), listed('Three.', 1)];
      return { ...made, summary: { ...made.summary, sentences } };
    });
    const items = page.getByRole('list', { name: 'Still <b>open</b>:' }).getByRole('listitem');
    expect(await items.count()).toBe(2);
    expect(await items.first().innerText()).toMatch(/One\..*Two\./s);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('shows hostile titles, ids, texts and addresses as the text that they are', async () => {
    const open = await openPage();
    const { page } = open;
    const digest = await read(open, {
      documents: HOSTILE_DOCUMENTS,
      intent: 'tram <img src=x onerror=hacked()>',
      summary: { format: 'bullets' },
    });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('tram <img src=x onerror=hacked()>');
    expect(await page.locator('.read-summary li').count()).toBe(digest.summary.sentences.length);
    for (const button of await page.locator('.read-citation').all()) {
      await button.click();
      await page.locator('mark[aria-current]').waitFor();
      expect(HOSTILE_DOCUMENTS.map(({ text }) => text)).toContain((await marked(page)).whole);
    }
    expect(await page.locator('main').locator('img, script, svg, a[href^="javascript"], a[href^="data"]').count()).toBe(
      0,
    );
    expect(await page.locator('.read-sources').innerText()).toContain('<script>hacked()</script>');
  });

  test('is copied as Markdown and as a link, and exported as the JSON that the service answers', async () => {
    const open = await openPage({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const { page, app, origin } = open;
    const digest = await read(open, HARD);
    const request = await answered<KeptRequest>(app.request(`/v1/digests/${digest.id}/request`));
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByRole('button', { name: '✓ Copied' }).waitFor();
    expect(await page.locator('#told').innerText()).toBe('Copied the digest as Markdown.');
    expect(await clipboard()).toBe(toMarkdown('tram noise in the old town', digest, documentsOf({ digest, request })));

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export JSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${digest.id}.json`);
    const answer = await answered<Digest>(app.request(`/v1/digests/${digest.id}`));
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(answer);

    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(clipboard).toBe(`${origin}/#/digests/${digest.id}`);
    expect(await page.getByRole('link', { name: 'Try another way' }).getAttribute('href')).toBe(
      `#/compare?left=${digest.id}`,
    );
    const other = await page.context().newPage();
    await other.goto(await clipboard());
    await other.getByRole('heading', { name: 'tram noise in the old town' }).waitFor();
    expect(await other.locator('.read-citation').count()).toBe(await page.locator('.read-citation').count());

    // Where the browser refuses, the text is there to be copied by hand.
    await other.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
    await other.getByRole('button', { name: 'Copy link' }).click();
    const area = other.getByRole('textbox');
    expect(await area.inputValue()).toBe(`${origin}/#/digests/${digest.id}`);
    const selected = `(({ selectionStart, selectionEnd }) => selectionEnd - selectionStart)(document.activeElement)`;
    await expect.poll(() => other.evaluate(selected)).toBe((await area.inputValue()).length);
  });

  test('says first what it lacks, and reads well where nothing bears on the question', async () => {
    const open = await openPage();
    const { page } = open;
    const [broken = { id: '', text: '' }, ...others] = HARD_DOCUMENTS;
    open.parts.engine.unreadable.add(broken.text);
    await read(open, { documents: [broken, ...others], intent: 'tram noise' }, (made) => ({
      ...made,
      warnings: ['A <b>warning</b>.'],
    }));
    expect(await page.locator('.notice').first().innerText()).toContain('1 document of 4 could not be read');
    expect(await page.locator('.notice').nth(1).innerText()).toContain('A <b>warning</b>.');
    expect(await page.locator('.read-facts').innerText()).toContain('Could not be read: 1');

    await read(open, { documents: [broken], intent: 'tram noise' });
    expect(await page.locator('.problem').innerText()).toContain('Its document could not be read');

    await read(open, { documents: OPPOSED_DOCUMENTS, intent: 'neutron stars' });
    await page.getByText('None of the three documents says anything about “neutron stars”.').waitFor();
    expect(await page.locator('.read-summary').innerText()).toContain('No statement was chosen');
    expect(await page.locator('.read-citation').count()).toBe(0);
    const nearest = page.getByRole('region', { name: 'What comes nearest' });
    expect(await nearest.locator('blockquote').count()).toBe(3);
    await nearest
      .getByRole('button', { name: /^Open the source/ })
      .first()
      .click();
    await page.locator('.read-scroller').waitFor();

    const facets = [
      { text: 'Is the <b>tram</b> safe?', answered: true },
      { text: 'What does it cost?', answered: false },
    ];
    await read(open, { documents: OPPOSED_DOCUMENTS, intent: 'tram' }, (made) => ({
      ...made,
      intent: { answered: 'partly', facets, nearest: [] },
    }));
    expect(await page.getByLabel('Parts of the question').locator('li').allInnerTexts()).toEqual([
      '✓ Is the <b>tram</b> safe? answered',
      '○ What does it cost? not answered',
    ]);
    // One that was made before there was such a field.
    const old = await read(open, { documents: OPPOSED_DOCUMENTS, intent: 'tram line' }, ({ intent: _, ...made }) => ({
      ...made,
      keyPoints: made.keyPoints.map(({ probability: _, ...point }) => point),
    }));
    expect(old).not.toHaveProperty('intent');
    expect(await page.locator('.read-citation').count()).toBeGreaterThan(0);
    expect(await page.getByLabel('Parts of the question').count()).toBe(0);
  });

  test('is deleted when that was said twice', async () => {
    const open = await openPage();
    const { page, app } = open;
    const { id } = await read(open, { documents: OPPOSED_DOCUMENTS });
    const ask = page.getByRole('button', { name: 'Delete', exact: true });
    await ask.click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await focused(page)).toBe('Delete');
    expect((await app.request(`/v1/digests/${id}`)).status).toBe(200);
    await ask.click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No digest was made yet.').waitFor();
    expect((await app.request(`/v1/digests/${id}`)).status).toBe(404);
  });
});
