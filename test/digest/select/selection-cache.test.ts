import { beforeAll, describe, expect, test } from 'vitest';
import { WorkCancelledError } from '../../../src/digest/errors.ts';
import { fitsCache, selectionCache } from '../../../src/digest/select/selection-cache.ts';
import { runSelection, type SelectionTask } from '../../../src/digest/select/selection-task.ts';
import { cancellable } from '../../../src/digest/threads/thread-calls.ts';
import { chooseMatrixProduct } from '../../../src/models/index.node.ts';
import { type MatrixProduct, portable } from '../../../src/models/index.ts';
import type { SelectionOptions } from '../../../src/selection/index.ts';
import { seeded } from '../../selection/kernel/random.ts';
import { BARE } from '../../selection/strategies/problems.ts';
import { AGREEING, taskOf } from '../statement-task.ts';

const ROOM = { bytes: 2 ** 26, idleMilliseconds: 600_000 };

/** What sliders move, and what else an option can ask for. */
const MOVED: readonly SelectionOptions[] = [
  AGREEING,
  { ...AGREEING, relevance: { form: 'exponential', weight: 0.9 } },
  { ...AGREEING, kernel: { ...AGREEING.kernel, sigma: 0.3 }, size: { keyPoints: 11 } },
  { ...AGREEING, coverage: { weight: 3, threshold: 0.01 }, refine: false },
  { ...AGREEING, salience: { weight: 0.5, threshold: 0.1 }, support: { ...AGREEING.support, threshold: null } },
  { ...AGREEING, support: { ...AGREEING.support, paraphrase: 0.7, unlike: 0.1 } },
  // Reads the rows that it picks, one by one.
  { ...BARE, size: { keyPoints: 5 }, kernel: { ...AGREEING.kernel, sigma: 0.5 } },
  { ...BARE, strategy: 'mmr', size: { words: 40 }, kernel: { ...AGREEING.kernel, form: 'linear' } },
  { ...AGREEING, strategy: 'facility-location' },
  // Reads everything.
  { ...AGREEING, strategy: 'dpp-sample', size: null, coverage: { weight: 0, threshold: 0 } },
];

describe('what is selected is the same, to the last bit, as where nothing is held', () => {
  let native: MatrixProduct;
  beforeAll(async () => {
    native = await chooseMatrixProduct('auto');
  });

  test.each(['portable', 'native'])('in any order of calls, %s', async (backend) => {
    const product = backend === 'portable' ? portable : native;
    const task = taskOf(90);
    const held = selectionCache(ROOM);
    const random = seeded(4);
    const afresh = await Promise.all(MOVED.map((options) => runSelection(task, options, product)));
    for (let call = 0; call < 40; call++) {
      const which = call === 0 ? 6 : random.below(MOVED.length);
      const found = { key: 'k', settings: task.settings, options: MOVED[which] };
      const selection = await held.select({ ...found, items: call === 0 ? task.items : null }, product);
      expect(selection, `call ${call}, options ${which}`).toEqual(afresh[which]);
    }
    expect(new Set(afresh.map(({ picks }) => picks.map(({ item }) => item).join())).size).toBeGreaterThan(5);
  });

  test('calls that come at once, and relevance, factors, share and background of their own', async () => {
    const task = taskOf(60);
    const held = selectionCache(ROOM);
    const { source } = task.items;
    const moved = (settings: Partial<SelectionTask['settings']>): SelectionTask => ({
      ...task,
      settings: { ...task.settings, ...settings },
    });
    const others: SelectionTask[] = [
      task,
      moved({ relevance: task.settings.relevance.map((r) => -r), factors: new Float64Array(60).fill(1) }),
      moved({ share: 1 }),
      moved({ background: source.kind === 'statements' ? source.statements.slice(0, 2) : [] }),
    ];
    const of = (each: SelectionTask) =>
      held.select({ key: 'k', settings: each.settings, options: AGREEING, items: task.items }, portable);
    const afresh = await Promise.all(others.map((each) => runSelection(each, AGREEING, portable)));
    expect(await Promise.all(others.map(of))).toEqual(afresh);
    expect(new Set(afresh.map(({ objective }) => objective)).size).toBe(4);
  });
});

describe('what is held', () => {
  const call = (key: string, task: SelectionTask, whole: boolean) => ({
    key,
    settings: task.settings,
    options: AGREEING,
    items: whole ? task.items : null,
  });
  const small = taskOf(30);
  const fits = (bytes: number) => fitsCache(small.items, { bytes, idleMilliseconds: 1 });
  /** What is reckoned for it, to a twentieth. */
  let BYTES = 1000;
  while (!fits(2 * BYTES)) BYTES *= 1.05;

  test('the least recently used goes where there is no more room, whoever is idle after a while', async () => {
    let time = 0;
    const held = selectionCache({ bytes: 2.5 * BYTES, idleMilliseconds: 1000 }, () => time);
    for (const key of ['a', 'b']) await held.select(call(key, small, true), portable);
    await held.select(call('a', small, false), portable);
    await held.select(call('c', small, true), portable);
    expect(await held.select(call('b', small, false), portable)).toBeNull();
    expect(await held.select(call('a', small, false), portable)).not.toBeNull();
    time = 900;
    await held.select(call('c', small, false), portable);
    time = 1100;
    expect(await held.select(call('a', small, false), portable)).toBeNull();
    expect(await held.select(call('c', small, false), portable)).not.toBeNull();
  });

  test('is not spoilt by a call that is called off', async () => {
    const held = selectionCache(ROOM);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    flag[0] = 1;
    await expect(held.select(call('a', small, true), cancellable(portable, flag))).rejects.toThrow(WorkCancelledError);
    expect(await held.select(call('a', small, false), portable)).toEqual(await runSelection(small, AGREEING, portable));
  });
});
