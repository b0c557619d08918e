import { describe, expect, test } from 'vitest';
import { loadPrompts } from '../../../src/models/index.node.ts';
import { type StageModel, stageModel } from '../../../src/models/index.ts';
import { choiceProbabilities, type TokenChoice } from '../../../src/models/language/read-answer.ts';
import { lastUser, type Reply } from '../../support/scripted-model-server.ts';
import { failureOf, scriptedModel } from './scripted-model.ts';

const WORDS = ['YES', 'NO'];
const settings = { model: 'm', temperature: 0, topP: null, seed: 1 };
const prompt = [...loadPrompts().values()].find(({ id }) => id === 'judge-relevance');

/** Places of an answer: what was said is the first token of each. */
const places = (...tops: Readonly<Record<string, number>>[]): TokenChoice[] =>
  tops.map((top) => {
    const likeliest = Object.entries(top).map(([token, logprob]) => ({ token, logprob }));
    return { token: likeliest[0].token, top: likeliest };
  });

describe('weighWords', () => {
  test('adds up the spellings of a word: exp(YES) / (exp(YES) + exp(NO))', () => {
    const spelt = places({
      ' Yes': Math.log(0.5),
      YES: Math.log(0.2),
      yes: Math.log(0.1),
      No: Math.log(0.15),
      Maybe: Math.log(0.05),
    });
    const read = choiceProbabilities(' Yes', spelt, WORDS);
    expect(read?.word).toBe('YES');
    expect(read?.shares?.[0]).toBeCloseTo(0.8 / 0.95, 12);
    expect(read?.shares?.[1]).toBeCloseTo(0.15 / 0.95, 12);
  });

  test('agrees with values worked out elsewhere', () => {
    // Python: math.exp(a) / (math.exp(a) + math.exp(b)).
    expect(choiceProbabilities('YES', places({ YES: -0.25, NO: -1.5 }), WORDS)?.shares?.[0]).toBeCloseTo(
      0.7772998611746911,
      14,
    );
    expect(choiceProbabilities('NO', places({ NO: -0.001, Y: -7.2 }), WORDS)?.shares?.[1]).toBeCloseTo(
      0.9992532253215848,
      14,
    );
  });

  test.each([
    ['**YES**', 'YES'],
    ['"no".', 'NO'],
    ['Answer: Yes, it does.', 'YES'],
    ['<think>No, no, no ...</think>\nYES', 'YES'],
    ['NOTHING of the kind: NO', 'NO'],
  ])('reads %j as %s', (text, word) => {
    expect(choiceProbabilities(text, null, WORDS)).toEqual({ word, shares: null });
  });

  test.each(['', 'Perhaps', 'NONE', 'YESTERDAY', '<think>YES is likely'])('finds none in %j', (text) => {
    expect(choiceProbabilities(text, null, WORDS)).toBeNull();
  });

  test('what comes before the word does not decide', () => {
    const said = places(
      { The: -0.01, No: -6 },
      { ' answer': -0.01 },
      { ':': 0 },
      { ' ': 0 },
      { YES: Math.log(0.9), NO: Math.log(0.1) },
    );
    expect(choiceProbabilities('The answer: YES', said, WORDS)?.shares?.[0]).toBeCloseTo(0.9, 12);
    const thought = places(
      { '<think>': 0, YES: -9 },
      { No: 0 },
      { '</think>': 0 },
      { '\n': 0 },
      { No: Math.log(0.7), Yes: Math.log(0.3) },
    );
    const read = choiceProbabilities('<think>No</think>\nNo', thought, WORDS);
    expect(read?.word).toBe('NO');
    expect(read?.shares?.[0]).toBeCloseTo(0.3, 12);
    // The server leaves thoughts, white space and its end mark out of the text, not out of the tokens.
    const trimmed = [...thought, ...places({ '<|end|>': 0 })];
    expect(choiceProbabilities('No', trimmed, WORDS)?.shares?.[0]).toBeCloseTo(0.3, 12);
  });

  test('where the text names none, the likelier one counts', () => {
    expect(choiceProbabilities('Y', places({ Y: Math.log(0.9), NO: Math.log(0.1) }), WORDS)?.word).toBe('YES');
    expect(choiceProbabilities('Hm', places({ Hm: -0.5, no: -1.5, yes: -3 }), WORDS)?.word).toBe('NO');
    expect(choiceProbabilities('Hm', places({ Hm: -0.1, no: -3, yes: -4 }), WORDS)).toBeNull();
    expect(choiceProbabilities('Hm', places({ Hm: -0.1, well: -3 }), WORDS)).toBeNull();
  });
});

describe('StageModel.weigh', () => {
  async function asked(script: readonly Reply[] | ((body: Readonly<Record<string, unknown>>) => Reply)) {
    const scripted = await scriptedModel(typeof script === 'function' ? ({ body }) => script(body) : script);
    return { ...scripted, stage: stageModel(scripted.model, settings) };
  }
  const weigh = (stage: StageModel) => {
    if (prompt === undefined) throw new Error('no prompt');
    return stage.weigh({ prompt, values: { intent: 'Boats', question: 'When?' }, maxTokens: 8 }, WORDS);
  };

  test.each([
    ['logprobs', { message: "'logprobs' is not supported with this model", param: 'logprobs' }],
    ['top_logprobs', { message: 'top_logprobs: unexpected field' }],
    ['logprobs in words', { message: 'This model does not support logprobs.' }],
  ])('a server that refuses %s with 400 is asked without, from then on', async (_, error) => {
    const { stage, server, waits } = await asked((body) =>
      body.logprobs === undefined && body.top_logprobs === undefined ? { text: 'YES' } : { status: 400, error },
    );
    expect(await weigh(stage)).toEqual({ word: 'YES', shares: null });
    expect(await weigh(stage)).toEqual({ word: 'YES', shares: null });
    expect(server.requests.map(({ body }) => body.logprobs ?? null)).toEqual([true, null, null]);
    expect(waits).toEqual([]);
  });

  test('what names none of the words is asked for once more, and then given up', async () => {
    const again = await asked([{ text: 'Perhaps.' }, { text: '', logprobs: [{ ' no': -0.1, ' yes': -2.1 }] }]);
    const read = await weigh(again.stage);
    expect(read.word).toBe('NO');
    expect(read.shares?.[1]).toBeCloseTo(1 / (1 + Math.exp(-2)), 12);
    expect(lastUser(again.server.requests[1])).toBe('That answer could not be read. Answer with one word: YES or NO.');
    expect(again.server.requests[1].body).toMatchObject({ logprobs: true });

    const never = await asked([{ text: 'Perhaps.' }]);
    expect(await failureOf(weigh(never.stage))).toMatchObject({ failure: 'malformed', isFatal: false });
    expect(never.server.requests).toHaveLength(2);
  });
});
