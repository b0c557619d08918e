import { afterAll, expect, test } from 'vitest';
import { startEvaluationThreads } from '../../src/evaluation/index.node.ts';
import { EVALUATION_EXAMPLES, type EvaluationOrder, evaluate, resolveRequest } from '../../src/evaluation/index.ts';
import { type ChatCall, type LanguageModel, ModelCallError, memoryCache, NO_USAGE } from '../../src/models/index.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { PROMPTS } from '../support/prompts.ts';
import { until } from '../support/until.ts';

const failures: unknown[] = [];
const report = (failure: unknown) => void failures.push(failure);
const threads = startEvaluationThreads(report);
afterAll(async () => {
  await threads.close();
  expect(failures).toEqual([]);
});

const ORDERS = Object.entries(EVALUATION_EXAMPLES.requests)
  .map(([name, { value }]) => [name, value as EvaluationOrder] as const)
  .filter(([, order]) => order.digest === undefined && order.judge !== 'llm');

const parts = (model: LanguageModel | null = null) => ({
  engine: new InProcessEngine(),
  cache: memoryCache(),
  models: { ...NO_MODELS, model, prompts: PROMPTS },
});

function modelThat(
  complete: (call: ChatCall, index: number) => Promise<string>,
): LanguageModel & { calls: ChatCall[] } {
  const calls: ChatCall[] = [];
  return {
    calls,
    defaultModel: 'fake',
    contextTokens: 8000,
    priceOf: () => ({ input: 1, output: 2 }),
    async complete(call) {
      const text = await complete(call, calls.push(call) - 1);
      return {
        text,
        isCut: false,
        usage: { ...NO_USAGE, requests: 1, promptTokens: 10, completionTokens: 1, cost: 1 },
      };
    },
  };
}

const answerTo = ({ schema }: ChatCall): string =>
  schema?.name === 'entailment' ? '{"evidence": "Trams run at night.", "verdict": "YES"}' : '{"keyPoints": []}';

const JUDGED: EvaluationOrder = {
  metric: 'key-point-recall',
  judge: 'llm',
  answer: 'Trams run at night. Fares rose.',
  keyPoints: ['Trams run at night.', 'Fares fell.', 'Buses were sold.'],
};

test.each(ORDERS)('a thread scores as the thread that asks it does: %s', async (_, order) => {
  const here = parts();
  const expected = await evaluate(await resolveRequest(order), here);
  expect(await threads.evaluate(order, parts())).toEqual(expected);
});

test('a language model judges through the thread that asks, with its prices, and is answered from the cache again', async () => {
  const model = modelThat(async (call) => answerTo(call));
  const own = parts(model);
  const expected = await evaluate(await resolveRequest(JUDGED), parts(model));
  const asked = model.calls.length;
  expect(asked).toBeGreaterThan(0);
  expect(await threads.evaluate(JUDGED, own)).toEqual(expected);
  expect(model.calls.map(({ messages }) => messages).slice(asked)).toEqual(
    expect.arrayContaining(model.calls.slice(0, asked).map(({ messages }) => messages)),
  );
  const { usage } = await threads.evaluate(JUDGED, own);
  expect(usage).toMatchObject({ requests: 0, reusedVerdicts: expected.usage.requests });
});

test('errors keep their code, their pointer and what a model call says', async () => {
  const unknown = { ...ORDERS[0][1], digest: undefined, engine: { encoder: 'none' } };
  await expect(threads.evaluate(unknown, parts())).rejects.toMatchObject({
    code: 'unusable-option',
    pointer: '/engine/encoder',
  });
  const failing = modelThat(async () => {
    throw new ModelCallError('refused', 'The language model refused.', { ...NO_USAGE, requests: 2 });
  });
  const failed = threads.evaluate(JUDGED, parts(failing));
  await expect(failed).rejects.toBeInstanceOf(ModelCallError);
  await expect(failed).rejects.toMatchObject({ failure: 'refused', usage: { requests: 2 }, isFatal: true });
  const digest: EvaluationOrder = { metric: 'summhay', digest: 'dig_1', insights: [{ id: 'a', text: 'A.' }] };
  const readDigest = async () => {
    throw new RangeError('the database is gone');
  };
  await expect(threads.evaluate(digest, parts(), { readDigest })).rejects.toThrow('the database is gone');
});

test('a caller who leaves ends thread and calls, whenever that is, and the next is served', async () => {
  for (const after of [0, 20, 80, 300, null]) {
    const hanging = modelThat(
      ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const leaving = new AbortController();
    const left = threads.evaluate(JUDGED, parts(hanging), { signal: leaving.signal });
    const ended = expect(left).rejects.toThrow();
    if (after === null) await until('a call', () => hanging.calls.length > 0);
    else await new Promise((resolve) => setTimeout(resolve, after));
    leaving.abort();
    await ended;
    expect(hanging.calls.every(({ signal }) => signal?.aborted)).toBe(true);
  }
  const [, order] = ORDERS[0];
  expect(await threads.evaluate(order, parts())).toMatchObject({ metric: order.metric });
});

test('what computes for too long is ended with a problem, what waits is not', async () => {
  const [patient, short] = [startEvaluationThreads(report, 1000), startEvaluationThreads(report, 20)];
  const slow = modelThat(async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return answerTo(call);
  });
  try {
    expect(await patient.evaluate(JUDGED, parts(slow))).toMatchObject({ recall: 100 });
    const long = Array.from({ length: 300 }, (_, i) => `Tram ${i} ran to stop ${i} of line ${i % 7} for ${i} euros.`);
    const heavy: EvaluationOrder = {
      metric: 'argue',
      report: { sentences: long.map((text) => ({ text, citations: ['d'] })) },
      nuggets: [{ id: 'n', question: 'Where does tram 7 run?', answers: [{ text: 'to stop 7' }] }],
      documents: [{ id: 'd', text: long.join(' ').repeat(20) }],
    };
    await expect(short.evaluate(heavy, parts())).rejects.toMatchObject({ code: 'too-much-work' });
  } finally {
    await Promise.all([patient.close(), short.close()]);
  }
});

test('what needs too much memory is ended with a problem, and the next is served', async () => {
  const small = startEvaluationThreads(report, 30_000, 24);
  const [, order] = ORDERS[0];
  const documents = Array.from({ length: 12 }, (_, i) => ({ id: `d${i}`, text: `Line ${i} runs. `.repeat(60_000) }));
  const large: EvaluationOrder = {
    metric: 'argue',
    report: { sentences: documents.map(({ id }) => ({ text: 'Trams run at night.', citations: [id] })) },
    nuggets: [{ id: 'n', question: 'When do trams run?', answers: [{ text: 'at night' }] }],
    documents,
  };
  try {
    await expect(small.evaluate(large, parts())).rejects.toMatchObject({ code: 'too-much-work' });
    expect(await small.evaluate(order, parts())).toMatchObject({ metric: order.metric });
  } finally {
    await small.close();
  }
});
