import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, seriousViolations } from './browser.ts';
import { HARD_DOCUMENTS } from './reading-documents.ts';
import { focused, HARD, marked, openAll, read } from './reading-page.ts';

const NARROW = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
const citation = (page: Page, number: string) => page.getByRole('button', { name: `Source ${number}:` });

inBrowser('the source of a sentence', () => {
  test('opens every citation at its exact offsets, also of what is said twice, wrapped, in CRLF or with emoji', async () => {
    const open = await openPage();
    const { page } = open;
    const [said = { text: '', id: '' }] = HARD_DOCUMENTS;
    const again = said.text.lastIndexOf('The tram cut noise');
    // The second and the last time that the sentence is said are cited too.
    const digest = await read(open, HARD, (made) => ({
      ...made,
      summary: {
        ...made.summary,
        sentences: made.summary.sentences.map((sentence) => {
          const [first] = sentence.citations;
          if (first?.document !== said.id || !first.quote.text.startsWith('The tram cut noise')) return sentence;
          const at = (start: number) => ({
            document: said.id,
            quote: { ...first.quote, start, end: start + first.quote.text.length },
          });
          return { ...sentence, citations: [first, at(said.text.indexOf(first.quote.text, 10)), at(again)] };
        }),
      },
    }));
    const texts = new Map(HARD_DOCUMENTS.map(({ id, text }) => [id, text]));
    const citations = digest.summary.sentences.flatMap((sentence) => sentence.citations);
    expect(new Set(citations.map(({ document }) => document))).toEqual(new Set(texts.keys()));
    expect(citations.some(({ quote }) => quote.text.includes('\r\n'))).toBe(true);
    expect(citations.some(({ document, quote }) => document === said.id && quote.start === again)).toBe(true);
    const opened = await openAll(page);
    expect(
      opened.map(({ document, text, start }) => ({ document, quote: { text, start, end: start + text.length } })),
    ).toEqual(citations);
    for (const { document, whole, isSeen, marks } of opened) {
      expect({ whole, isSeen, marks }).toEqual({ whole: texts.get(document), isSeen: true, marks: 1 });
    }
    // The others of one document are marked too. Whichever number the document that says it several times has.
    await page
      .getByRole('button', { name: /^Source \d+a:/ })
      .first()
      .click();
    await page.getByText(/^\d quotes from this source, all marked$/).waitFor();
    await page.locator('mark[aria-current]').first().waitFor();
    expect(await page.locator('mark:not([aria-current])').count()).toBeGreaterThan(1);
    expect(await page.getByRole('link', { name: 'example.org' }).first().getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('opens a document of a million characters at a quote in its middle', async () => {
    const open = await openPage();
    const { page, origin } = open;
    const quote = 'The new tram line is safe for the children of the old town.';
    const filling = 'A line of the minutes, which wraps where the panel is narrow, and says nothing.\n'.repeat(6250);
    const start = filling.length;
    const text = `${filling}${quote}\n${filling}`;
    await page.route(`${origin}/v1/digests/*/documents/*`, (route) =>
      route.fulfill({ json: { id: 'a', title: null, url: null, publishedAt: null, text } }),
    );
    await read(open, { documents: [{ id: 'a', text: quote }] }, (made) => ({
      ...made,
      summary: {
        ...made.summary,
        sentences: made.summary.sentences.map((each) => ({
          ...each,
          citations: each.citations.map(({ document }) => ({
            document,
            quote: { text: quote, start, end: start + quote.length },
          })),
        })),
      },
    }));
    const [opened] = await openAll(page);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(opened).toMatchObject({ text: quote, start, isSeen: true, marks: 1 });
    expect(opened?.whole === text).toBe(true);
  });

  test('opens the source of any key point by its address, of one that was not selected too', async () => {
    const open = await openPage();
    const digest = await read(open, HARD);
    const point = digest.keyPoints.find(({ selected, supports }) => !selected && supports === null);
    if (point === undefined) throw new Error('every point is cited');
    await open.go(`#/digests/${digest.id}?point=${point.id}`);
    await open.page.locator('mark[aria-current]').waitFor();
    expect(await marked(open.page)).toMatchObject({ text: point.quote.text, start: point.quote.start });
    await open.go(`#/digests/${digest.id}?point=kp_none`);
    await open.page.getByRole('complementary', { name: 'Sources' }).waitFor();
  });

  test('is read by keyboard: Enter opens a source and goes to it, Escape closes it and comes back', async () => {
    const open = await openPage();
    const { page } = open;
    await read(open, HARD);
    await citation(page, '2').first().focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    const name = await focused(page);
    expect(name).toMatch(/^Source 2: .+, quote “/);
    await page.keyboard.press('Enter');
    await page.locator('mark[aria-current]').waitFor();
    await expect.poll(() => focused(page)).toMatch(/^2\. /);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Close the source');
    await page.keyboard.press('Escape');
    expect(await page.locator('.read-scroller').count()).toBe(0);
    expect(await focused(page)).toBe(name);
  });

  test('shows a quote where its number is pointed at', async () => {
    const open = await openPage();
    const digest = await read(open, HARD);
    const [first] = digest.summary.sentences.filter(({ framing }) => !framing);
    const title = await open.page.locator('.read-citation').first().getAttribute('title');
    expect(title).toContain(`“${first.citations[0].quote.text}”`);
  });

  test('lays the source over the text where there is no room beside it, and keeps the focus there', async () => {
    const open = await openPage({ context: NARROW });
    const { page } = open;
    const digest = await read(open, HARD);
    const wide = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(wide)).toBe(false);
    await citation(page, '3').first().click();
    const sheet = page.getByRole('dialog');
    await page.locator('mark[aria-current]').waitFor();
    await expect.poll(async () => (await marked(page)).isSeen).toBe(true);
    await expect.poll(() => focused(page)).toMatch(/^3\. /);
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(`document.querySelector('.read-main').contains(document.activeElement)`)).toBe(false);
    }
    expect(await page.evaluate(wide)).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Source 3: /);
    expect(digest.sources.length).toBeGreaterThan(2);
  });
});
