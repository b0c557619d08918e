import { afterAll, beforeAll, expect, test } from 'vitest';
import { startThreads, type ThreadedEngine } from '../../src/digest/index.node.ts';
import type { SelectionItems, SelectionTask } from '../../src/digest/select/selection-task.ts';
import { AGREEING, taskOf } from './statement-task.ts';

let engine: ThreadedEngine;
beforeAll(async () => {
  engine = await startThreads({
    encoder: 'transformers',
    models: undefined,
    matrix: 'portable',
    specs: {
      openai: new Map(),
      transformers: new Map(),
      workersAi: new Map(),
      rerank: new Map(),
      entailment: new Map(),
    },
    transport: { callMilliseconds: 1000, attempts: 1 },
    reportError: (failure) => {
      throw failure;
    },
  });
});
afterAll(() => engine.close());

/** Selects, and says whether the task was read. */
async function selectCached(key: string, task: SelectionTask, options = AGREEING, signal?: AbortSignal) {
  let reads = 0;
  const whole = async (): Promise<SelectionItems> => {
    reads++;
    return task.items;
  };
  const selection = await engine.selectCached?.({ key, settings: task.settings, options }, whole, signal);
  return { selection, reads };
}

test('threads hold what was read, and select what they would select without', async () => {
  const task = taskOf(60);
  const moved = { ...AGREEING, relevance: { form: 'exponential' as const, weight: 0.9 } };
  const expected = [await engine.select(task, AGREEING), await engine.select(task, moved)];
  expect(await selectCached('a', task)).toEqual({ selection: expected[0], reads: 1 });
  expect(await selectCached('a', task, moved)).toEqual({ selection: expected[1], reads: 0 });
  expect(await selectCached('b', task, moved)).toEqual({ selection: expected[1], reads: 1 });
  const at = await Promise.all([AGREEING, moved, AGREEING].map((options) => selectCached('a', task, options)));
  expect(at.map(({ selection }) => selection)).toEqual([expected[0], expected[1], expected[0]]);
});

test('a refusal keeps its pointer, and a call that is called off rejects', async () => {
  const task = taskOf(30);
  const tooMany = { ...AGREEING, strategy: 'k-dpp' as const, size: { keyPoints: 31 }, refine: false };
  await expect(selectCached('c', task, tooMany)).rejects.toMatchObject({ pointer: '/selection/size' });
  await expect(selectCached('d', task, AGREEING, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  expect((await selectCached('c', task)).selection).toEqual(await engine.select(task, AGREEING));
});
