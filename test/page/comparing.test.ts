import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Digest, DigestInput } from '../../src/client/index.ts';
import { told } from '../server/experiments-support.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { inBrowser, type OpenPage, openPage, seriousViolations } from './browser.ts';

const EVIL = '<img src=x onerror="document.title=`broken`">';
const PHONE = { viewport: { width: 390, height: 844 } };

const make = async ({ post }: OpenPage, more: Partial<DigestInput> = {}): Promise<Digest> =>
  told<Digest>(post('/v1/digests', { documents: CITY, intent: CITY_INTENT, ...more }), 201);

/** Marks of a digest's sentences by ids alone: what of it the other digest picked, and what joined that. */
function expectedMarks(own: Digest, other: Digest): string[] {
  const isPicked = (id: string) => other.keyPoints.some((each) => each.id === id && each.selected);
  const stated = new Set(other.summary.sentences.flatMap(({ keyPoints }) => keyPoints));
  return own.summary.sentences.map(({ framing, keyPoints }) => {
    if (framing) return '';
    if (isPicked(keyPoints[0])) return '= In both';
    return keyPoints.some((id) => stated.has(id)) ? '≈ Similar' : '○ Only here';
  });
}

/** The two ids of the address, once both digests are there. */
async function pairIn(page: Page): Promise<[string, string]> {
  await page.waitForURL(/#\/compare\?left=dig_\w+&right=dig_\w+$/);
  await page.getByRole('heading', { name: 'Options that differ' }).waitFor();
  const asked = new URLSearchParams(page.url().split('?')[1]);
  return [String(asked.get('left')), String(asked.get('right'))];
}

inBrowser('side by side', () => {
  test('two that are there: points are marked as their ids say', async () => {
    const service = await openPage();
    const { page, go } = service;
    const left = await make(service, { selection: { size: { keyPoints: 12 } } });
    const right = await make(service, { selection: { strategy: 'random', seed: 3, size: { keyPoints: 5 } } });
    await go(`#/compare?left=${left.id}&right=${right.id}`);
    await pairIn(page);
    const [ofLeft, ofRight] = [expectedMarks(left, right), expectedMarks(right, left)];
    expect(new Set([...ofLeft, ...ofRight])).toEqual(new Set(['= In both', '≈ Similar', '○ Only here']));
    expect(await page.locator('.cmp-sentence .cmp-mark').allInnerTexts()).toEqual(
      [...ofLeft, ...ofRight].filter((mark) => mark !== ''),
    );
    const shared = ofLeft.filter((mark) => mark === '= In both').length;
    const points = left.keyPoints.filter(({ selected }) => selected).length;
    await page.getByText(`${shared} of ${points} key points on the left`).waitFor();
    const options = await page.locator('[aria-label="Table of the options that differ"] tbody').innerText();
    expect(options).toMatch(/Strategy.*best set, quickly\s+at random/s);
    expect(options).not.toContain('idf');

    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.getByRole('link', { name: 'Read' }).last().getAttribute('href')).toBe(`#/digests/${right.id}`);
  });

  test('one that is there, and another made beside it', async () => {
    const service = await openPage();
    const { page, go, app } = service;
    const documents = CITY.map((each, i) => (i === 0 ? { ...each, title: EVIL, weight: 2 } : each));
    const summary = { format: 'bullets' } as const;
    const given = await make(service, { documents, summary });
    await go(`#/compare?left=${given.id}`);
    await page.getByText(`6 documents: ${EVIL}`).waitFor();
    expect(await page.getByLabel(/^Question/).inputValue()).toBe(CITY_INTENT);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByText('Expert:').click();
    await page.getByLabel('Strategy').selectOption('mmr');
    // What is refused is said, and can be sent again.
    const at = '**/v1/digests';
    await page.route(at, (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: REFUSED }),
    );
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('alert').getByText('/selection/size').waitFor();
    service.complaints.length = 0; // the browser tells of the 422
    await page.unroute(at);
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
    expect(await page.title()).not.toBe('broken');
  });

  test('with other intents, on a phone: by keyboard; one that is gone is said', async () => {
    const service = await openPage({ context: PHONE });
    const { page, go } = service;
    const given = await make(service);
    await go(`#/compare?left=${given.id}`);
    await page.getByText('6 documents').waitFor();
    await page.getByLabel(/^Question/).fill('How often do buses run?');
    await page.getByRole('button', { name: 'Make it' }).press('Enter');
    await pairIn(page);
    expect(await page.locator('[aria-label="Table of the options that differ"] tbody').innerText()).toContain(
      'How often do buses',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await go(`#/compare?left=dig_nowhere&right=${given.id}`);
    await page.getByRole('alert').waitFor();
    // The browser tells of the 404 of the digest and of its request, which may come after the alert.
    await expect.poll(() => service.complaints.length).toBe(2);
    service.complaints.length = 0;
  });

  test('none yet: it says where to begin', async () => {
    const { page, go } = await openPage();
    await go('#/compare');
    await page.locator('.empty').getByRole('link', { name: 'Choose a digest' }).click();
    await page.getByRole('heading', { name: 'Digests' }).waitFor();
  });
});

const REFUSED = JSON.stringify({
  type: 'about:blank',
  title: 'The request is wrong',
  status: 422,
  errors: [{ pointer: '/selection/size', detail: 'is too large' }],
});
