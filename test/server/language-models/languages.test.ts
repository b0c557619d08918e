import { describe, expect, test } from 'vitest';
import { CITY } from '../../support/documents.ts';
import { askedIn, dataIn, givenPoints, good } from '../../support/good-model.ts';
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
});
