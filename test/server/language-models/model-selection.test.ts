import { describe, expect, test } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { dataIn, good, goodBut } from '../../support/good-model.ts';
import { callsOf, modelApp, statedIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import type { Reply, Script } from '../../support/scripted-model-server.ts';

// How many requests each stage makes: extraction-failures.test.ts.

const EMBEDDED = { parts: { extractor: 'sentences', writer: 'compose' } } as const;
const request = { documents: CITY, intent: CITY_INTENT, selection: { strategy: 'llm' } } as const;
const always =
  (reply: Reply): Script =>
  () =>
    reply;
const picking = (picked: unknown): Script => goodBut(['select'], always({ text: JSON.stringify({ picked }) }));

describe('selection by a model', () => {
  test.each([
    ['with an intent', CITY_INTENT],
    ['without one', undefined],
  ])('%s is what it picked, whatever size or gate would say', async (_, intent) => {
    const app = await modelApp(good, EMBEDDED);
    const asked = { documents: CITY, selection: request.selection, ...(intent !== undefined && { intent }) };
    const digest = await app.digest(asked);
    const { digest: streamed } = await (await modelApp(good, EMBEDDED)).streamed(asked);
    expect(callsOf(app.server)).toEqual({ select: 1 });
    expect(digest).toMatchObject({ status: 'completed', warnings: [], selection: { strategy: 'llm', size: null } });
    expect(answered(streamed)).toEqual(answered(digest));

    const [sent] = app.server.requests;
    const listed = dataIn(sent, 'key points')[0]
      .text.split('\n')
      .map((line) => line.replace(/^\d+\. /, ''));
    const selected = digest.keyPoints.filter((point) => point.selected).map(({ text }) => text);
    expect(selected.sort()).toEqual(
      listed
        .filter((_, index) => index % 2 === 0)
        .slice(0, 6)
        .sort(),
    );
    expect(dataIn(sent, 'question').map(({ text }) => text)).toEqual(intent === undefined ? [] : [intent]);
    const articles = dataIn(sent, 'article').map(({ text }) => text);
    const cited = new Set(digest.keyPoints.filter(({ reason }) => reason !== 'gate').map(({ document }) => document));
    expect(articles.sort()).toEqual(
      CITY.filter(({ id }) => cited.has(id))
        .map(({ text }) => text)
        .sort(),
    );
    expect(digest.engine.models).toEqual({
      select: { model: 'm', temperature: 0, topP: null, seed: 1, prompt: 'select' },
    });
  });

  test('key points that it was not shown are refused and counted', async () => {
    const app = await modelApp(
      picking([1, 1, '2', 99, 0, -1, 1.5, null, { number: 3 }, 'The moon is made of cheese.']),
      EMBEDDED,
    );
    const digest = await app.digest(request);
    expect(digest.keyPoints.filter(({ selected }) => selected)).toHaveLength(2);
    expect(digest.warnings).toContain('The model selected 7 key points that are not in the list; they were ignored.');
    expect(digest).toMatchObject({ status: 'completed', selection: { strategy: 'llm' } });
  });

  test('the words of a key point name it', async () => {
    const said = '  Sales in the old town fell by 8 percent\nwhen the main bridge was closed last year. ';
    const digest = await (await modelApp(picking([said]), EMBEDDED)).digest(request);
    expect(statedIn(digest)).toEqual([said.trim().replace(/\s+/g, ' ')]);
    expect(digest.warnings).toEqual([]);
  });

  test.each<readonly [string, Script, number, string]>([
    ['none', always({ text: '{"picked":[]}' }), 1, 'The model selected no key point of the list;'],
    ['none that is there', always({ text: '{"picked":[98,99]}' }), 1, 'The model selected no key point of the list;'],
    [
      'prose',
      always({ text: 'The first one.' }),
      2,
      'Selecting by the language model failed: The model answered twice',
    ],
    [
      'another schema',
      always({ text: '{"answer":[1]}' }),
      2,
      'Selecting by the language model failed: The model answered twice',
    ],
    ['500', always({ status: 500 }), 3, 'Selecting by the language model failed: The server'],
    [
      '429',
      always({ status: 429, headers: { 'retry-after': '7' } }),
      3,
      'Selecting by the language model failed: The language model takes no more',
    ],
    [
      'a connection reset',
      always({ reset: true }),
      3,
      'Selecting by the language model failed: The language model could not',
    ],
    [
      'no completion',
      always({ raw: '{}' }),
      3,
      'Selecting by the language model failed: The language model answered in a form',
    ],
  ])('where it answers %s, the default strategy selects, and is named', async (_, script, calls, why) => {
    const app = await modelApp(goodBut(['select'], script), EMBEDDED);
    const digest = await app.digest(request);
    const { digest: streamed } = await (await modelApp(goodBut(['select'], script), EMBEDDED)).streamed(request);
    expect(answered(streamed)).toEqual(answered(digest));
    expect(app.server.requests).toHaveLength(calls);
    expect(digest).toMatchObject({ status: 'partial', selection: { strategy: 'dpp-map', size: 'auto' } });
    expect(digest.warnings.filter((each) => each.startsWith(why))).toHaveLength(1);
    expect(digest.warnings.at(-1)).toContain('selected by "dpp-map" instead');
    const plain = await (await modelApp(good, EMBEDDED)).digest({ documents: CITY, intent: CITY_INTENT });
    expect(digest.summary).toEqual(plain.summary);
  });

  test('is shown the most relevant key points where the context holds no more', async () => {
    const sentences = Array.from(
      { length: 60 },
      (_, i) => `Street number ${i} of the old town has shops that sell things ${i} days a year.`,
    );
    const app = await modelApp(good, { ...EMBEDDED, model: { contextTokens: 1000 } });
    const digest = await app.digest({
      documents: [{ id: 'many', text: sentences.join(' ') }],
      intent: 'What do shops in the old town sell?',
      selection: { strategy: 'llm', relevance: { gate: null } },
    });
    const shown = dataIn(app.server.requests[0], 'key points')[0].text.split('\n').length;
    expect(shown).toBeLessThan(60);
    expect(digest.warnings).toEqual([
      `The ${60 - shown} least relevant key points did not fit the model's prompt.`,
      'The model that selected was not shown 1 of 1 documents in full: they did not fit its prompt.',
    ]);
    const bytes = app.server.requests[0].body.messages?.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
    expect(bytes).toBeLessThan(4 * 1000);
  });
});

describe('facets by a model', () => {
  const asked = {
    documents: CITY,
    intent: 'What does the charge do to sales, and who pays half of it?',
    selection: { relevance: { facets: 'llm' } },
  } as const;

  test('are what relevance is measured by', async () => {
    const app = await modelApp(good, EMBEDDED);
    const digest = await app.digest(asked);
    expect(callsOf(app.server)).toEqual({ facets: 1 });
    expect(digest.selection.relevance.facets).toEqual(['What does the charge do to sales', 'who pays half of it?']);
    expect(digest.engine.models.select?.prompt).toBe('facets');
    expect(Object.keys(digest.prompts)).toEqual(['facets']);
  });

  test.each<readonly [string, Reply, number]>([
    ['prose', { text: 'Two parts.' }, 2],
    ['no part', { text: '{"parts":[]}' }, 1],
    ['blank parts', { text: '{"parts":[" ","?"]}' }, 1],
    ['500', { status: 500 }, 3],
  ])('by rules where the model answers %s', async (_, reply, calls) => {
    const app = await modelApp(goodBut(['facets'], always(reply)), EMBEDDED);
    const digest = await app.digest(asked);
    expect(app.server.requests).toHaveLength(calls);
    const byRules = await (await modelApp(good, EMBEDDED)).digest({
      ...asked,
      selection: { relevance: { facets: true } },
    });
    expect(digest.selection.relevance.facets).toEqual(byRules.selection.relevance.facets);
    expect(digest.summary).toEqual(byRules.summary);
    expect(digest.status).toBe('partial');
    expect(digest.warnings).toEqual([
      expect.stringMatching(
        /^(?:Splitting the intent by the language model failed|The language model named no part of the intent).+ split by rules instead\.$/,
      ),
    ]);
  });

  test('need an intent', async () => {
    const app = await modelApp(good, EMBEDDED);
    const { intent: _, ...without } = asked;
    await app.digest(without);
    expect(app.server.requests).toEqual([]);
  });
});

test('/v1/selections has no model to ask', async () => {
  const { post } = await modelApp(good);
  for (const strategy of ['llm', 'naive']) {
    const items = [{ id: 'a', text: 'Residents pay half the charge.' }];
    const response = await post('/v1/selections', { items, selection: { strategy } });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/selection/strategy' }] });
  }
});
