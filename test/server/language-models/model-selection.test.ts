import { describe, expect, test } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { dataIn, good } from '../../support/good-model.ts';
import { callsOf, modelApp } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';

const EMBEDDED = { parts: { extractor: 'sentences', writer: 'compose' } } as const;
const request = { documents: CITY, intent: CITY_INTENT, selection: { strategy: 'llm' } } as const;
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
});
