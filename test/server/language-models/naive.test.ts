import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { dataIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT, statedIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import type { RecordedRequest, Reply, Script } from '../../support/scripted-model-server.ts';

// How many requests each stage makes: extraction-failures.test.ts.

const request = { documents: NOTES, intent: NOTES_INTENT, selection: { strategy: 'naive' } } as const;
const always =
  (reply: Reply): Script =>
  () =>
    reply;
/** Sentences with quotes of documents, named by their ids. */
const answering = (sentences: readonly (readonly [string, ...(readonly [string, string])[]])[]): Script =>
  goodBut(['naive'], (asked) => ({
    text: JSON.stringify({
      sentences: sentences.map(([text, ...quotes]) => ({
        text,
        quotes: quotes.map(([id, quote]) => ({ document: numberOf(asked, id), quote })),
      })),
    }),
  }));

function numberOf(asked: RecordedRequest, id: string): number {
  const text = NOTES.find((each) => each.id === id)?.text;
  return dataIn(asked, 'document').find((each) => each.text === text)?.number ?? 99;
}

function selectedIn({ keyPoints }: Digest): string[] {
  return keyPoints.filter(({ selected }) => selected).map(({ text }) => text);
}

describe('one prompt over the documents', () => {
  test.each([
    ['with an intent', CITY_INTENT],
    ['without one', undefined],
  ])('%s makes the digest: what it quotes becomes the key points', async (_, intent) => {
    const asked = { ...request, documents: CITY, intent };
    const app = await modelApp(good);
    const digest = await app.digest(asked);
    const { digest: streamed } = await (await modelApp(good)).streamed(asked);
    expect(callsOf(app.server)).toEqual({ naive: 1 });
    expect(answered(streamed)).toEqual(answered(digest));
    expect(digest).toMatchObject({
      status: 'completed',
      warnings: [],
      selection: { strategy: 'naive', gate: { dropped: 0 } },
    });
    expect(digest.engine).toMatchObject({ writer: 'naive', extractor: expect.stringMatching(/^naive@\d+\/m\//) });
    expect(Object.keys(digest.prompts)).toEqual(['naive']);
    expect(digest.writing).toMatchObject({ drafted: 12, kept: 12, replaced: 0, added: 0 });
    expect(selectedIn(digest)).toHaveLength(digest.keyPoints.length);
    expect(dataIn(app.server.requests[0], 'question').map(({ text }) => text)).toEqual(
      intent === undefined ? [] : [intent],
    );
    expect(dataIn(app.server.requests[0], 'document')).toHaveLength(CITY.length);
  });

  test('quotes that stand in no document, or in another, are dropped and counted', async () => {
    const app = await modelApp(
      answering([
        [
          'Residents pay half the charge.',
          ['council', 'Residents pay half the charge.'],
          ['shops', 'Residents pay half.'],
        ],
        ['The mayor resigned.', ['council', 'The mayor resigned on Friday.']],
        ['The mayor resigned.', ['council', 'The mayor resigned on Friday.']],
        ['Traffic would fall.', ['elsewhere', 'Traffic in the old town would fall by 15 percent.']],
      ]),
    );
    const digest = await app.digest(request);
    expect(digest.warnings).toContain(
      "4 quotes in the model's answer are not in the documents that it named and were dropped.",
    );
    expect(selectedIn(digest)).toEqual(['Residents pay half the charge.']);
    expect(statedIn(digest)).toEqual(['Residents pay half the charge.']);
    expect(digest.writing).toMatchObject({ drafted: 4, kept: 1, uncited: 3, askedAgain: 0 });
    const unverified = digest.keyPoints.filter(({ reason }) => reason === 'unverified');
    expect(unverified.map(({ text }) => text).sort()).toEqual([
      'Residents pay half the charge.',
      'The mayor resigned.',
    ]);
    expect(new Set(digest.keyPoints.map(({ id }) => id)).size).toBe(digest.keyPoints.length);
  });

  test('a sentence that its quotes do not support gives way to them, and nothing is asked again', async () => {
    const quote = 'Sales in the old town fell by 8 percent when the bridge was closed.';
    const app = await modelApp(answering([['Everyone in town will be ruined by 2031.', ['shops', quote]]]));
    const digest = await app.digest(request);
    expect(callsOf(app.server)).toEqual({ naive: 1, judge: 1 });
    expect(statedIn(digest)).toEqual([quote]);
    expect(digest.writing).toMatchObject({ drafted: 1, kept: 0, askedAgain: 0, replaced: 1 });
  });

  test('quotes are found in spite of spaces, case and dashes', async () => {
    const app = await modelApp(answering([['Residents pay half.', ['council', 'residents  PAY half\nthe charge']]]));
    const { keyPoints } = await app.digest(request);
    expect(keyPoints).toMatchObject([{ quote: { status: 'repaired' }, selected: true }]);
  });

  test('an answer without a sentence is a digest without one', async () => {
    const digest = await (await modelApp(answering([]))).digest(request);
    expect(statedIn(digest)).toEqual([]);
    expect(digest.documents.map(({ status }) => status)).toEqual(['empty', 'empty', 'empty']);
  });

  test.each<readonly [string, Script, number, string]>([
    ['prose', always({ text: 'They speak of a charge.' }), 2, 'answered twice in a form that could not be read'],
    [
      'another schema',
      always({ text: '{"summary":"A charge."}' }),
      2,
      'answered twice in a form that could not be read',
    ],
    ['500', always({ status: 500 }), 3, 'failed (HTTP 500), after 3 requests.'],
    [
      '429',
      always({ status: 429, headers: { 'retry-after': '7' } }),
      3,
      'takes no more requests for now (HTTP 429), after 3',
    ],
    ['a connection reset', always({ reset: true }), 3, 'the connection broke, after 3 requests.'],
    ['no completion', always({ raw: '{}' }), 3, 'in a form that could not be read, after 3 requests.'],
  ])('fails with its reason where the model answers %s', async (_, script, calls, why) => {
    const app = await modelApp(goodBut(['naive'], script));
    const digest = await app.digest(request);
    const { digest: streamed } = await (await modelApp(goodBut(['naive'], script))).streamed(request);
    expect(answered(streamed)).toEqual(answered(digest));
    expect(app.server.requests).toHaveLength(calls);
    expect(digest.status).toBe('failed');
    for (const { status, error } of digest.documents) {
      expect(status).toBe('failed');
      expect(error).toEqual({ code: 'extraction-failed', message: expect.stringContaining(why) });
    }
    expect(statedIn(digest)).toEqual([]);
    expect(app.parts.failures).toHaveLength(1);
  });

  test.each([
    ['the most relevant passages', 'Which streets have a fountain?'],
    ['the beginning of each document', undefined],
  ])('shows %s where the context holds no more', async (_, intent) => {
    const filler = (of: string) =>
      Array.from({ length: 120 }, (_, i) => `House ${i} of the ${of} quarter was built with brick and slate.`);
    const documents = ['north', 'south'].map((id) => ({
      id,
      text: [
        ...filler(id),
        ...Array(30).fill(`Three streets of the ${id} quarter have a fountain.`),
        ...filler(id),
      ].join(' '),
    }));
    const app = await modelApp(good, { model: { contextTokens: 3000 } });
    const digest = await app.digest({
      documents,
      selection: { strategy: 'naive' },
      ...(intent !== undefined && { intent }),
    });
    const shown = dataIn(app.server.requests[0], 'document');
    expect(shown.map(({ number }) => number)).toEqual([1, 2]);
    expect(shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(0.6 * 4 * 3000);
    for (const { text } of shown) {
      expect(/have a fountain/.test(text)).toBe(intent !== undefined);
      if (intent === undefined) expect(text).toContain('House 0 of');
    }
    const missing =
      intent === undefined ? /^\d+ passages .+ did not fit/ : /^The \d+ least relevant passages .+ did not fit/;
    expect(digest.warnings).toContainEqual(expect.stringMatching(missing));
  });
});

describe('every key point', () => {
  test('more than a prompt should hold are written in parts, at once', async () => {
    const sentences = Array.from(
      { length: 290 },
      (_, i) => `Workshop ${i} repairs ${i + 3} bicycles in street ${i * 7} on market days.`,
    );
    const documents = [{ id: 'many', text: sentences.join(' ') }];
    const asked = {
      documents,
      selection: { strategy: 'all' },
      summary: { maxWords: null },
      engine: { extractor: 'sentences', writer: 'llm' },
    } as const;
    const app = await modelApp((sent) => ({ ...good(sent), delay: 150 }), { model: { contextTokens: 64_000 } });
    const digest = await app.digest(asked);
    expect(digest.keyPoints.filter(({ selected }) => selected)).toHaveLength(290);
    const parts = app.server.requests.map((sent) =>
      givenPoints(sent)
        .flat()
        .map(({ number }) => number),
    );
    expect(callsOf(app.server)).toEqual({ write: 2 });
    expect(parts.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 290 }, (_, i) => i + 1));
    expect(Math.max(...parts.map((numbers) => numbers.length))).toBeLessThanOrEqual(200);
    expect(app.server.maxInFlight).toBe(2);
    expect(digest.writing).toMatchObject({ kept: digest.writing?.drafted, replaced: 0, added: 0 });

    const { digest: streamed } = await (await modelApp(good, { model: { contextTokens: 64_000 } })).streamed(asked);
    expect(answered(streamed)).toEqual(answered(digest));
  });

  test('a part that fails leaves the others', async () => {
    const sentences = Array.from(
      { length: 250 },
      (_, i) => `Workshop ${i} repairs ${i + 3} bicycles in street ${i * 7} on market days.`,
    );
    const script = goodBut(['write'], (sent) =>
      givenPoints(sent)
        .flat()
        .some(({ number }) => number === 1)
        ? { status: 500 }
        : good(sent),
    );
    const app = await modelApp(script, { model: { contextTokens: 64_000 } });
    const { digest } = await app.streamed({
      documents: [{ id: 'many', text: sentences.join(' ') }],
      selection: { strategy: 'all' },
      summary: { maxWords: null },
      engine: { extractor: 'sentences', writer: 'llm' },
    });
    expect(callsOf(app.server)).toEqual({ write: 4 });
    expect(digest).toMatchObject({ status: 'partial', engine: { writer: 'llm' } });
    expect(digest.writing?.added).toBeGreaterThan(0);
    expect(digest.writing?.kept).toBeGreaterThan(0);
  });
});
