import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STAGES } from '../src/contract/index.ts';
import { sqliteCache } from '../src/index.node.ts';
import { createTessera, InvalidRequestError, memoryCache, UnusableOptionError } from '../src/index.ts';
import { loadPrompts } from '../src/models/index.node.ts';
import { type ChatCall, type LanguageModel, NO_USAGE } from '../src/models/index.ts';
import { CITY, CITY_INTENT } from './support/documents.ts';
import { HashedWordsEncoder } from './support/hashed-words-encoder.ts';
import { answered } from './support/promises.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { testApp } from './support/test-deps.ts';

interface ScriptedModel extends LanguageModel {
  readonly calls: readonly ChatCall[];
}

/** A language model that answers by a function at no cost. @param answer called with the call and its index; its errors fail the call */
function scriptedModel(answer: (call: ChatCall, index: number) => string | Promise<string>): ScriptedModel {
  const calls: ChatCall[] = [];
  return {
    calls,
    defaultModel: 'scripted',
    contextTokens: 32_000,
    async complete(call) {
      call.signal?.throwIfAborted();
      calls.push(call);
      const text = await answer(call, calls.length - 1);
      call.onText?.(text);
      return { text, isCut: false, usage: { ...NO_USAGE, requests: 1 } };
    },
  };
}

const REQUEST = { documents: [...CITY], intent: CITY_INTENT };

async function library(options: Partial<Parameters<typeof createTessera>[0]> = {}) {
  const encoder = new HashedWordsEncoder();
  return { encoder, tessera: await createTessera({ encoder, ...options }) };
}

/** What the service answers. */
async function overHttp(path: string, request: unknown) {
  const response = await testApp().post(path, request);
  expect(response.status).toBeLessThan(300);
  return response.json();
}

describe('answers what the service answers', () => {
  test.each([
    ['with a question', REQUEST],
    ['without one', { documents: [...CITY] }],
    ['as bullets', { ...REQUEST, summary: { format: 'bullets' as const } }],
    ['by another strategy', { ...REQUEST, selection: { strategy: 'mmr' as const, size: { keyPoints: 3 } } }],
  ])('a digest %s', async (_, request) => {
    const { tessera } = await library();
    // JSON has no undefined.
    const digest = JSON.parse(JSON.stringify(await tessera.digest(request)));
    expect(answered(digest)).toEqual(
      answered((await overHttp('/v1/digests?include=receipts', request)) as typeof digest),
    );
  });

  test('a selection', async () => {
    const { tessera } = await library();
    const items = CITY.map(({ id, text }) => ({ id, text }));
    const request = { items, intent: CITY_INTENT, selection: { size: { keyPoints: 2 } } };
    expect(await tessera.select(request)).toEqual(await overHttp('/v1/selections', request));
  });

  test('an evaluation', async () => {
    const { tessera } = await library();
    const request = {
      metric: 'summhay' as const,
      insights: [
        { id: 'i', text: 'Revenue from the charge goes to the tram network.', documents: ['council', 'tram'] },
      ],
      bullets: 'Revenue from the charge goes to the tram network [council].',
      documents: CITY.map(({ id }) => id),
    };
    expect(await tessera.evaluate(request)).toEqual(await overHttp('/v1/evaluations', request));
  });

  test.each([
    {},
    { documents: 'none' },
    { documents: [{ id: 'a', text: 1 }], summary: { maxWords: -1, form: 'x' } },
    { ...REQUEST, selection: { strategy: 'best' } },
    { ...REQUEST, engine: { encoder: 'unknown' } },
    { ...REQUEST, engine: 'llm' },
  ])('a refusal, case %#', async (request) => {
    const { tessera } = await library();
    const refusal: unknown = await tessera.digest(request as typeof REQUEST).catch((error: unknown) => error);
    const response = await testApp().post('/v1/digests', request);
    const { errors } = (await response.json()) as { errors: { pointer: string; detail: string }[] };
    expect(response.status).toBe(422);
    if (refusal instanceof InvalidRequestError) expect(refusal.problems).toEqual(errors);
    else {
      expect(refusal).toBeInstanceOf(UnusableOptionError);
      const { pointer } = refusal as UnusableOptionError;
      expect([pointer]).toEqual(errors.map((error) => error.pointer));
    }
  });
});

test.each([
  ['/collection', { collection: 'col_1' }],
  ['/callbackUrl', { ...REQUEST, callbackUrl: 'https://example.org/' }],
  ['/experiment', { ...REQUEST, experiment: { key: 'k', subject: 's' } }],
  ['/intent/background/digest', { ...REQUEST, intent: { problem: 'Why?', background: { digest: 'dig_1' } } }],
])('what only a service keeps is refused: %s', async (pointer, request) => {
  const { tessera } = await library();
  await expect(tessera.digest(request)).rejects.toMatchObject({ code: 'unusable-option', pointer });
});

test('stored digests are refused where none are kept', async () => {
  const { tessera } = await library();
  const refused = { code: 'unusable-option', pointer: '/digest' };
  await expect(tessera.select({ digest: 'dig_1' })).rejects.toMatchObject(refused);
  const evaluation = { metric: 'summhay' as const, digest: 'dig_1', insights: [{ id: 'i', text: 'Trams run.' }] };
  await expect(tessera.evaluate(evaluation)).rejects.toMatchObject(refused);
});

test('a second question encodes the question alone', async () => {
  const { tessera, encoder } = await library();
  await tessera.digest(REQUEST);
  encoder.calls.length = 0;
  const second = await tessera.digest({ ...REQUEST, intent: 'Who pays for the second tram line?' });
  expect(second.usage).toMatchObject({ reusedExtractions: CITY.length });
  const known = new Set((await tessera.digest(REQUEST)).keyPoints.map(({ text }) => text));
  expect(encoder.texts.filter((text) => known.has(text))).toEqual([]);
});

test('without room in the cache the digest is the same', async () => {
  const { tessera } = await library({ cache: memoryCache(0) });
  const { tessera: other } = await library();
  expect(answered(await tessera.digest(REQUEST))).toEqual(answered(await other.digest(REQUEST)));
});

test('a cache in a file serves the next process', async () => {
  const file = join(temporaryFolder(), 'cache.sqlite');
  const first = await sqliteCache(file);
  const made = await (await library({ cache: first })).tessera.digest(REQUEST);
  first.close();
  const second = await sqliteCache(file);
  const { tessera } = await library({ cache: second });
  const again = await tessera.digest(REQUEST);
  second.close();
  expect(again.usage).toMatchObject({ reusedExtractions: CITY.length });
  expect(answered(again)).toEqual(answered(made));
});

describe('a caller', () => {
  test('is told of every stage, and of the sentences in order', async () => {
    const { tessera } = await library();
    const stages: string[] = [];
    const told: string[] = [];
    const digest = await tessera.digest(REQUEST, {
      onProgress: ({ stage, done, total }) => {
        expect(done).toBeLessThanOrEqual(total);
        if (stages.at(-1) !== stage) stages.push(stage);
      },
      onSentence: ({ text }) => told.push(text),
    });
    expect(stages).toEqual(STAGES);
    expect(told).toEqual(digest.summary.sentences.map(({ text }) => text));
  });

  test.each(STAGES.filter((stage) => stage !== 'write'))(
    'who goes away in the stage %s ends the digest',
    async (last) => {
      const { tessera } = await library();
      const gone = new AbortController();
      const reason = new Error('gone');
      const stages = new Set<string>();
      const digest = tessera.digest(REQUEST, {
        signal: gone.signal,
        onProgress({ stage }) {
          stages.add(stage);
          if (stage === last) gone.abort(reason);
        },
      });
      await expect(digest).rejects.toBe(reason);
      expect(stages).not.toContain('write');
    },
  );

  test('who is gone before begins nothing', async () => {
    const { tessera, encoder } = await library();
    await expect(tessera.digest(REQUEST, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect(encoder.calls).toEqual([]);
  });

  test('who gives a model and no prompts is told which option needs them', async () => {
    const model = scriptedModel(() => '');
    const { tessera } = await library({ model });
    const refused = { code: 'unusable-option', pointer: expect.stringMatching(/^\/engine/) };
    await expect(tessera.digest({ ...REQUEST, engine: 'llm' })).rejects.toMatchObject(refused);
    expect(model.calls).toEqual([]);
  });

  test('whose model reads the documents has its key points, each by a quote', async () => {
    const quote = 'Revenue from the charge goes to the tram network.';
    const keyPoints = [{ text: 'The trams get the money.', quotes: [quote] }];
    const model = scriptedModel((_, index) => JSON.stringify({ keyPoints: index === 0 ? keyPoints : [] }));
    const { tessera } = await library({ model, prompts: loadPrompts() });
    const engine = { extractor: 'llm' as const, verify: 'off' as const };
    const made = await tessera.digest({ documents: [CITY[0]], engine });
    expect(made.keyPoints.map(({ text }) => text)).toEqual(['The trams get the money.']);
    expect(JSON.stringify(made.summary.sentences)).toContain(quote);
    expect(model.calls.length).toBeGreaterThan(0);
  });
});
