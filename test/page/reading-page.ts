import type { Page } from 'playwright-core';
import type { Digest, DigestInput } from '../../src/client/index.ts';
import { shortened } from '../../src/contract/index.ts';
import type { OpenPage } from './browser.ts';
import { HARD_DOCUMENTS } from './reading-documents.ts';

export const HARD: DigestInput = {
  documents: HARD_DOCUMENTS,
  intent: 'tram noise in the old town',
  selection: { size: { keyPoints: 12 } },
};

/** The JSON of an answer, whose type the service's own tests hold. */
export async function answered<Body>(response: Response | Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}

/** A digest, opened to be read; `change` alters what the page gets of it. */
export async function read(open: OpenPage, input: DigestInput, change?: (digest: Digest) => Digest): Promise<Digest> {
  const made = await answered<Digest>(open.post('/v1/digests?include=receipts', input));
  const digest = change?.(made) ?? made;
  if (change !== undefined) {
    await open.page.route(`${open.origin}/v1/digests/${digest.id}`, (route) =>
      route.fulfill({ json: shortened(digest).digest }),
    );
  }
  await open.go(`#/digests/${digest.id}`);
  await open.page.getByRole('heading', { level: 1 }).waitFor();
  await open.page.locator('.read-summary').waitFor();
  return digest;
}

/** The picked marks: their texts joined, where they begin in the text, that text, and whether they are in sight. */
interface Marked {
  readonly text: string;
  readonly start: number;
  readonly whole: string;
  readonly isSeen: boolean;
  readonly marks: number;
}

/** Run in the page. */
const MARKED = `() => {
  const box = document.querySelector('.read-scroller');
  const marks = [...box.querySelectorAll('mark[aria-current]')];
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEndBefore(marks[0]);
  const [outer, inner] = [box, marks[0]].map((each) => each.getBoundingClientRect());
  return {
    text: marks.map((mark) => mark.textContent).join(''),
    start: before.toString().length,
    whole: box.textContent,
    isSeen: inner.top >= Math.max(0, outer.top) && inner.bottom <= Math.min(innerHeight, outer.bottom) + 1,
    marks: marks.length,
  };
}`;

export const marked = (page: Page) => page.evaluate<Marked>(`(${MARKED})()`);

/** Presses every citation, and waits for its source each time. */
export function openAll(page: Page): Promise<(Marked & { readonly document: string })[]> {
  return page.evaluate(`(async () => {
    const opened = [];
    for (const more of document.querySelectorAll('.read-citation[aria-expanded=false]')) more.click();
    await new Promise(requestAnimationFrame);
    for (const button of document.querySelectorAll('.read-citation[data-document]')) {
      document.querySelector('.read-close')?.click();
      while (document.querySelector('.read-scroller')) await new Promise(requestAnimationFrame);
      button.click();
      while (!document.querySelector('mark[aria-current]')) await new Promise(requestAnimationFrame);
      let marked = (${MARKED})();
      // What is above gets its height in the frames that follow.
      for (let frame = 0; frame < 10 && !marked.isSeen; frame++) {
        await new Promise(requestAnimationFrame);
        marked = (${MARKED})();
      }
      opened.push({ document: button.dataset.document, ...marked });
    }
    return opened;
  })()`);
}

/** What has the focus, as its name or text. */
export const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`);
