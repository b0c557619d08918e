import { expect, test } from 'vitest';
import { keptSteps, type RunOptions, type RunProgress, runItems } from '../../src/lab/runner.ts';
import { ModelCallError, NO_USAGE } from '../../src/models/index.ts';
import { storeCache } from '../../src/store/index.ts';
import { memoryDatabase } from '../support/test-deps.ts';

interface Item {
  readonly name: string;
  readonly asksModel?: boolean;
}
type Result = { readonly of: string; readonly isPartial?: boolean; readonly usage: typeof NO_USAGE };
type Make = (item: Item) => Promise<Result>;

const items = (...names: string[]): Item[] => names.map((name) => ({ name }));
const usage = (promptTokens: number) => ({ ...NO_USAGE, requests: 1, promptTokens, cost: 0.5 });
const resultOf: Make = async ({ name }) => ({ of: name, usage: usage(10) });

/** Runs over one database; the key of an item is the first letter of its name. */
function runner() {
  const cache = storeCache(memoryDatabase());
  const asked: string[] = [];
  const told: RunProgress[] = [];
  const run = (some: readonly Item[], make: Make = resultOf, more: Partial<RunOptions<Item, Result>> = {}) =>
    runItems<Item, Result>(some, {
      make: (item) => {
        asked.push(item.name);
        return make(item);
      },
      kept: {
        steps: keptSteps(cache, 'evaluation', { keeps: ({ isPartial }) => isPartial !== true }),
        keyOf: ({ name }) => name[0],
        restart: false,
      },
      atOnce: 2,
      signal: new AbortController().signal,
      onProgress: (progress) => told.push(progress),
      ...more,
    });
  const again = (some: readonly Item[], make?: Make, more?: Partial<RunOptions<Item, Result>>) => {
    asked.length = 0;
    told.length = 0;
    return run(some, make, more);
  };
  return { cache, run, again, asked, told };
}

test('items come out in their order, those of one key share a step, and the next run finds them all', async () => {
  const { run, again, asked, told } = runner();
  const first = await run(items('a1', 'b', 'a2'));
  expect(first.made.map(({ item, result, known }) => [item.name, result.of, known])).toEqual([
    ['a1', 'a1', false],
    ['b', 'b', false],
    ['a2', 'a1', false],
  ]);
  expect([asked.toSorted(), first.spent]).toEqual([['a1', 'b'], { ...usage(20), requests: 2, cost: 1 }]);
  expect(told.map(({ done }) => done)).toEqual([0, 1, 2, 3]);
  const second = await again(items('a1', 'b', 'a2', 'c'));
  expect([asked, second.spent]).toEqual([['c'], usage(10)]);
  expect(second.made.map(({ known }) => known)).toEqual([true, true, true, false]);
  expect([told[0], told.at(-1)]).toEqual([
    { done: 3, total: 4, known: 3, failed: 0 },
    { done: 4, total: 4, known: 3, failed: 0 },
  ]);
});

test.each<[string, Make]>([
  ['fails', () => Promise.reject(new Error('broken'))],
  ['fails in part', async ({ name }) => ({ of: name, isPartial: true, usage: NO_USAGE })],
])('an item that %s leaves the others alone and is made again by the next run', async (_, makeB) => {
  const { run, again, asked } = runner();
  const first = await run(items('a', 'b', 'c'), (item) => (item.name === 'b' ? makeB(item) : resultOf(item)));
  expect([...first.made, ...first.failed].map(({ item }) => item.name).toSorted()).toEqual(['a', 'b', 'c']);
  const second = await again(items('a', 'b', 'c'));
  expect([asked, second.made.length, second.failed]).toEqual([['b'], 3, []]);
});

test('restart forgets what earlier runs kept; nothing is kept without steps', async () => {
  const { cache, run, again, asked } = runner();
  await run(items('a', 'b'));
  const steps = keptSteps<Result>(cache, 'evaluation');
  await again(items('a', 'b'), resultOf, { kept: { steps, keyOf: ({ name }) => name, restart: true } });
  expect(asked).toEqual(['a', 'b']);
  await again(items('d'), resultOf, { kept: null });
  expect((await steps.read(['d'])).size).toBe(0);
});

test('after a fatal failure nothing that asks a model starts, and the rest goes on', async () => {
  const { run, asked } = runner();
  const fatal = new ModelCallError('refused', 'no such key', undefined, { isFatal: true });
  const some = [...items('a', 'b'), { name: 'c', asksModel: false }, ...items('d')];
  const make: Make = (item) => (item.name === 'b' ? Promise.reject(fatal) : resultOf(item));
  const outcome = await run(some, make, { atOnce: 1, asksModel: (item) => item.asksModel !== false });
  expect([asked, outcome.made.map(({ item }) => item.name)]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ]);
  expect(outcome.failed.map(({ item, failure }) => [item.name, failure])).toEqual([
    ['b', fatal],
    ['d', fatal],
  ]);
});

test('a stopped run starts nothing more, fails nothing and keeps what is done', async () => {
  const { run, again, asked } = runner();
  const stop = new AbortController();
  const make: Make = (item) => {
    if (item.name !== 'b') return resultOf(item);
    stop.abort();
    return Promise.reject(new Error('aborted'));
  };
  const { made, failed, isStopped } = await run(items('a', 'b', 'c'), make, { atOnce: 1, signal: stop.signal });
  expect([isStopped, made.length, failed, asked]).toEqual([true, 1, [], ['a', 'b']]);
  await again(items('a', 'b', 'c'));
  expect(asked).toEqual(['b', 'c']);
});

test('stages run one after the other', async () => {
  const { run } = runner();
  const inProgress = new Set<string>();
  const beside = new Map<string, number>();
  const make: Make = async (item) => {
    inProgress.add(item.name);
    await new Promise((done) => setTimeout(done, 2));
    beside.set(item.name, inProgress.size);
    inProgress.delete(item.name);
    return resultOf(item);
  };
  const stages = ([first, ...rest]: readonly Item[]) => [[first], rest];
  await run(items('a', 'b', 'c', 'd'), make, { atOnce: 10, stages });
  expect([beside.get('a'), Math.max(...beside.values())]).toEqual([1, 3]);
});

test('a stale step is replaced in place, and each key is told once', async () => {
  const cache = storeCache(memoryDatabase());
  const told: [string, boolean][] = [];
  const onStep = ({ result, known }: { readonly result: string; readonly known: boolean }) =>
    told.push([result, known]);
  const steps = keptSteps<string>(cache, 'benchmark-answer', { onStep });
  await Promise.all([steps.once('k', async () => 'old'), steps.once('k', async () => 'never made')]);
  const stale = keptSteps<string>(cache, 'benchmark-answer', { isStale: (result) => result === 'old', onStep });
  await stale.once('k', async () => 'new');
  await keptSteps<string>(cache, 'benchmark-answer', { onStep }).once('k', async () => 'never made');
  expect(told).toEqual([
    ['old', false],
    ['new', false],
    ['new', true],
  ]);
});
