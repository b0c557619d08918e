import { expect, test } from 'vitest';
import type { PlannedOutput } from '../../../src/lab/run/plan-run.ts';
import { IN_TURN } from '../../../src/lab/run/run-outputs.ts';
import type { ScoredOutput } from '../../../src/lab/run/score-output.ts';
import { type RunOptions, runAll } from '../../../src/lab/runner.ts';
import { compared } from '../comparison/samples.ts';

type Options = RunOptions<PlannedOutput, ScoredOutput>;

const scored = (...given: Parameters<typeof compared>): ScoredOutput => ({
  ...compared(...given),
  byPosition: null,
  unreadable: 0,
  warnings: [],
  verdicts: {},
});

function planned(arm: string, datum: string, more: Partial<PlannedOutput> = {}): PlannedOutput {
  return {
    arm,
    datum,
    key: `${arm} ${datum}`,
    outputKey: `${arm} ${datum}`,
    reading: 'sentences',
    usesModel: false,
    asksModel: false,
    case: { id: datum, collection: 'c' },
    collection: { id: 'c', documents: [] },
    documents: [],
    identity: null,
    output: () => Promise.reject(new Error('nothing is made here')),
    ...more,
  };
}

/** Parts over a map that stands for the store, and what was asked of them. */
function parts(over: Partial<Options> = {}) {
  const kept = new Map<string, ScoredOutput>();
  const made: string[] = [];
  const told: string[] = [];
  const fake: Options = {
    ...IN_TURN,
    known: async (keys) => new Map([...kept].filter(([key]) => keys.includes(key))),
    make: async ({ key }) => {
      made.push(key);
      return scored({ 'digest.words': key.length });
    },
    keep: async (key, digest) => {
      kept.set(key, digest);
    },
    onProgress: ({ done, total, known, failed }) => told.push(`${done}/${total} ${known} ${failed}`),
    isFatal: () => false,
    atOnce: 2,
    signal: new AbortController().signal,
    ...over,
  };
  return { fake, kept, made, told };
}

const GRID = ['a', 'b'].flatMap((datum) => ['x', 'y', 'z'].map((arm) => planned(arm, datum)));

test('makes everything once, tells how far it is, and makes nothing again', async () => {
  const { fake, made, told } = parts();
  const first = await runAll(GRID, fake);
  expect(first.made.map(({ item: { arm, datum } }) => `${arm} ${datum}`)).toEqual(GRID.map(({ key }) => key));
  expect(made.toSorted()).toEqual(GRID.map(({ key }) => key).toSorted());
  expect([told[0], told.at(-1)]).toEqual(['0/6 0 0', '6/6 0 0']);
  const second = await runAll(GRID, fake);
  expect(made).toHaveLength(6);
  expect(second.made.every(({ known }) => known)).toBe(true);
  expect(second.made.map(({ result }) => result)).toEqual(first.made.map(({ result }) => result));
  expect(told.at(-1)).toBe('6/6 6 0');
});

test('arms that come to the same share one digest', async () => {
  const { fake, made } = parts();
  const run = await runAll([planned('x', 'a', { key: 'k' }), planned('y', 'a', { key: 'k' })], fake);
  expect(made).toEqual(['k']);
  expect(run.made).toHaveLength(2);
});

test('of each way of reading the first goes ahead, alone', async () => {
  const underWay = new Set<string>();
  const beside: Record<string, number> = {};
  const { fake } = parts({
    atOnce: 10,
    make: async ({ key }) => {
      underWay.add(key);
      await new Promise((done) => setTimeout(done, 2));
      beside[key] = underWay.size;
      underWay.delete(key);
      return scored({});
    },
  });
  const others = ['u', 'v'].map((arm) => planned(arm, 'a', { reading: 'by a model' }));
  await runAll([...GRID.slice(0, 3), ...others], fake);
  expect([beside['x a'], beside['u a']]).toEqual([1, 1]);
  expect(Math.max(...Object.values(beside))).toBe(3);
});

test('a failure is its own, is not kept, and is tried again', async () => {
  let isBroken = true;
  const { fake, made } = parts();
  const make: Options['make'] = async (each) => {
    if (isBroken && each.key === 'x a') throw new Error('broken');
    return fake.make(each);
  };
  const run = await runAll(GRID, { ...fake, make });
  expect(run.failed).toEqual([{ item: GRID[0], failure: new Error('broken') }]);
  expect(run.made).toHaveLength(5);
  isBroken = false;
  made.length = 0;
  const again = await runAll(GRID, { ...fake, make });
  expect([again.failed, again.made.length, made]).toEqual([[], 6, ['x a']]);
});

test('a digest of which a part failed counts, and is not kept', async () => {
  const { fake, kept } = parts({ make: async () => scored({}, { isPartial: true }) });
  const run = await runAll(GRID, fake);
  expect([run.made.length, kept.size]).toEqual([6, 0]);
});

test('after a failure that is fatal no digest asks a model any more, and the others go on', async () => {
  const asked: string[] = [];
  const grid = GRID.map((each) => ({
    ...each,
    usesModel: each.arm !== 'y',
    asksModel: each.arm !== 'y',
    reading: each.arm,
  }));
  const { fake } = parts({
    isFatal: () => true,
    make: async ({ key, usesModel }) => {
      asked.push(key);
      if (usesModel) throw new Error('no such key');
      return scored({});
    },
  });
  const run = await runAll(grid, fake);
  expect(asked).toEqual(['x a', 'y a', 'y b']);
  expect(run.failed.map(({ item: { arm, datum } }) => `${arm} ${datum}`)).toEqual(['x a', 'z a', 'x b', 'z b']);
});

test('after a failure that is fatal nothing is made either for which a judge would ask a model', async () => {
  const asked: string[] = [];
  const grid = GRID.map((each) => ({ ...each, asksModel: each.arm !== 'y', reading: each.arm }));
  const { fake } = parts({
    isFatal: () => true,
    make: async ({ key, asksModel }) => {
      asked.push(key);
      if (asksModel) throw new Error('no such key');
      return scored({});
    },
  });
  const run = await runAll(grid, fake);
  expect(asked).toEqual(['x a', 'y a', 'y b']);
  expect(run.failed.map(({ failure }) => failure)).toEqual(Array(4).fill(new Error('no such key')));
});

test('told to stop, it begins nothing more, fails nothing, and keeps what is made', async () => {
  const stop = new AbortController();
  const { fake, kept } = parts({
    signal: stop.signal,
    atOnce: 1,
    make: async ({ key }) => {
      if (key === 'y a') {
        stop.abort();
        throw new Error('stopped');
      }
      return scored({});
    },
  });
  const run = await runAll(GRID, fake);
  expect([run.isStopped, run.failed, [...kept.keys()]]).toEqual([true, [], ['x a']]);
});
