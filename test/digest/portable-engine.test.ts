import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startThreads, type ThreadedEngine } from '../../src/digest/index.node.ts';
import { createDigest, portableEngine, type ResolvedRequest } from '../../src/digest/index.ts';
import type { Ranking, RankingTask } from '../../src/digest/rank/ranking-task.ts';
import type { KnownSimilarityTask, SelectionItems, SelectionTask } from '../../src/digest/select/selection-task.ts';
import type { Selection, SelectionOptions, StrategyName } from '../../src/selection/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { testDeps } from '../support/test-deps.ts';
import { AGREEING, taskOf } from './statement-task.ts';

/** Keeps what it was asked. */
class AskedEngine extends InProcessEngine {
  readonly rankings: RankingTask[] = [];
  readonly selections: { readonly task: SelectionTask; readonly options: SelectionOptions }[] = [];

  override async rank(task: RankingTask): Promise<Ranking> {
    this.rankings.push(task);
    return super.rank(task);
  }

  override async select(task: SelectionTask, options: SelectionOptions): Promise<Selection> {
    this.selections.push({ task, options });
    return super.select(task, options);
  }
}

const encoder = new HashedWordsEncoder();
const engine = portableEngine({ encoders: new Map([['hashed-words', encoder]]), defaultEncoder: 'hashed-words' });

let threads: ThreadedEngine;
beforeAll(async () => {
  if (!existsSync(new URL('../../dist/thread.js', import.meta.url))) {
    throw new Error('dist/thread.js is missing: run "npm run build" first.');
  }
  threads = await startThreads({
    encoder: 'transformers', // which is not asked for anything here
    models: undefined,
    matrix: 'portable',
    specs: {
      openai: new Map(),
      transformers: new Map(),
      workersAi: new Map(),
      rerank: new Map(),
    },
    transport: { callMilliseconds: 1000, attempts: 1 },
    reportError: (failure) => {
      throw failure;
    },
  });
});
afterAll(() => threads.close());

/** What the making of a digest asks its engine. */
async function askedFor(request: Partial<ResolvedRequest>) {
  const asked = new AskedEngine();
  const report = {
    problem: CITY_INTENT,
    background: 'The council approved a charge of 4 euros. Trams run on Sundays.',
  };
  await createDigest({ documents: CITY, intent: report, ...request }, testDeps({ engine: asked }));
  const [ranking] = asked.rankings;
  const [selection] = asked.selections;
  if (ranking === undefined || selection === undefined) throw new Error('it was not asked');
  return { ranking, ...selection };
}

test('the same key points, language and words as the threads', async () => {
  for (const { text } of [...CITY, { text: '' }, { text: '市议会批准了拥堵费。电车线路将于秋天开通。' }]) {
    expect(await engine.extract(text)).toEqual(await threads.extract(text));
  }
  const { keyPoints, language, words } = await engine.extract(CITY[1].text);
  expect([keyPoints.length, language, words]).toEqual([3, 'eng', CITY[1].text.split(' ').length]);
});

test('the same ranking', async () => {
  const { ranking } = await askedFor({});
  const ranked = await engine.rank(ranking);
  expect(ranked.kept.length).toBeGreaterThan(3);
  expect(ranked).toEqual(await threads.rank(ranking));
});

const OPTIONS: [StrategyName, SelectionOptions['kernel']['similarity']][] = [
  ['dpp-map', 'bertscore'],
  ['dpp-map', 'cosine'],
  ['facility-location', 'bertscore'],
  ['mmr', 'bertscore'],
  ['k-dpp', 'bertscore'],
  ['dpp-sample', 'cosine'],
];

test.each(OPTIONS)('the same selection: %s over %s', async (strategy, similarity) => {
  const { task, options } = await askedFor({ selection: { strategy, kernel: { similarity }, seed: 3 } });
  expect(task.settings.background.length).toBeGreaterThan(0);
  const selected = await engine.select(task, options);
  expect(selected).toEqual(await threads.select(task, options));
  expect(await engine.select(task, options)).toEqual(selected); // nothing was left of the first in what it was given
});

test.each(['k-dpp', 'dpp-sample'] as const)('the same draws, again and again: %s', async (strategy) => {
  const { task, options } = await askedFor({ selection: { strategy, seed: 3 } });
  const drawn = await engine.draw(task, options, 8);
  expect(drawn).toEqual(await threads.draw(task, options, 8));
  expect(await engine.draw(task, options, 8)).toEqual(drawn);
  const sets = ({ draws }: typeof drawn) => draws.map((set) => JSON.stringify(set));
  expect(new Set(sets(drawn)).size).toBeGreaterThan(1);
  expect(sets(await engine.draw(task, { ...options, seed: 4 }, 8))).not.toEqual(sets(drawn));
});

test.each(['bertscore', 'cosine'] as const)('the same familiarity by %s', async (similarity) => {
  const statements = await encoder.encode(CITY.map(({ text }) => text));
  const background = await encoder.encode([CITY[0].text, 'Trams run on Sundays.']);
  const task: KnownSimilarityTask = { statements, background, similarity, idf: 1 };
  const familiar = await engine.knownSimilarity(task);
  expect(familiar).toEqual(await threads.knownSimilarity(task));
  expect(familiar).toHaveLength(CITY.length);
  expect(familiar[0]).toBeCloseTo(1, 4);
  expect(Math.max(...familiar.subarray(1))).toBeLessThan(0.9);
});

/** Selects, and says whether the task was read. */
async function selectCached(key: string, task: SelectionTask, options = AGREEING, signal?: AbortSignal) {
  let reads = 0;
  const whole = async (): Promise<SelectionItems> => {
    reads++;
    return task.items;
  };
  const selection = await threads.selectCached?.({ key, settings: task.settings, options }, whole, signal);
  return { selection, reads };
}

test('threads hold what was read, and select what they would select without', async () => {
  const task = taskOf(60);
  const moved = { ...AGREEING, relevance: { form: 'exponential' as const, weight: 0.9 } };
  const expected = [await threads.select(task, AGREEING), await threads.select(task, moved)];
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
  expect((await selectCached('c', task)).selection).toEqual(await threads.select(task, AGREEING));
});
