import { expect, test, vi } from 'vitest';
import { isFatal } from '../../../src/models/index.ts';
import type { Reply } from '../../support/scripted-model-server.ts';
import { call, failureOf, scriptedModel } from './scripted-model.ts';

const GOOD = { text: 'Trams.' };

test.each([
  ['before its headers', { hang: 'before-headers' }, false],
  ['within its body', { hang: 'mid-body', text: 'Tra' }, false],
  ['before its headers, streamed', { hang: 'before-headers' }, true],
  ['within its body, streamed', { hang: 'mid-body', text: 'Tra' }, true],
] as const)('an answer that stalls %s ends by the deadline', async (_, stalled, isStreamed) => {
  const { model, server } = await scriptedModel([stalled], { callMilliseconds: 300 });
  const started = performance.now();
  const error = await failureOf(model.complete(call(isStreamed ? { onText: () => {} } : {})));
  expect(error).toMatchObject({ failure: 'timeout', usage: { requests: 1 } });
  expect(isFatal(error)).toBe(false);
  // Far less than the minutes that the SDK and fetch would wait.
  expect(performance.now() - started).toBeLessThan(10_000);
  await vi.waitFor(() => expect(server.inFlight).toBe(0));
});

test('an attempt takes half of the deadline at most, so that there is time for another', async () => {
  const { model } = await scriptedModel([{ hang: 'mid-body', text: 'Tra' }, GOOD], { callMilliseconds: 2_000 });
  expect(await model.complete(call())).toMatchObject({ text: 'Trams.', usage: { requests: 2 } });
});

test.each([
  ['seconds', { 'retry-after': '1' }, 1_000],
  ['part of a second', { 'retry-after': '0.25' }, 250],
  ['milliseconds', { 'retry-after-ms': '70', 'retry-after': '9' }, 70],
  ['no time', { 'retry-after': '0' }, 0],
  ['more than is waited', { 'retry-after': '90' }, 20_000],
  ['a date that is past', { 'retry-after': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 0],
  ['something else', { 'retry-after': 'soon' }, 500],
])('Retry-After in %s is honoured', async (_, headers, expected) => {
  const { model, waits } = await scriptedModel([{ status: 429, headers }, GOOD]);
  await model.complete(call());
  expect(waits).toEqual([expected]);
});

test('no more requests than allowed are under way at once, and a call that backs off leaves its slot', async () => {
  const { model, server } = await scriptedModel(() => ({ ...GOOD, delay: 20 }), { concurrency: 3 });
  await Promise.all(Array.from({ length: 12 }, () => model.complete(call())));
  expect(server.requests).toHaveLength(12);
  expect(server.maxInFlight).toBe(3);

  let wake = (): void => {};
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const one = await scriptedModel([{ status: 500 }, GOOD], { concurrency: 1, wait: () => asleep });
  const first = one.model.complete(call());
  await vi.waitFor(() => expect(one.server.requests).toHaveLength(1));
  // The first one waits until this one, which needs the only slot, has its answer.
  expect(await one.model.complete(call())).toMatchObject({ usage: { requests: 1 } });
  wake();
  expect(await first).toMatchObject({ usage: { requests: 2 } });
});

test('the caller ends a call that is under way', async () => {
  const { model, server } = await scriptedModel([{ hang: 'mid-body', text: 'Tra' }]);
  for (const onText of [undefined, () => {}]) {
    const controller = new AbortController();
    const answer = failureOf(model.complete(call({ signal: controller.signal, onText })));
    const asked = server.requests.length + 1;
    await vi.waitFor(() => expect(server.requests).toHaveLength(asked));
    controller.abort();
    const error = await answer;
    expect(error).toMatchObject({ failure: 'cancelled', usage: { requests: 1 } });
    expect(isFatal(error)).toBe(true);
  }
  await vi.waitFor(() => expect(server.requests.every(({ timeOut }) => timeOut !== null)).toBe(true));
});

test('the caller ends a call that is queued, without a request, and the queue goes on', async () => {
  let answerFirst = (_: Reply): void => {};
  const { model, server } = await scriptedModel(
    (_, index) =>
      index > 0
        ? GOOD
        : new Promise((resolve) => {
            answerFirst = resolve;
          }),
    { concurrency: 1 },
  );
  const first = model.complete(call());
  const controller = new AbortController();
  const second = failureOf(model.complete(call({ signal: controller.signal })));
  const third = model.complete(call());
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  controller.abort();
  expect(await second).toMatchObject({ failure: 'cancelled', usage: { requests: 0, cost: 0 } });
  answerFirst(GOOD);
  await Promise.all([first, third]);
  expect(server.requests).toHaveLength(2);
});
