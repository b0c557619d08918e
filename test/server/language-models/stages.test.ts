import { describe, expect, test } from 'vitest';
import { type Prompt, parsePrompt } from '../../../src/models/index.ts';
import { askedIn, good, goodBut } from '../../support/good-model.ts';
import { callsOf, type ModelAppOptions, modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { testApp } from '../../support/test-deps.ts';

const request = { documents: NOTES, intent: NOTES_INTENT };

describe('stages', () => {
  test('each asks as the request says, and the answer records it', async () => {
    const app = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
    const digest = await app.digest({
      ...request,
      selection: { strategy: 'llm', relevance: { facets: 'llm' } },
      engine: {
        extractor: 'llm',
        writer: 'llm',
        model: 'base',
        stages: {
          extract: { model: 'small', temperature: 0.3, topP: 0.9, seed: 7 },
          select: { topP: 0.5 },
          write: { model: 'large', temperature: 1 },
        },
      },
    });
    expect(callsOf(app.server)).toEqual({ facets: 1, extract: 3, select: 1, write: 1 });
    const picker = { model: 'base', temperature: 0, top_p: 0.5, seed: 1 };
    const sent = {
      extract: { model: 'small', temperature: 0.3, top_p: 0.9, seed: 7 },
      select: picker,
      facets: picker,
      write: { model: 'large', temperature: 1, seed: 1 },
    };
    for (const asked of app.server.requests) {
      const { model, temperature, top_p, seed } = asked.body;
      expect({ model, temperature, ...(top_p !== undefined && { top_p }), seed }).toEqual(Object(sent)[askedIn(asked)]);
    }
    expect(digest.engine.models).toEqual({
      extract: { model: 'small', temperature: 0.3, topP: 0.9, seed: 7, prompt: 'extract' },
      select: { model: 'base', temperature: 0, topP: 0.5, seed: 1, prompt: 'select' },
      write: { model: 'large', temperature: 1, topP: null, seed: 1, prompt: 'write' },
    });
    expect(digest.engine.extractor).toMatch(/^llm@\d+\/small\/[0-9a-f]{16}$/);
    const used = ['extract', 'extract-more', 'facets', 'select', 'write', 'write-again'];
    expect(digest.prompts).toEqual(Object.fromEntries(used.map((id) => [id, PROMPTS.get(id)?.hash])));
  });

  test('a prompt of the operator is used where the request names it', async () => {
    const own = `---\nid: write-tersely\nstage: write\npurpose: Write less.\nvariables: [points]\n---\n# System\nYou write short, factual texts, tersely.\n# User\n{{points}}\n`;
    const prompts = new Map<string, Prompt>([...PROMPTS, ['write-tersely', parsePrompt(own)]]);
    const app = await modelApp(good, { parts: { prompts } });
    const digest = await app.digest({ ...request, engine: { stages: { write: { prompt: 'write-tersely' } } } });
    expect(app.server.requests.at(-1)?.body.messages?.[0].content).toContain('tersely');
    expect(digest.engine.models.write?.prompt).toBe('write-tersely');
    expect(digest.prompts['write-tersely']).toBe(parsePrompt(own).hash);
    expect(digest.prompts).not.toHaveProperty('write');
  });
});

describe('usage', () => {
  test('is the sum of the stages, with every request that was made', async () => {
    let failed = 0;
    const app = await modelApp((asked) => {
      if (askedIn(asked) === 'extract' && failed++ === 0) return { status: 500 };
      return askedIn(asked) === 'write' ? { text: 'The mayor resigned on Friday. [1]' } : good(asked);
    });
    const { usage } = await app.digest({ ...request, selection: { strategy: 'llm' } });
    expect(callsOf(app.server)).toEqual({ extract: 4, select: 1, write: 1, judge: 1, 'write-again': 1 });
    const cost = (requests: number) => expect.closeTo((requests * (20 * 1 + 5 * 10)) / 1e6, 12);
    expect(usage.stages).toEqual({
      extract: { requests: 4, promptTokens: 60, completionTokens: 15, cost: cost(3) },
      select: { requests: 1, promptTokens: 20, completionTokens: 5, cost: cost(1) },
      write: { requests: 2, promptTokens: 40, completionTokens: 10, cost: cost(2) },
      judge: { requests: 1, promptTokens: 20, completionTokens: 5, cost: cost(1) },
    });
    expect(usage).toMatchObject({ requests: 8, promptTokens: 140, completionTokens: 35, cost: cost(7) });
    expect(app.server.requests).toHaveLength(8);
  });

  test('has no cost where a model has no price', async () => {
    const app = await modelApp(good);
    const { usage } = await app.digest({ ...request, engine: { stages: { write: { model: 'unpriced' } } } });
    expect(usage).toMatchObject({
      cost: null,
      stages: { write: { cost: null }, extract: { cost: expect.any(Number) } },
    });
  });

  test('counts answers that were of no use', async () => {
    const app = await modelApp(goodBut(['extract'], () => ({ text: 'prose' })));
    const { usage } = await app.digest(request);
    expect(usage).toMatchObject({
      requests: 6,
      promptTokens: 120,
      completionTokens: 30,
      stages: { write: { requests: 0, cost: 0 } },
    });
  });
});

describe('what cannot be had is a 422 with a pointer', () => {
  const named = (stage: string, prompt: string) => ({ engine: { stages: { [stage]: { prompt } } } });
  const NO_DEFAULT: ModelAppOptions = { model: { defaultModel: null } };
  test.each<[string, object, string, ModelAppOptions]>([
    ['an unknown prompt to write', named('write', 'none'), '/engine/stages/write/prompt', {}],
    ['a prompt of another stage', named('write', 'extract'), '/engine/stages/write/prompt', {}],
    ['an unknown prompt to extract', named('extract', 'none'), '/engine/stages/extract/prompt', {}],
    [
      'a prompt that needs a question, without one',
      named('extract', 'extract-for-question'),
      '/engine/stages/extract/prompt',
      {},
    ],
    [
      'a prompt that asks no question, where one should be',
      { engine: { stages: { extract: { prompt: 'extract' } }, extraction: { conditioned: true } } },
      '/engine/stages/extract/prompt',
      {},
    ],
    [
      'an unknown prompt to select',
      { selection: { strategy: 'llm' }, ...named('select', 'none') },
      '/engine/stages/select/prompt',
      {},
    ],
    ['no default model', {}, '/engine/model', NO_DEFAULT],
    ['no default model for a stage', { engine: { stages: { extract: { model: 'm' } } } }, '/engine/model', NO_DEFAULT],
    [
      'a temperature out of range',
      { engine: { stages: { write: { temperature: 3 } } } },
      '/engine/stages/write/temperature',
      {},
    ],
    ['a stage that is not there', { engine: { stages: { rank: {} } } }, '/engine/stages/rank', {}],
    [
      'a conditioned extraction without an intent',
      { intent: ' ?', engine: { extraction: { conditioned: true } } },
      '/engine/extraction/conditioned',
      {},
    ],
  ])('%s', async (_, more, pointer, options) => {
    const app = await modelApp(good, options);
    const response = await app.post('/v1/digests', { ...request, ...more });
    expect(await response.json()).toMatchObject({ status: 422, errors: [{ pointer }] });
    expect(response.status).toBe(422);
    const streamed = await app.stream({ ...request, ...more });
    expect(streamed.status).toBe(422);
    expect(app.server.requests).toEqual([]);
  });

  test.each<readonly [string, object, string]>([
    ['an extractor', { engine: { extractor: 'llm' } }, '/engine/extractor'],
    ['a writer', { engine: { writer: 'llm' } }, '/engine/writer'],
    ['a selection', { selection: { strategy: 'llm' } }, '/selection/strategy'],
    ['the naive pipeline', { selection: { strategy: 'naive' } }, '/selection/strategy'],
    ['facets', { selection: { relevance: { facets: 'llm' } } }, '/selection/relevance/facets'],
  ])('%s without any model', async (_, more, pointer) => {
    const response = await testApp().post('/v1/digests', { ...request, ...more });
    expect(response.status).toBe(422);
    const problem = await response.json();
    expect(problem).toMatchObject({ errors: [{ pointer, detail: expect.stringContaining('OPENAI_API_KEY') }] });
  });
});

test('a model that is there changes nothing for a request that does not name it (P10)', async () => {
  const app = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
  const digest = await app.digest(request);
  expect(app.server.requests).toEqual([]);
  const none = { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 };
  expect(digest).toMatchObject({ engine: { models: {} }, prompts: {}, writing: null, usage: { ...none, stages: {} } });
  const bare = await (await testApp().post('/v1/digests', request)).json();
  expect({ ...Object(bare), id: '', timings: {}, usage: {} }).toEqual({ ...digest, id: '', timings: {}, usage: {} });
});
