import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { docxFile } from '../support/docx-file.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { pdfOf } from '../support/pdf-file.ts';
import { TEST_LIMITS } from '../support/test-deps.ts';
import { confirming, inBrowser, type OpenPage, openPage, seriousViolations } from './browser.ts';

/** A Word document of paragraphs, as markup of their runs. */
const docxOf = (...paragraphs: readonly string[]): Promise<Buffer> =>
  docxFile(paragraphs.map((runs) => `<w:p>${runs}</w:p>`).join(''));

const run = (text: string, style = ''): string =>
  `<w:r><w:rPr>${style}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});
const chooser = (page: Page) => page.getByLabel('Choose files');
const makeButton = (page: Page) => page.getByRole('button', { name: 'Make digest' });

async function open(options: Parameters<typeof openPage>[0] = {}): Promise<OpenPage> {
  const opened = await openPage(options);
  await opened.go('');
  return opened;
}

const area = (page: Page) => page.getByRole('textbox', { name: 'Documents' });
const question = (page: Page) => page.getByRole('textbox', { name: 'Question' });

/** Adds a document by its text, whose first line becomes its title. */
async function paste(page: Page, title: string, text: string): Promise<void> {
  await area(page).fill(`${title}\n\n${text}`);
  await page.getByRole('button', { name: 'Add another document' }).click();
}

/** What the next digest is asked with. */
async function asked(page: Page): Promise<{
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly [field: string]: unknown;
}> {
  const request = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/v1/digests'));
  await makeButton(page).click();
  return (await request).postDataJSON();
}

/** An engine that reads when it is told to. */
class PatientEngine extends InProcessEngine {
  readonly #open: (() => void)[] = [];
  isOpen = false;
  override async extract(text: string) {
    if (!this.isOpen) await new Promise<void>((resolve) => this.#open.push(resolve));
    return super.extract(text);
  }
  /** Lets the text be read that has waited longest. */
  one(): void {
    this.#open.shift()?.();
  }
  all(): void {
    this.isOpen = true;
    for (const open of this.#open.splice(0)) open();
  }
  get waiting(): number {
    return this.#open.length;
  }
}

inBrowser('making a digest', () => {
  test('takes the example to one digest, however often the button is pressed', async () => {
    const { page, app } = await open();
    expect(await seriousViolations(page)).toEqual([]);
    await paste(page, 'Mine', 'My own text about buses.');
    await page.getByRole('button', { name: 'Try an example' }).click();
    await page.getByText('Letter from Thornley').waitFor();
    await page.getByRole('button', { name: 'Try an example' }).click();
    expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(9);
    await makeButton(page).evaluate((button) => {
      // Both come before the page is drawn again.
      (button as unknown as { click(): void }).click();
      (button as unknown as { click(): void }).click();
    });
    await page.locator('.read-citation').first().waitFor();
    const { digests } = (await (await app.request('/v1/digests')).json()) as {
      digests: { id: string; status: string }[];
    };
    expect(digests.map(({ status }) => status)).toEqual(['completed']);
    expect(page.url()).toContain(digests[0].id);
    // The draft is there for another way.
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByText('Letter from Thornley').waitFor();
    expect(await question(page).inputValue()).toMatch(/free buses/);
  });

  test('keeps a question that is there and text that was typed, which is a document when it is asked', async () => {
    const { page } = await open();
    await question(page).fill('What about trams?');
    await page.getByRole('button', { name: 'Try an example' }).click();
    await page.getByText('Letter from Thornley').waitFor();
    confirming(page, true);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await area(page).fill('Trams\n\nThe tram is late.');
    await page.getByText('This text is one document of 5 words.').waitFor();
    // It is there after a look elsewhere.
    await page.getByRole('link', { name: 'Digests' }).click();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    expect(await area(page).inputValue()).toBe('Trams\n\nThe tram is late.');
    await question(page).press('Enter');
    await page.getByRole('heading', { name: 'What about trams?' }).waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'Edit Trams' }).waitFor();
  });

  test('reads files of every kind, and says of the others why not', async () => {
    const { page, complaints } = await open();
    const html = `<!doctype html><html><head><title>Trams &amp; cars</title><link rel="canonical" href="https://example.org/trams">
      <meta property="article:published_time" content="2025-05-04T10:00:00Z"><script>window.broken = 1</script></head>
      <body onload="window.broken = 1"><nav><a href="/a">Home</a> <a href="/b">About</a></nav><form><article><h2>Trams_now</h2>
      ${'<p>The <b>trams</b> run <a href="javascript:window.broken=1">every</a> five minutes, 1*2*3 times, in [all] parts of the town.<sup><a href="#n">[1]</a></sup></p>'.repeat(8)}
      <ul><li>One</li><li>Two</li></ul><img src="https://elsewhere.example/x.png" onerror="window.broken = 1"></article></form>
      <noscript><img src="https://elsewhere.example/y.png"></noscript></body></html>`;
    await chooser(page).setInputFiles([
      file('notes.txt', 'Plain words. Café 🚲.'),
      file('trams.html', html),
      file('report.pdf', pdfOf([['The charge raised forty mil-', 'lion euros.']])),
      file(
        'letter.docx',
        await docxOf(run('Dear colleagues, ') + run('passengers', '<w:b/>') + run(' came at once.'), run('Yours.')),
      ),
      file('broken.pdf', 'no pdf'),
      file('bomb.pdf', pdfOf([[]], { names: '/FlateDecode', encode: () => deflateSync(Buffer.alloc(150_000_000)) })),
      file('bomb.docx', await docxFile('<w:p/>'.repeat(1_000_001))),
      file('<img src=x onerror=alert(1)>.txt', ''),
    ]);
    await page.getByText('4 files could not be read').waitFor();
    const refused = await page.getByRole('alert').getByRole('listitem').allTextContents();
    expect(refused.map((line) => line.slice(0, 40))).toEqual([
      expect.stringMatching(/^broken\.pdf: It is no PDF/),
      expect.stringMatching(/^bomb\.pdf: It has a part of more than/),
      expect.stringMatching(/^bomb\.docx: It has more than 100 MB/),
      expect.stringMatching(/^<img src=x onerror=alert\(1\)>\.txt: The/),
    ]);
    const { documents } = await asked(page);
    const sentence = 'The trams run every five minutes, 1*2*3 times, in [all] parts of the town.';
    expect(documents).toEqual([
      { id: 'notes', title: 'notes', text: 'Plain words. Café 🚲.' },
      {
        id: 'trams-cars',
        title: 'Trams & cars',
        url: 'https://example.org/trams',
        publishedAt: '2025-05-04',
        text: `## Trams_now\n\n${Array(8).fill(sentence).join('\n\n')}\n\n- One\n\n- Two`,
      },
      { id: 'report', title: 'report', text: 'The charge raised forty million euros.' },
      { id: 'letter', title: 'letter', text: 'Dear colleagues, passengers came at once.\n\nYours.' },
    ]);
    expect(await page.evaluate('window.broken')).toBeUndefined();
    // The browser says what it did not run.
    expect(complaints.splice(0).filter((complaint) => !/inline event handler/.test(complaint))).toEqual([]);
  });

  test('takes files that are dropped anywhere, and stays smooth with two hundred', async () => {
    const { page } = await open();
    const event = (name: string) =>
      `document.querySelector('h1').dispatchEvent(new DragEvent('${name}', { dataTransfer: files, bubbles: true, cancelable: true }))`;
    const wasTaken = await page.evaluate(`
      const files = new DataTransfer();
      for (let i = 1; i <= 200; i++) files.items.add(new File(['Words of number ' + i + '. '.repeat(5000)], 'file ' + i + '.txt'));
      ${event('dragover')};
      !${event('drop')}`);
    expect(wasTaken).toBe(true);
    await page.getByRole('heading', { name: '200 documents' }).waitFor();
    const begun = Date.now();
    await question(page).pressSequentially('What is it about?');
    expect(await question(page).inputValue()).toBe('What is it about?');
    expect(Date.now() - begun).toBeLessThan(5_000);
    await page.getByRole('button', { name: 'Remove file 2', exact: true }).click();
    await page.getByRole('heading', { name: '199 documents' }).waitFor();
  });

  test('changes and removes documents, by keyboard', async () => {
    const { page } = await open({ context: { viewport: { width: 390, height: 844 } } });
    await paste(page, 'One', 'First text.');
    expect(await area(page).evaluate((field) => field.matches(':focus'))).toBe(true);
    await paste(page, '<img src=x onerror=alert(1)>', 'Second text.');
    const edit = page.getByRole('button', { name: 'Edit One' });
    await edit.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect(await dialog.locator(':invalid').count()).toBeGreaterThan(0);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await edit.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Title').fill('Eins');
    await dialog.getByLabel('Published').fill('2025-03-01');
    await page.keyboard.press('Enter');
    await page.getByText('3 words · 1 Mar 2025').waitFor();
    await page.getByRole('button', { name: 'Remove <img' }).press('Enter');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await seriousViolations(page)).toEqual([]);
    const { documents } = await asked(page);
    expect(documents).toEqual([{ id: 'one', title: 'Eins', publishedAt: '2025-03-01', text: 'One\n\nFirst text.' }]);
  });

  test('asks with the reader and the options, and nothing that was left alone', async () => {
    const { page } = await open();
    await paste(page, '', 'Some text about trams. Other text about cars.');
    await question(page).fill('Trams?');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Who asks').fill('I plan trams.');
    await page.getByLabel('Length').selectOption('100');
    await page.getByLabel('Format').selectOption('bullets');
    await page.getByLabel('Who writes').selectOption('embedded');
    expect(await page.getByLabel('Strategy').isVisible()).toBe(false);
    await page.getByText('Expert:').click();
    await page.getByLabel('Encoder').selectOption('hashed-words');
    await page.getByLabel('Strategy').selectOption('k-dpp');
    await page.getByLabel('Number of key points').selectOption('keyPoints');
    await page.getByLabel('Key points', { exact: true }).fill('1');
    await page.getByLabel('Seed').fill('5');
    await page.getByLabel('Seed').fill('');
    const { documents, ...rest } = await asked(page);
    expect(documents).toHaveLength(1);
    expect(rest).toEqual({
      intent: { problem: 'Trams?', userStory: 'I plan trams.' },
      selection: { strategy: 'k-dpp', size: { keyPoints: 1 } },
      summary: { format: 'bullets', maxWords: 100 },
      engine: { extractor: 'sentences', writer: 'compose', encoder: 'hashed-words' },
    });
    await page.waitForURL(/#\/digests\/dig_/);
  });

  test('sends nothing without documents; says what the service refuses and of which, and keeps the draft', async () => {
    const limits = { ...TEST_LIMITS, documentCharacters: 50 };
    const { page, complaints } = await open({ service: { maxBodyBytes: 2_000, app: { limits } } });
    await makeButton(page).click();
    expect(await area(page).evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
    await paste(page, 'Short', 'Words.');
    await paste(page, 'Long', 'Many words. '.repeat(10));
    await makeButton(page).click();
    await page.getByRole('alert').getByText('“Long”/text').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/at most 50 are read/);
    expect(await page.locator('.ask-problems').evaluate((box) => box.matches(':focus'))).toBe(true);
    await page.getByRole('button', { name: 'Edit Long' }).click();
    await page.getByRole('dialog').getByLabel('Text').fill('x '.repeat(2_000));
    await page.getByRole('button', { name: 'Save' }).click();
    await makeButton(page).click();
    await page.getByText('The documents are too large in total.').waitFor();
    await page.getByRole('button', { name: 'Edit Long' }).waitFor();
    // The browser tells of every answer that is no success.
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.splice(0).every((complaint) => /status of 4(?:13|22)/.test(complaint))).toBe(true);
  });

  test('shows a digest under way at its own address, and cancels it', async () => {
    const engine = new PatientEngine();
    const { page, app } = await open({ service: { engine } });
    await paste(page, 'One', 'First text about trams.');
    await paste(page, 'Two', 'Second text about cars.');
    await makeButton(page).click();
    await page.waitForURL(/#\/digests\/dig_[0-9a-f]+$/);
    await expect.poll(() => engine.waiting).toBeGreaterThan(0);
    engine.one();
    await page.getByText('Step 1 of 5: Reading the documents…').waitFor();
    await page.getByText('1 of 2').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This digest was cancelled').waitFor();
    engine.all();
    const { digests } = (await (await app.request('/v1/digests')).json()) as { digests: { status: string }[] };
    expect(digests.map(({ status }) => status)).toEqual(['cancelled']);
    // The draft stays, to be asked again.
    await page.getByRole('link', { name: 'Ask again' }).click();
    await page.getByRole('button', { name: 'Edit Two' }).waitFor();
    await makeButton(page).click();
    await page.locator('.read-citation').first().waitFor();
  });

  test('shows a digest under way over a lost connection, and asks before documents are lost', async () => {
    const engine = new PatientEngine();
    const { page, origin, complaints } = await open({ service: { engine } });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await paste(page, 'One', 'First text about trams.');
    await page.reload();
    expect(asked.splice(0)).toEqual(['beforeunload']);
    await paste(page, 'One', 'First text about trams.');
    await makeButton(page).click();
    await page.waitForURL(/#\/digests\/dig_[0-9a-f]+$/);
    await expect.poll(() => engine.waiting).toBe(1);
    let isDown = true;
    await page.route(/\/digests\/dig_\w+$/, (route) =>
      isDown && route.request().headers().accept === 'text/event-stream' ? route.abort() : route.continue(),
    );
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByText('Trying again…').waitFor();
    isDown = false;
    engine.all();
    await page.locator('.read-citation').first().waitFor();
    await expect.poll(() => page.locator('#told').innerText()).toBe('The digest is ready.');
    await page.goto(`${origin}/#/`);
    // The browser asks only after somebody has typed.
    await area(page).click();
    await page.keyboard.type('Typed and not added.');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    complaints.length = 0; // the browser tells of each lost connection
  });
});
