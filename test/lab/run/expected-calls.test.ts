import { expect, test } from 'vitest';
import type { VariantOptions } from '../../../src/contract/index.ts';
import { judgeIdentity } from '../../../src/lab/results/judge-identity.ts';
import { type ExpectedAsking, expectedCalls } from '../../../src/lab/run/expected-calls.ts';
import { type PlannedOutput, planRun } from '../../../src/lab/run/plan-run.ts';
import type { DigestSystem, RunSet } from '../../../src/lab/run/system.ts';
import type { LanguageModel } from '../../../src/models/index.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { testDeps } from '../../support/test-deps.ts';

const CONTEXT = 8000;
/** Of 1,500 tokens. */
const TEXT = 'The fox ran to the river. '.repeat(240).slice(0, 6000);
const ASKING: ExpectedAsking = { isJudge: false, made: new Set(), contextTokens: CONTEXT };
const READ: VariantOptions = { engine: { extractor: 'llm' } };
const WRITTEN: VariantOptions = { engine: { writer: 'llm' } };
const NAIVE: VariantOptions = { selection: { strategy: 'naive' } };

function setOf(texts: readonly string[], cases = 1): RunSet {
  return {
    name: 's',
    collections: [{ id: 'c', documents: texts.map((text, place) => ({ id: `d${place}`, text })) }],
    cases: Array.from({ length: cases }, (_, place) => ({
      id: `${place}`,
      collection: 'c',
      intent: `What of ${place}?`,
      insights: [{ id: 'i', text: `Insight ${place}.`, documents: ['d0'] }],
    })),
    made: [],
  };
}

async function planned(
  options: readonly VariantOptions[],
  set: RunSet,
  more: Partial<DigestSystem> = {},
): Promise<PlannedOutput[]> {
  const model: LanguageModel = {
    defaultModel: 'm',
    contextTokens: CONTEXT,
    complete: () => Promise.reject(new Error('nothing is asked here')),
  };
  const deps = testDeps({ models: { model, prompts: PROMPTS, extractor: 'sentences', writer: 'compose' } });
  const systems = options.map((each, place) => ({ name: `${place}`, options: each, needsModel: true, ...more }));
  const judge = judgeIdentity({ judge: 'embedded' }, deps);
  const signal = new AbortController().signal;
  const outputs = await planRun({ path: 'run.json', systems }, set, deps, { judge, signal });
  if (outputs === null) throw new Error('nothing has stopped it');
  return outputs;
}

const callsOf = async (options: readonly VariantOptions[], set: RunSet, asking: Partial<ExpectedAsking> = {}) =>
  expectedCalls(await planned(options, set), { ...ASKING, ...asking });

test('documents are read by a model where it extracts, each text once, and an empty one not at all', async () => {
  expect((await callsOf([{}], setOf([TEXT]))).calls).toBe(0);
  expect(await callsOf([READ], setOf([TEXT]))).toEqual({ calls: 1, promptTokens: 600 + 1500, completionTokens: 1500 });
  expect(await callsOf([READ], setOf([TEXT, '', TEXT], 5))).toEqual(await callsOf([READ], setOf([TEXT])));
  expect((await callsOf([READ], setOf([TEXT.repeat(2)]))).calls).toBe(2);
  const titled = setOf([TEXT, TEXT]);
  const [first, second] = titled.collections[0].documents;
  const documents = [{ ...first, title: 'A fox' }, second];
  expect((await callsOf([READ], { ...titled, collections: [{ id: 'c', documents }] })).calls).toBe(2);
  // Another way of reading them is another reading.
  const rounds: VariantOptions = { engine: { extractor: 'llm', extraction: { rounds: 1 } } };
  expect((await callsOf([READ, rounds], setOf([TEXT]))).calls).toBe(2);
});

test('a model that writes is asked twice, and without one to read nothing is read', async () => {
  expect(await callsOf([WRITTEN], setOf([TEXT], 3))).toMatchObject({ calls: 6, completionTokens: 3000 });
});

test('one prompt over the documents is one call, of what fits it', async () => {
  expect(await callsOf([NAIVE], setOf([TEXT]))).toMatchObject({ calls: 1, promptTokens: 600 + 1500 });
  expect(await callsOf([NAIVE], setOf([TEXT.repeat(50)]))).toMatchObject({ calls: 1, promptTokens: 600 + 4400 });
});

test('what is made is only judged, and the same thing under two names once', async () => {
  const outputs = await planned([READ, READ, WRITTEN], setOf([TEXT], 2));
  const all = expectedCalls(outputs, { ...ASKING, isJudge: true });
  expect(all.calls).toBe(1 + 2 * 2 + 2 * 2);
  const made = new Set(outputs.map(({ outputKey }) => outputKey));
  expect(expectedCalls(outputs, { ...ASKING, isJudge: true, made }).calls).toBe(2 * 2);
  expect(expectedCalls(outputs, { ...ASKING, made }).calls).toBe(0);
});
