import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { KeptRequest } from '../../src/client/client.ts';
import { type Digest, markersOf, toHtml, toMarkdown, toText } from '../../src/client/index.ts';
import { exportedOf } from '../../src/page/reading/actions.tsx';
import { readDocx } from '../../src/text/files/read-docx.ts';
import { confirming, inBrowser, openPage, seriousViolations } from './browser.ts';
import { HARD_DOCUMENTS, HOSTILE_DOCUMENTS, OPPOSED_DOCUMENTS } from './reading-documents.ts';
import { answered, focused, HARD, marked, read } from './reading-page.ts';

inBrowser('a digest that is read', () => {
  test('counts further citations of a sentence, and shows them', async () => {
    const open = await openPage();
    const { page } = open;
    const digest = await read(open, HARD, (made) => {
      const [said, ...others] = made.summary.sentences.filter(({ framing }) => !framing);
      const citations = [said, ...others].flatMap((each) => each.citations);
      return { ...made, summary: { ...made.summary, sentences: [{ ...said, citations }, ...others] } };
    });
    const { length: cited } = markersOf(digest.summary.sentences[0], digest.sources);
    expect(cited).toBeGreaterThan(2);
    const sentence = page.locator('.read-sentence').first();
    await sentence
      .getByRole('button', { name: `+${cited - 2} ${cited === 3 ? 'more citation' : 'more citations'}` })
      .click();
    const markers = sentence.locator('.read-citation[data-document]');
    expect(await markers.count()).toBe(cited);
    await markers.last().click();
    await page.locator('mark[aria-current]').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('asks the same documents something else, with the same options', async () => {
    const open = await openPage();
    const { page, app } = open;
    const first = await read(open, { ...HARD, summary: { format: 'bullets' } });
    await page.getByPlaceholder('Your next question').fill('What about the harbour?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What about the harbour?', level: 1 }).waitFor();
    await page.locator('.read-summary').waitFor();
    const id = /dig_\w+$/.exec(page.url())?.[0];
    const request = await answered<KeptRequest>(app.request(`/v1/digests/${id}/request`));
    const before = await answered<KeptRequest>(app.request(`/v1/digests/${first.id}/request`));
    expect(request).toMatchObject({
      documents: before.documents,
      selection: before.selection,
      summary: before.summary,
    });
    expect(await answered<Digest>(app.request(`/v1/digests/${id}`))).toMatchObject({
      usage: { reusedExtractions: HARD_DOCUMENTS.length },
    });
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
    for (const button of await page.locator('.read-citation[data-document]').all()) {
      await button.click();
      await page.locator('mark[aria-current]').waitFor();
      expect(HOSTILE_DOCUMENTS.map(({ text }) => text)).toContain((await marked(page)).whole);
    }
    expect(await page.locator('main').locator('img, script, svg, a[href^="javascript"], a[href^="data"]').count()).toBe(
      0,
    );
    // The source takes the focus, and with it the key, a moment after it is shown.
    await expect.poll(() => focused(page)).toMatch(/^\d+\. /);
    await page.keyboard.press('Escape');
    expect(await page.locator('.read-sources').innerText()).toContain('<script>hacked()</script>');
  });

  test('is copied with its citations and as a link, and exported as Word, Markdown, HTML and JSON', async () => {
    const open = await openPage({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const { page, app, origin } = open;
    const digest = await read(open, HARD);
    const request = await answered<KeptRequest>(app.request(`/v1/digests/${digest.id}/request`));
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: '✓ Copied' }).waitFor();
    expect(await page.locator('#told').innerText()).toBe('Copied the answer with its citations.');
    expect(await clipboard()).toBe(toText(exportedOf({ digest, request })));

    const exported = async (name: string) => {
      await page.getByText('Export', { exact: true }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      const bytes = await readFile(await file.path());
      return { name: file.suggestedFilename(), bytes, text: bytes.toString('utf8') };
    };
    const word = await exported('Word');
    expect(word.name).toBe('tram-noise-in-the-old-town.docx');
    expect(await readDocx(word.bytes)).toContain(digest.summary.sentences[0].text);
    const json = await exported('JSON');
    const answer = await answered<Digest>(app.request(`/v1/digests/${digest.id}`));
    expect([json.name, JSON.parse(json.text)]).toEqual(['tram-noise-in-the-old-town.json', answer]);
    const asWritten = exportedOf({ digest, request });
    expect(await exported('Markdown')).toMatchObject({
      name: 'tram-noise-in-the-old-town.md',
      text: toMarkdown(asWritten),
    });
    expect(await exported('HTML')).toMatchObject({ name: 'tram-noise-in-the-old-town.html', text: toHtml(asWritten) });

    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(clipboard).toBe(`${origin}/#/digests/${digest.id}`);
    await page.getByText('More', { exact: true }).click();
    expect(await page.getByRole('link', { name: 'Compare with other options' }).getAttribute('href')).toBe(
      `#/compare?left=${digest.id}`,
    );
    expect(await page.getByRole('link', { name: 'All key points' }).getAttribute('href')).toBe(
      `#/digests/${digest.id}/points`,
    );
    // Where the browser refuses, the text is there to be copied by hand.
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.defaultValue());
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Copy link' }).click();
    expect(asked).toEqual([`${origin}/#/digests/${digest.id}`]);
  });

  test('says quietly what it lacks, and reads well where nothing bears on the question', async () => {
    const open = await openPage();
    const { page } = open;
    const [broken = { id: '', text: '' }, ...others] = HARD_DOCUMENTS;
    open.parts.engine.unreadable.add(broken.text);
    await read(open, { documents: [broken, ...others], intent: 'tram noise' }, (made) => ({
      ...made,
      warnings: ['A <b>warning</b>.'],
    }));
    const notes = page.getByRole('region', { name: 'Notes' });
    expect(await notes.innerText()).toContain('Could not be read: Said twice.');
    expect(await notes.innerText()).toContain('A <b>warning</b>.');
    await read(open, { documents: [broken], intent: 'tram noise' });
    expect(await page.locator('.problem').innerText()).toContain('None of the documents could be read');

    await read(open, { documents: OPPOSED_DOCUMENTS, intent: 'neutron stars' });
    await page.getByText('None of the three documents says anything about “neutron stars”.').waitFor();
    expect(await page.locator('.read-summary').innerText()).toContain('Try other words below');
    expect(await page.locator('.read-citation').count()).toBe(0);
    const nearest = page.getByRole('region', { name: 'The closest passages' });
    expect(await nearest.locator('blockquote').count()).toBe(3);
    await nearest
      .getByRole('button', { name: /^Open the source/ })
      .first()
      .click();
    await page.locator('.read-scroller').waitFor();
  });

  test('says above the text what it does not answer, and shows the closest passages that it does not tell', async () => {
    const open = await openPage();
    const { page } = open;
    const facet = (text: string, answered: boolean) => ({ text, answered });
    const partly =
      (...facets: readonly ReturnType<typeof facet>[]) =>
      (made: Digest) => ({
        ...made,
        intent: { answered: 'partly' as const, facets, nearest: [] },
      });
    const open3 = ['<b>dosage</b>', 'the harbour', 'the price'].map((text) => facet(text, false));
    const digest = await read(open, HARD, partly(facet('noise', true), ...open3, facet('a fourth', false)));
    const note = page.locator('.read-summary > .notice');
    expect(await note.innerText()).toBe(
      'Answered in part: nothing certain on “<b>dosage</b>”, “the harbour”, “the price”, or 1 more part.',
    );
    const [top, text] = await Promise.all([note.boundingBox(), page.locator('.read-sentence').first().boundingBox()]);
    expect(top?.y).toBeLessThan(text?.y ?? 0);
    const passages = page.getByRole('region', { name: 'The closest passages on “the harbour”' });
    await passages.waitFor();
    const told = new Set(digest.summary.sentences.flatMap(({ keyPoints }) => keyPoints));
    const others = digest.keyPoints.filter(({ id }) => !told.has(id)).map(({ quote }) => quote.text);
    const shown = await passages.locator('blockquote').allTextContents();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((each) => !others.includes(each))).toEqual([]);
    await passages.getByRole('button').first().click();
    await page.locator('mark[aria-current]').waitFor();
    expect((await marked(page)).text).toBe(shown[0]);
    expect(await seriousViolations(page)).toEqual([]);

    await read(open, HARD, partly(facet('tram noise in the old town', false)));
    expect(await note.innerText()).toBe('Answered in part: it is not certain that this answers the question.');
    await read(open, HARD, (made) => ({ ...made, intent: { answered: 'yes', facets: [], nearest: [] } }));
    expect(await note.count()).toBe(0);
  });

  test('is deleted when that was said twice', async () => {
    const open = await openPage();
    const { page, app } = open;
    const { id } = await read(open, { documents: OPPOSED_DOCUMENTS });
    confirming(page, false, true);
    const ask = async () => {
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Delete…' }).click();
    };
    await ask();
    expect((await app.request(`/v1/digests/${id}`)).status).toBe(200);
    await ask();
    await page.getByText('There are no digests yet.').waitFor();
    expect((await app.request(`/v1/digests/${id}`)).status).toBe(404);
  });
});
