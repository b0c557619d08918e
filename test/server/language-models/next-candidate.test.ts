import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import { dataIn, goodBut, statementsIn } from '../../support/good-model.ts';
import { callsOf, modelApp } from '../../support/model-app.ts';
import type { Script } from '../../support/scripted-model-server.ts';

/** A quote that is lost alone, one that is not, and what a model makes of them. */
const LOST = 'It sends shovels and blankets to the flooded villages.';
const CLEAR = 'The army sends shovels and blankets to the flooded villages.';
const LIE = 'The government sends shovels, blankets and money to the flooded villages.';

const documents = (quote: string) => [
  { id: 'flood', text: `The council met on Friday. ${quote} The river Elm rose by two metres in the night.` },
  { id: 'roads', text: 'The road to Marlow is closed. Trains to Oxford run again since Monday.' },
];

/** Extracts every sentence, but words one of them wrongly; and judges well. */
const lying: Script = goodBut(['extract'], (asked) => ({
  text: JSON.stringify({
    keyPoints: statementsIn(dataIn(asked, 'document')[0].text).map((quote) => ({
      text: quote === LOST || quote === CLEAR ? LIE : quote,
      quotes: [quote],
    })),
  }),
}));

/** What is made of all five statements, by relevance to the one that was worded wrongly. */
async function made(quote: string, keyPoints: number, script: Script = lying, more: Partial<ResolvedRequest> = {}) {
  const app = await modelApp(script, { parts: { writer: 'compose' } });
  const request: ResolvedRequest = {
    documents: documents(quote),
    selection: { strategy: 'relevance', size: { keyPoints }, relevance: { gate: null } },
    intent: 'Who sends shovels and blankets to the flooded villages?',
    ...more,
  };
  return { app, request, digest: await app.digest(request) };
}

const worded = ({ keyPoints }: Digest, quote: string) => keyPoints.find((point) => point.quote.text === quote);
const picked = ({ keyPoints }: Digest) => keyPoints.filter(({ selected }) => selected);

describe('a selected point whose wording is found wrong', () => {
  test('gives way to the next candidate where its quote is lost alone, and the receipt says why', async () => {
    const { digest, app, request } = await made(LOST, 2);
    const point = worded(digest, LOST);
    expect(point).toMatchObject({ selected: false, rank: null, reason: 'wording', text: LOST, supports: null });
    expect(point?.verification).toBe('verbatim');
    expect(picked(digest)).toHaveLength(2);
    expect(digest.summary.text).not.toMatch(/shovels/);
    expect(digest.status).toBe('completed');

    const others = { ...request, documents: documents('Nothing else was said.') };
    const without = (await app.digest(others)).keyPoints.filter(({ selected }) => selected);
    expect(picked(digest).map(({ text }) => text)).toEqual(without.map(({ text }) => text));
  });

  test('is not asked about again, neither in the second selection nor in the digest made again', async () => {
    const { digest, app, request } = await made(LOST, 2);
    expect(callsOf(app.server).judge).toBe(1);
    const again = await app.digest(request);
    expect(callsOf(app.server).judge).toBe(1);
    expect([again.summary, again.keyPoints]).toEqual([digest.summary, digest.keyPoints]);
  });

  test('gives way to its quote where that says enough', async () => {
    const { digest } = await made(CLEAR, 2);
    expect(worded(digest, CLEAR)).toMatchObject({ selected: true, rank: 1, reason: null, text: CLEAR });
    expect(digest.summary.text).toContain(CLEAR);
  });

  test('gives way to its quote where no other can take its place', async () => {
    const { digest } = await made(LOST, 5);
    expect(worded(digest, LOST)).toMatchObject({ selected: true, reason: null, text: LOST, verification: 'verbatim' });
    expect(picked(digest)).toHaveLength(5);
  });

  test.each<[string, Script, Partial<ResolvedRequest>]>([
    ['the judge fails', goodButDown(), {}],
    ['nobody judges', lying, { engine: { verify: 'rules' } }],
  ])('gives way to its quote where %s', async (_, script, more) => {
    const { digest } = await made(LOST, 2, script, more);
    expect(worded(digest, LOST)).toMatchObject({ selected: true, rank: 1, text: LOST, verification: 'verbatim' });
  });

  test('is asked about once where the judge fails, and the answer says so', async () => {
    const { digest, app } = await made(LOST, 2, goodButDown());
    expect(app.server.requests.filter((asked) => dataIn(asked, 'statements').length > 0)).toHaveLength(3);
    expect(digest.status).toBe('partial');
    expect(digest.warnings.filter((each) => each.startsWith('The judge failed'))).toEqual([
      'The judge failed; what it did not check is quoted from the documents: The server of the language model failed (HTTP 500), after 3 requests.',
    ]);
    const { digest: recovering, app: once } = await made(LOST, 2, downAtFirst());
    expect(once.server.requests.filter((asked) => dataIn(asked, 'statements').length > 0)).toHaveLength(3);
    expect([recovering.status, recovering.warnings]).toEqual([digest.status, digest.warnings]);
  });

  test('stays where nothing is verified', async () => {
    const { digest } = await made(LOST, 2, lying, { engine: { verify: 'off' } });
    expect(worded(digest, LOST)).toMatchObject({ selected: true, text: LIE, verification: 'unverified' });
  });

  test('is left to chance where a draw chose it', async () => {
    const { digest } = await made(LOST, 2, lying, {
      selection: { strategy: 'k-dpp', size: { keyPoints: 4 }, relevance: { gate: null } },
    });
    expect(digest.keyPoints.map(({ reason }) => reason)).not.toContain('wording');
  });
});

/** The same without anybody to judge. */
function goodButDown(): Script {
  return (asked, index) => (dataIn(asked, 'statements').length > 0 ? { status: 500 } : lying(asked, index));
}

/** The same, but whoever judges is back for a second question. */
function downAtFirst(): Script {
  let calls = 0;
  return (asked, index) => {
    const isDown = dataIn(asked, 'statements').length > 0 && calls++ < 3;
    return isDown ? { status: 500 } : lying(asked, index);
  };
}
