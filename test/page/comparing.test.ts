import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Digest, DigestInput, Experiment } from '../../src/client/index.ts';
import { told } from '../server/experiments-support.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { inBrowser, type OpenPage, openPage, seriousViolations } from './browser.ts';

const EVIL = '<img src=x onerror="document.title=`broken`">';
const PHONE = { viewport: { width: 390, height: 844 } };

const make = async ({ post }: OpenPage, more: Partial<DigestInput> = {}): Promise<Digest> =>
  told<Digest>(post('/v1/digests', { documents: CITY, intent: CITY_INTENT, ...more }), 201);

/** Marks of a side as they are shown, sentence by sentence. */
async function marksOf(page: Page, side: 'left' | 'right'): Promise<string[]> {
  const sentences = await page.locator(`.cmp-of-${side} .cmp-sentence`).all();
  return Promise.all(sentences.map(async (each) => (await each.locator('.cmp-mark').allInnerTexts()).join()));
}

/** Marks of a digest's sentences by ids alone: what of it the other digest picked, and what joined that. */
function expectedMarks(own: Digest, other: Digest): string[] {
  const isPicked = (digest: Digest, id: string) => digest.keyPoints.some((each) => each.id === id && each.selected);
  const stated = other.summary.sentences.map(({ keyPoints }) => keyPoints);
  return own.summary.sentences.map(({ framing, keyPoints }) => {
    if (framing) return '';
    const [pick] = keyPoints;
    if (isPicked(other, pick)) return '= In both';
    if (stated.some((ids) => ids.includes(pick)) || keyPoints.some((id) => isPicked(other, id))) {
      return '≈ Similar';
    }
    return stated.some((ids) => ids.some((id) => keyPoints.includes(id))) ? '~ Overlapping' : '○ Only here';
  });
}

/** The two ids of the address, once both digests are there. */
async function pairIn(page: Page): Promise<[string, string]> {
  await page.waitForURL(/#\/compare\?left=dig_\w+&right=dig_\w+$/);
  const asked = new URLSearchParams(page.url().split('?')[1]);
  return [String(asked.get('left')), String(asked.get('right'))];
}

const noScroll = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

inBrowser('side by side', () => {
  test('two that are there: points are marked as their ids say, and lead to each other', async () => {
    const service = await openPage();
    const { page, go } = service;
    const left = await make(service, { selection: { size: { keyPoints: 12 } } });
    const right = await make(service, { selection: { strategy: 'mmr', size: { keyPoints: 5 } } });
    await go(`#/compare?left=${left.id}&right=${right.id}`);
    await page.getByRole('heading', { name: 'Options that differ' }).waitFor();
    const [ofLeft, ofRight] = [expectedMarks(left, right), expectedMarks(right, left)];
    expect(ofLeft).toContain('= In both');
    expect(ofLeft).toContain('○ Only here');
    expect(await marksOf(page, 'left')).toEqual(ofLeft);
    expect(await marksOf(page, 'right')).toEqual(ofRight);
    const shared = ofLeft.filter((mark) => mark === '= In both').length;
    const points = left.keyPoints.filter(({ selected }) => selected).length;
    expect(await page.locator('.cmp-shared').innerText()).toContain(`${shared} of ${points} key points on the left`);
    const options = await page.locator('[aria-label="Table of the options that differ"] tbody').innerText();
    expect(options).toMatch(/Strategy.*dpp-map\s+mmr/s);
    expect(options).not.toContain('idf');

    // By mouse: the same point on the other side stands out.
    const place = ofLeft.indexOf('= In both');
    const [point] = left.summary.sentences[place].keyPoints;
    const partner = right.summary.sentences.findIndex(({ keyPoints }) => keyPoints.includes(point));
    await page.locator(`#cmp-left-${place}`).hover();
    await page.locator(`#cmp-right-${partner}.is-partner`).waitFor();
    // By keyboard: the way there and back.
    await page.locator(`#cmp-left-${place}`).getByRole('button', { name: 'Show it on the right' }).press('Enter');
    await page.locator(`#cmp-right-${partner}:focus`).waitFor();
    await page.locator(`#cmp-left-${place}.is-partner`).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const read = page.locator('.cmp-of-right a', { hasText: 'Read' });
    expect(await read.getAttribute('href')).toBe(`#/digests/${right.id}`);
  });

  test('one that is there, and another made beside it by a press; then an experiment of just what differs', async () => {
    const service = await openPage();
    const { page, go, app } = service;
    const documents = CITY.map((each, i) => (i === 0 ? { ...each, title: EVIL, weight: 2 } : each));
    const summary = { format: 'bullets' } as const;
    const given = await make(service, { documents, summary });
    await go(`#/compare?left=${given.id}`);
    await page.getByText(`6 documents: ${EVIL}`).waitFor();
    expect(await page.getByLabel(/^Question/).inputValue()).toBe(CITY_INTENT);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'With MMR' }).click();
    await page.getByRole('button', { name: 'Make it' }).dblclick();
    const [left, right] = await pairIn(page);
    expect(left).toBe(given.id);
    const { digests } = await told<{ digests: unknown[] }>(app.request('/v1/digests'));
    expect(digests).toHaveLength(2);
    expect(await told(app.request(`/v1/digests/${right}/request`))).toMatchObject({
      intent: CITY_INTENT,
      selection: { strategy: 'mmr' },
      summary,
      documents: [{ id: 'council', title: EVIL, weight: 2 }, {}, {}, {}, {}, {}],
    });

    await page.getByRole('button', { name: 'Create an experiment from this pair' }).press('Enter');
    expect(await page.locator(':focus').innerText()).toBe('Experiment from this pair');
    const hypothesis = page.getByLabel(/^Hypothesis/);
    expect(await hypothesis.inputValue()).toContain('strategy mmr');
    await hypothesis.fill(EVIL);
    expect(await seriousViolations(page)).toEqual([]);
    const key = await page.getByLabel(/^Key \(/).inputValue();
    await page.getByRole('button', { name: 'Create draft' }).press('Enter');
    await page.waitForURL(`**/#/experiments/${key}`);
    await page.getByRole('heading', { name: 'Not started' }).waitFor();
    expect(await told<Experiment>(app.request(`/v1/experiments/${key}`))).toMatchObject({
      key,
      status: 'draft',
      hypothesis: EVIL,
      // What both have, the format, is left to requests.
      variants: [
        { name: 'control', weight: 0.5, options: {} },
        { name: 'mmr', weight: 0.5, options: { selection: { strategy: 'mmr' } } },
      ],
    });
    expect(
      (await told<Experiment>(app.request(`/v1/experiments/${key}`))).variants.map(({ options }) => options),
    ).toEqual([{}, { selection: { strategy: 'mmr' } }]);
    expect(await page.title()).not.toBe('broken');

    // The same key again is refused where it is asked for.
    await go(`#/compare?left=${left}&right=${right}`);
    await page.getByRole('button', { name: 'Create an experiment from this pair' }).click();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('alert').waitFor();
    service.complaints.length = 0; // the browser tells of the 409
  });

  test('with other intents, on a phone: by keyboard, one side at a time, and no experiment', async () => {
    const service = await openPage({ context: PHONE });
    const { page, go } = service;
    const given = await make(service);
    await go(`#/compare?left=${given.id}`);
    await page.getByText('6 documents').waitFor();
    await page.getByLabel(/^Question/).fill('How often do buses run?');
    await page.getByRole('button', { name: 'Make it' }).press('Enter');
    await pairIn(page);
    await page.getByText('This pair cannot become an experiment').waitFor();
    expect(await page.locator('[aria-label="Table of the options that differ"] tbody').innerText()).toContain(
      'How often do buses',
    );
    await noScroll(page);
    await page.getByLabel('Left only').focus();
    await page.keyboard.press('Space');
    expect(await page.locator('.cmp-of-right').isVisible()).toBe(false);
    const forward = page.getByRole('button', { name: 'Show it on the right' });
    if ((await forward.count()) > 0) await forward.first().click();
    else await page.getByLabel('Right only').check();
    await page.locator('.cmp-of-right').waitFor();
    expect(await page.locator('.cmp-of-left').isVisible()).toBe(false);
    await noScroll(page);
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('two new ones of the documents at hand, once there are any, filled in by a press: the published way beside the default', async () => {
    const { page, go, app } = await openPage();
    await go('#/compare');
    await page.getByText('Add documents first').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.locator('.empty').getByRole('link', { name: 'Add documents' }).click();
    await page.getByRole('button', { name: 'Try an example' }).click();
    await page.getByText('Letter from Thornley').waitFor();
    await page.getByRole('link', { name: 'Analyse' }).click();
    await page.getByRole('link', { name: 'Compare two digests' }).click();
    await page.getByText('8 documents:').waitFor();
    const intent = await page
      .getByLabel(/^Question/)
      .first()
      .inputValue();
    expect(intent).not.toBe('');
    await page.getByRole('button', { name: 'Default against published' }).press('Enter');
    await page.getByRole('button', { name: 'Make both' }).press('Enter');
    const [left, right] = await pairIn(page);
    expect(await told(app.request(`/v1/digests/${left}/request`))).toMatchObject({ intent, selection: null });
    expect(await told(app.request(`/v1/digests/${right}/request`))).toMatchObject({
      intent,
      selection: { preset: 'published' },
    });
    await page.getByText('As published, dpp-sample').waitFor();
  });

  test('one that fails leaves the other; one that is cancelled says so, and is made when asked again', async () => {
    const engine = new InProcessEngine();
    const service = await openPage({ service: { engine } });
    const { page, go, app } = service;
    const given = await make(service);
    await go(`#/compare?left=${given.id}`);
    await page.getByText('6 documents').waitFor();
    await page.route('**/v1/digests', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: REFUSED }),
    );
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('alert').getByText('/selection/size').waitFor();
    await page.getByText('Left: this digest').waitFor();
    await page.unroute('**/v1/digests');

    const rank = engine.rank.bind(engine);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    engine.rank = async (task) => held.then(async () => rank(task));
    onTestFinished(() => release());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/Reading the documents|Comparing key points/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByText('Cancelled.').waitFor();
    const { digests } = await told<{ digests: unknown[] }>(app.request('/v1/digests?status=cancelled'));
    expect(digests).toHaveLength(1);
    release();
    await page.getByRole('button', { name: 'Make it' }).press('Enter');
    await pairIn(page);
    await go(`#/compare?left=dig_nowhere&right=${given.id}`);
    await page.getByRole('alert').waitFor();
    // The browser tells of the 422, and of the 404 of the digest and of its request, which may come after the alert.
    await expect.poll(() => service.complaints.filter((each) => /status of 404/.test(each)).length).toBe(2);
    expect(service.complaints.splice(0).filter((each) => !/status of 4(?:04|22)/.test(each))).toEqual([]);
  });
});

const REFUSED = JSON.stringify({
  type: 'about:blank',
  title: 'The request is wrong',
  status: 422,
  errors: [{ pointer: '/selection/size', detail: 'is too large' }],
});
