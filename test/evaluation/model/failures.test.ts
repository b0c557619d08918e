import { expect, test } from 'vitest';
import { UnusableOptionError } from '../../../src/digest/index.ts';
import { modelJudge } from '../../../src/evaluation/model/model-judge.ts';
import { parsePrompt } from '../../../src/models/index.ts';
import { failureOf, scriptedModel } from '../../models/language/scripted-model.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { lastUser } from '../../support/scripted-model-server.ts';
import { until } from '../../support/until.ts';
import { judging } from './judging.ts';

const SENTENCES = Array.from({ length: 60 }, (_, i) => `Sentence ${i}.`);
const KIND = { kind: 'CLAIM' };

test('where a call fails no more are made, and the next attempt goes on from there', async () => {
  const failing = judging(({ data }, index) => (index < 20 || data.sentence === '' ? KIND : 'no JSON'));
  const judge = failing.judge();
  expect(await failureOf(judge.kinds(SENTENCES, {}))).toMatchObject({ failure: 'malformed' });
  expect(failing.calls.length).toBeLessThan(SENTENCES.length);
  const made = failing.calls.length;
  expect(await failureOf(judge.relevant(['q'], 'i'))).toMatchObject({ failure: 'malformed' });
  expect(failing.calls.length).toBe(made);

  const again = judging(() => KIND, { database: failing.database });
  const next = again.judge();
  expect(await next.kinds(SENTENCES, {})).toEqual(SENTENCES.map(() => 'claim'));
  expect(next.usage().reusedVerdicts).toBe(20);
  expect(again.calls).toHaveLength(40);
});

test('where unreadable answers are counted the rest is judged; nobody else takes them for answers', async () => {
  const failing = judging(({ data }) =>
    ['Sentence 3.', 'Sentence 5.'].includes(data.sentence ?? '') ? '?' : { kind: 'NEITHER' },
  );
  const judge = failing.judge({}, { countsUnreadable: true });
  const kinds = await judge.kinds(SENTENCES.slice(0, 8), {});
  expect(kinds).toEqual([...'NNNCNCNN'].map((letter) => (letter === 'C' ? 'claim' : 'neither')));
  expect(judge.warnings()).toEqual(['2 verdicts of the language model could not be read, and credit nothing.']);
  const made = failing.calls.length;
  const again = failing.judge({}, { countsUnreadable: true });
  expect(await again.kinds(SENTENCES.slice(0, 8), {})).toEqual(kinds);
  expect(again.warnings()).toEqual(judge.warnings());
  expect(failing.calls).toHaveLength(made);
  expect(await failureOf(failing.judge().kinds(SENTENCES.slice(0, 8), {}))).toMatchObject({ failure: 'malformed' });
});

test('a failure ends the calls that are under way', async () => {
  const { model, server } = await scriptedModel((request) => {
    if (lastUser(request).includes('Sentence 3.')) return { status: 401 };
    return { hang: 'before-headers' };
  });
  const { deps } = judging(() => KIND);
  const judge = modelJudge({}, { ...deps, models: { ...deps.models, model } });
  expect(await failureOf(judge.kinds(SENTENCES.slice(0, 4), {}))).toMatchObject({ failure: 'refused' });
  await until('the end of all calls', () => server.inFlight === 0);
});

test('a caller who leaves ends the calls that are under way', async () => {
  const { model, server } = await scriptedModel(() => ({ hang: 'before-headers' }));
  const { deps } = judging(() => KIND);
  const caller = new AbortController();
  const judge = modelJudge({}, { ...deps, models: { ...deps.models, model } }, { signal: caller.signal });
  const asked = failureOf(judge.kinds(SENTENCES, {}));
  await until('four calls', () => server.requests.length === 4);
  caller.abort();
  expect(await asked).toMatchObject({ failure: 'cancelled' });
  await until('the end of all calls', () => server.inFlight === 0);
  expect(server.requests).toHaveLength(4);
});

test('a failure of the store is what the evaluation fails with, as it is', async () => {
  const { deps, judge } = judging(() => KIND);
  const broken = { ...deps.cache, saveJudgements: () => Promise.reject(new Error('disk full')) };
  const failing = modelJudge({}, { ...deps, cache: broken });
  await expect(failing.kinds(['s'], {})).rejects.toThrow('disk full');
  expect(await judge().kinds(['s'], {})).toEqual(['claim']);
});

test('without a model there is no judge that asks one', () => {
  const { deps } = judging(() => KIND);
  const make = () => modelJudge({ judge: 'llm' }, { ...deps, models: NO_MODELS });
  expect(make).toThrow(UnusableOptionError);
  expect(make).toThrow(expect.objectContaining({ pointer: '/judge' }));
});

const OWN = parsePrompt(
  '---\nid: terse\nstage: judge-kind\npurpose: p\nvariables: [sentence]\n---\n# System\nTersely.\n# User\n{{sentence}}\n',
);
const prompts = new Map([...PROMPTS, ['terse', OWN], ['greedy', { ...OWN, id: 'greedy', variables: ['secret'] }]]);

test('a named prompt takes the place of the one of its purpose, and the others stay', async () => {
  const { judge, calls } = judging(({ prompt }) => (prompt === 'terse' ? KIND : { relevant: 'NO' }), { prompts });
  const asked = judge({ engine: { stages: { judge: { prompt: 'terse', seed: 7 } } } });
  await asked.kinds(['s'], { problem: 'p' });
  await asked.relevant(['q'], 'i');
  expect(calls.map(({ prompt }) => prompt)).toEqual(['terse', 'judge-relevance']);
  expect(asked.record()).toEqual({
    name: 'llm',
    encoder: null,
    version: expect.stringMatching(/^llm-judge@\d+$/),
    model: { model: 'm', temperature: 0, topP: null, seed: 7, prompt: 'judge-relevance, terse' },
    prompts: { terse: OWN.hash, 'judge-relevance': PROMPTS.get('judge-relevance')?.hash },
  });
});

test.each(['nowhere', 'judge', 'write', 'greedy'])('the prompt "%s" is none of a judge', (prompt) => {
  const { judge } = judging(() => KIND, { prompts });
  const make = () => judge({ engine: { stages: { judge: { prompt } } } });
  expect(make).toThrow(expect.objectContaining({ pointer: '/engine/stages/judge/prompt' }));
  expect(make).toThrow(/there is "judge-answered", .*"terse"\.$/);
});
