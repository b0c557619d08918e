import { expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import { type Prompt, parsePrompt } from '../../../src/models/index.ts';
import { dataIn, good, goodBut, statementsIn } from '../../support/good-model.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { Reply, Script, ScriptedModelServer } from '../../support/scripted-model-server.ts';

const COMPOSED = { writer: 'compose' } as const;
const base: ResolvedRequest = { documents: NOTES, intent: NOTES_INTENT, engine: { writer: 'compose' } };

function taken(server: ScriptedModelServer): ReturnType<typeof callsOf> {
  const calls = callsOf(server);
  server.requests.length = 0;
  return calls;
}

test('the second intent over the same documents makes writing calls only, and encodes no point again (P9)', async () => {
  const app = await modelApp(good);
  const { encoder } = app.parts.engine;
  const first = await app.digest({ ...base, engine: {} });
  expect(taken(app.server)).toEqual({ extract: 3, write: 1 });
  const known = new Set(encoder.texts);
  encoder.calls.length = 0;

  const second = await app.digest({
    ...base,
    intent: 'Who pays half the charge, and where does revenue go?',
    engine: {},
  });
  expect(taken(app.server)).toEqual({ write: 1 });
  expect(second.usage).toMatchObject({ reusedExtractions: 3, reusedEncodings: first.keyPoints.length });
  expect(second.usage.stages.extract?.requests).toBe(0);
  const points = first.keyPoints.flatMap(({ text, quote }) => [text, quote.text]);
  expect(points.every((text) => known.has(text))).toBe(true);
  expect(encoder.texts.filter((text) => points.includes(text))).toEqual([]);
  expect(second.keyPoints.map(({ id }) => id).sort()).toEqual(first.keyPoints.map(({ id }) => id).sort());
});

test('extractions are told apart by model, settings, rounds, prompt and text, and kept for each', async () => {
  const own = `---\nid: extract-tersely\nstage: extract\npurpose: Extract less.\nvariables: [document]\n---\n# System\nYou read a document and list, tersely.\n# User\n{{document}}\n`;
  const prompts = new Map<string, Prompt>([...PROMPTS, ['extract-tersely', parsePrompt(own)]]);
  const app = await modelApp(good, { parts: { prompts, ...COMPOSED } });
  const variants: ResolvedRequest[] = [
    base,
    { ...base, engine: { model: 'other' } },
    { ...base, engine: { stages: { extract: { temperature: 0.5 } } } },
    { ...base, engine: { stages: { extract: { topP: 0.5 } } } },
    { ...base, engine: { stages: { extract: { seed: 2 } } } },
    { ...base, engine: { stages: { extract: { prompt: 'extract-tersely' } } } },
    { ...base, engine: { extraction: { rounds: 1 } } },
  ];
  const ids = new Set<string>();
  for (const request of variants) {
    ids.add((await app.digest(request)).engine.extractor);
    expect(taken(app.server)).toEqual({ extract: 3 });
  }
  expect(ids.size).toBe(variants.length);
  for (const request of variants) await app.digest(request);
  // What only other stages are set to is no other extraction.
  await app.digest({ ...base, intent: 'What else?', engine: { stages: { write: { model: 'other', seed: 3 } } } });
  expect(taken(app.server)).toEqual({});

  const changed = [{ ...NOTES[0], text: `${NOTES[0].text} It starts in May.` }, NOTES[1], NOTES[2]];
  await app.digest({ ...base, documents: changed });
  expect(taken(app.server)).toEqual({ extract: 1 });
  // Names are no part of what a text holds.
  await app.digest({ ...base, documents: NOTES.map(({ id, text }) => ({ id: `${id}-2`, text })) });
  expect(taken(app.server)).toEqual({});
});

test('one text under two titles or dates is two extractions, each kept, and each point is the one of its document', async () => {
  const [{ text }] = NOTES;
  const documents = [
    { id: 'plain', text },
    { id: 'titled', text, title: 'Minutes' },
    { id: 'same', text, title: ' Minutes ' },
    { id: 'dated', text, title: 'Minutes', publishedAt: '2026-01-31' },
    { id: 'timed', text, title: 'Minutes', publishedAt: '2026-01-31T20:00:00-05:00' },
  ];
  /** Says of the document what it is called. */
  const telling: Script = (asked) => {
    const [quote] = statementsIn(dataIn(asked, 'document')[0].text);
    const about = dataIn(asked, 'about')[0]?.text.replace('\n', ', ') ?? 'no title';
    return { text: JSON.stringify({ keyPoints: [{ text: `${quote} (${about})`, quotes: statementsIn(text) }] }) };
  };
  const app = await modelApp(goodBut(['extract'], telling), { parts: COMPOSED });
  const told = (digest: Digest) =>
    digest.keyPoints.map((point) => [point.document, / \((.*)\)$/.exec(point.text)?.[1] ?? null]).sort();
  const all = { documents, engine: { verify: 'off' as const } };
  const first = await app.digest(all);
  expect(taken(app.server)).toEqual({ extract: 3 });
  expect(told(first)).toEqual([
    ['dated', 'Title: Minutes, Date: Saturday 31 January 2026'],
    ['plain', 'no title'],
    ['same', 'Title: Minutes'],
    ['timed', 'Title: Minutes, Date: Saturday 31 January 2026'],
    ['titled', 'Title: Minutes'],
  ]);
  expect(new Set(first.keyPoints.map(({ id }) => id)).size).toBe(documents.length);

  const second = await app.digest(all);
  expect(taken(app.server)).toEqual({});
  expect(told(second)).toEqual(told(first));
  expect(second.usage.reusedExtractions).toBe(documents.length);
  await app.digest({ ...all, documents: [{ ...documents[1], title: 'Other minutes' }] });
  expect(taken(app.server)).toEqual({ extract: 1 });
});

test.each<readonly [string, Reply]>([
  ['fails', { status: 500 }],
  ['cannot be read', { text: 'prose' }],
])('an extraction that %s is not kept, and made the next time', async (_, reply) => {
  let isBroken = true;
  const app = await modelApp(
    goodBut(['extract'], (asked) =>
      isBroken && dataIn(asked, 'document')[0].text === NOTES[1].text ? reply : good(asked),
    ),
    { parts: COMPOSED },
  );
  expect((await app.digest(base)).status).toBe('partial');
  taken(app.server);
  expect((await app.digest(base)).status).toBe('partial');
  expect(taken(app.server).extract).toBeLessThan(4);
  isBroken = false;
  const healed = await app.digest(base);
  expect(taken(app.server)).toEqual({ extract: 1 });
  expect(healed).toMatchObject({ status: 'completed', usage: { reusedExtractions: 2 } });
  const fresh = await (await modelApp(good, { parts: COMPOSED })).digest(base);
  expect(healed.keyPoints).toEqual(fresh.keyPoints);
});

test('a conditioned extraction is kept for its question, and serves no other', async () => {
  const app = await modelApp(good, { parts: COMPOSED });
  const conditioned = { ...base, engine: { extraction: { conditioned: true } } };
  const first = await app.digest(conditioned);
  // A question narrows what has to be found, so that what else helps is asked for whatever is touched.
  expect(taken(app.server)).toEqual({ extract: 3, 'extract-more': 3 });
  expect(Object.keys(first.prompts)).toEqual(['extract-for-question', 'extract-more-for-question']);
  expect(first.engine.models.extract?.prompt).toBe('extract-for-question');

  await app.digest(conditioned);
  expect(taken(app.server)).toEqual({});
  await app.digest(base);
  expect(taken(app.server)).toEqual({ extract: 3 });
  const other = await app.digest({ ...conditioned, intent: 'Who pays half the charge?' });
  const calls = app.server.requests.map((asked) => dataIn(asked, 'question').map(({ text }) => text));
  expect(calls).toEqual(Array(6).fill(['Who pays half the charge?']));
  expect(other.engine.extractor).not.toBe(first.engine.extractor);
});

test('one prompt over the documents: quotes that no document holds are counted, and no key points', async () => {
  const [council] = NOTES;
  const [quote] = statementsIn(council.text);
  const quotes = [quote, 'The council met on the moon.'].map((each) => ({ document: 1, quote: each }));
  const said = { text: JSON.stringify({ sentences: [{ text: quote, quotes }] }) };
  const app = await modelApp(goodBut(['naive'], () => said));
  const digest = await app.digest({ documents: [council], selection: { strategy: 'naive' } });
  expect(digest.keyPoints.map(({ reason }) => reason)).toEqual([null, 'unverified']);
  expect(digest.warnings).toEqual([expect.stringMatching(/^One quote in the model's answer is not in/)]);
});
