import { describe, expect, test } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { dataIn, good, goodBut } from '../../support/good-model.ts';
import { callsOf, modelApp } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import type { Reply, Script } from '../../support/scripted-model-server.ts';

// How many requests each stage makes: extraction-failures.test.ts.

const EMBEDDED = { parts: { extractor: 'sentences', writer: 'compose' } } as const;
const request = { documents: CITY, intent: CITY_INTENT, selection: { strategy: 'llm' } } as const;
const always =
  (reply: Reply): Script =>
  () =>
    reply;

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
});

describe('facets by a model', () => {
  const asked = {
    documents: CITY,
    intent: 'What does the charge do to sales, and who pays half of it?',
    selection: { relevance: { facets: 'llm' } },
  } as const;

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
});
