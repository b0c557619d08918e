import { describe, expect, test } from 'vitest';
import { CITY } from '../../support/documents.ts';
import { askedIn, dataIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { modelApp } from '../../support/model-app.ts';
import { lastUser, type Script } from '../../support/scripted-model-server.ts';

const GERMAN = 'Was hat die City-Maut in der Innenstadt verändert, und wie haben die Händler darauf reagiert?';
const request = { documents: CITY, intent: GERMAN };
const sentences = { extractor: 'sentences' } as const;

/** Puts the question into English, and writes the first key point in German. */
const translating =
  (supported: boolean): Script =>
  (asked) => {
    if (/^You translate/.test(asked.body.messages?.[0]?.content ?? '')) {
      return { text: JSON.stringify({ parts: ['What did the congestion charge change in the old town?'] }) };
    }
    const purpose = askedIn(asked);
    if (purpose === 'judge') {
      return { text: JSON.stringify({ verdicts: [{ statement: 1, wrong: '', idle: [], supported }] }) };
    }
    if (purpose !== 'write') return good(asked);
    const [[{ number }]] = givenPoints(asked);
    return { text: `Das ist es, was die Dokumente über die Maut in der Altstadt sagen und berichten. [${number}]` };
  };

describe('a German intent over English documents', () => {
  test('relevance is found by its translation, and the text is judged', async () => {
    const app = await modelApp(translating(true), { parts: sentences });
    const digest = await app.digest(request);
    expect(digest.status).toBe('completed');
    expect(digest.selection.relevance.facets).toEqual(['What did the congestion charge change in the old town?']);
    expect(digest.selection.gate.kept).toBeGreaterThan(0);
    expect(digest.writing).toMatchObject({ drafted: 1, judged: 1 });
    const judged = digest.summary.sentences.filter(({ framing, support }) => !framing && support === null);
    expect(judged.map(({ text }) => text)).toEqual([expect.stringMatching(/^Das ist es/)]);
    expect(digest.summary.sentences.map(({ verification }) => verification)).toContain('judged');
    expect(Object.keys(digest.usage.stages).sort()).toEqual(['judge', 'select', 'write']);
    const translation = app.server.requests.find(({ body }) =>
      /^You translate/.test(body.messages?.[0]?.content ?? ''),
    );
    if (translation === undefined) throw new Error('the question was not translated');
    expect(dataIn(translation, 'question')[0].text).toBe(GERMAN);
    expect(lastUser(translation)).toContain('Write the parts in English.');
  });

  test('what the judge does not support does not stand', async () => {
    const app = await modelApp(translating(false), { parts: sentences });
    const digest = await app.digest(request);
    expect(digest.summary.text).not.toContain('Das ist es');
    expect(digest.writing).toMatchObject({ judged: 0 });
  });

  test('without a translation the digest is partial and says why', async () => {
    const app = await modelApp(
      (asked) => (/^You translate/.test(asked.body.messages?.[0]?.content ?? '') ? { status: 401 } : good(asked)),
      { parts: sentences },
    );
    const digest = await app.digest(request);
    expect(digest.status).toBe('partial');
    expect(digest.warnings.join(' ')).toContain('Translating the intent by the language model failed');
  });

  test('without a language model in use nobody is asked', async () => {
    const app = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
    await app.digest(request);
    expect(app.server.requests).toEqual([]);
  });
});

test('an English intent over English documents is not translated', async () => {
  const app = await modelApp(
    goodBut(['write'], (asked) => ({ text: `Bananas sing. [${givenPoints(asked)[0][0].number}]` })),
    {
      parts: sentences,
    },
  );
  const digest = await app.digest({
    documents: CITY,
    intent: 'What did the congestion charge change in the old town?',
  });
  expect(Object.keys(digest.usage.stages)).toEqual(['write', 'judge']);
  expect(digest.summary.text).not.toContain('Bananas');
});

describe('options that nothing uses', () => {
  test('settings of a stage that asks no model are named', async () => {
    const app = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
    const digest = await app.digest({ documents: CITY, engine: { stages: { write: { temperature: 1 } } } });
    expect(digest.warnings.join(' ')).toContain('The settings of the stage "write" were not used');
  });

  test('options of the extractor "llm" need it', async () => {
    const { post } = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
    const response = await post('/v1/digests', { documents: CITY, engine: { extraction: { rounds: 2 } } });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('/engine/extraction');
  });
});
