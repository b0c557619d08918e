import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CompareOptions, compareArms } from '../../src/cli/compare.node.ts';
import type { DigestDeps } from '../../src/digest/index.ts';
import { testDeps } from '../support/test-deps.ts';
import { CONFIGURATION, DATA } from './compare-samples.ts';

const OPTIONS: CompareOptions = { json: false, restart: false, limit: Number.POSITIVE_INFINITY };

/** Runs the command in this process: what it prints, and its exit code. */
async function run(
  configuration: unknown = CONFIGURATION,
  data: unknown = DATA,
  options: Partial<CompareOptions> = {},
  deps: DigestDeps = testDeps(),
  signal = new AbortController().signal,
) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (piece: string) => out.push(piece) > 0 },
    stderr: { write: (piece: string) => err.push(piece) > 0 },
  };
  const files = {
    configuration: { path: 'arms.json', text: textOf(configuration) },
    data: { path: 'data.json', text: textOf(data) },
  };
  const code = await compareArms(files, { ...OPTIONS, ...options }, deps, streams, signal);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

test('prints means and differences from the baseline, and leaves out what needs a model', async () => {
  const { code, stdout, stderr } = await run();
  expect(code).toBe(0);
  expect(stderr).toContain('Left out, as they need a language model and none is configured: written\n');
  expect(stderr).toContain('running Small & <fine> 9/9');
  expect(stdout).toMatch(/^Small & <fine>\nscores by the embedded judge/);
  expect(stdout).toContain('Small & <fine>: 3 systems, the baseline is "random, keyPoints 2"; 3 cases');
  expect(stdout).toMatch(/^system +n +joint +coverage +citation +source coverage +words given +key points +documents/m);
  const means = stdout.split(/\nmeans, with .*\n/)[1].split('\n\n')[0];
  const [, ...rows] = means.split('\n');
  expect(rows.map((row) => row.split(/ {3,}/).slice(0, 2))).toEqual([
    ['map', '3'],
    ['random, keyPoints 2', '3'],
    ['random, keyPoints 4', '3'],
  ]);
  const coverage = stdout.split('\n\n').find((part) => part.startsWith('documents, less "random'));
  expect(coverage?.split('\n')[1]).toMatch(/^system +pairs +difference, 95% bootstrap interval +t +df +p +p, Holm$/);
  expect(coverage?.split('\n')).toHaveLength(4);
  expect(stdout).not.toContain('tokens');
});

test('--json has every figure, the same whatever the order of the data', async () => {
  const first = await run(CONFIGURATION, DATA, { json: true });
  const second = await run(CONFIGURATION, DATA.toReversed(), { json: true });
  expect(second.stdout).toBe(first.stdout);
  const json = JSON.parse(first.stdout);
  expect(json).toMatchObject({ baseline: 'random, keyPoints 2', data: 3, main: 'summhay.joint', skipped: ['written'] });
  expect(json.run).toMatchObject({ made: 9, known: 0, failed: 0 });
  expect(json.digests.map(({ datum, arm }: { datum: string; arm: string }) => `${datum} ${arm}`).slice(0, 4)).toEqual([
    'air map',
    'air random, keyPoints 2',
    'air random, keyPoints 4',
    'sales map',
  ]);
  // Insights are known of two data, questions of one.
  const [map] = json.arms;
  expect(map.differences['summhay.coverage'].n).toBe(2);
  expect(map.differences['sources.coverage'].n).toBe(1);
  expect(map.differences['digest.words'].n).toBe(3);
  const digests: { arm: string; figures: Record<string, number> }[] = json.digests;
  const meanOf = (arm: string) => {
    const words = digests.filter((each) => each.arm === arm).map(({ figures }) => figures['digest.words']);
    return words.reduce((a, b) => a + b) / words.length;
  };
  expect(map.differences['digest.words'].value).toBeCloseTo(meanOf('map') - meanOf('random, keyPoints 2'), 9);
  expect(map.options).toEqual(CONFIGURATION.arms[0].options);
});

test('documents are read and encoded once for all arms', async () => {
  const deps = testDeps();
  await run(CONFIGURATION, DATA, {}, deps);
  const texts = DATA[0].documents.map(({ text }) => text);
  const read = deps.engine.extracted.filter((text) => texts.includes(text));
  expect(read.toSorted()).toEqual(texts.toSorted());
});

test('tells everything that is wrong with either file before anything is made', async () => {
  const deps = testDeps();
  const configuration = {
    name: 'bad',
    baseline: 'nobody',
    metrics: ['rouge'],
    arms: [{ name: 'a', options: {} }],
  };
  const messageOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    );
  const data = [
    { id: 'd', documents: [] },
    { id: 'e', documents: DATA[0].documents, intent: { problem: 'x', background: { digest: 'dig_1' } } },
    { id: 'f', documents: DATA[0].documents, insights: [{ id: 'i', text: 'x', documents: ['nope'] }] },
    DATA[0],
    DATA[0],
    { id: 'g', documents: DATA[0].documents, insights: [{ id: 'i', text: ' ' }] },
  ];
  const first = await messageOf(run(configuration, data, {}, deps));
  expect(first).toContain('Nothing was compared');
  expect(first).toContain('arms.json record 0: /metrics/0');
  const told = await messageOf(run(CONFIGURATION, data, {}, deps));
  for (const line of [
    'data.json record 0: /documents',
    'data.json record 1: /intent/background is given in words here',
    'data.json record 2: /insights/0/documents/0 is not the id of one of the documents',
    'data.json record 5: /insights/0/text is blank',
    'data.json: /id gives "sales" twice',
  ]) {
    expect(told).toContain(line);
  }
  const arms = [
    { name: 'a', options: { selection: { strategy: 'best' } } },
    { name: 'b', options: { documents: [] } },
    { name: 'c', options: {}, sweep: { 'selection.size.keyPoints': [1, 0] } },
  ];
  const ofArms = await messageOf(run({ name: 'bad', arms }, DATA, {}, deps));
  for (const line of [
    '/arms/0/options/selection/strategy',
    '/arms/1/options/documents is not a known field',
    '/arms/2/options/selection/size',
    '(of "c, keyPoints 0")',
  ]) {
    expect(ofArms).toContain(line);
  }
  const twice = run({ name: 'bad', arms: [CONFIGURATION.arms[0], CONFIGURATION.arms[0]] }, DATA, {}, deps);
  expect(await messageOf(twice)).toContain('/arms gives "map" twice');
  const nobody = run({ ...CONFIGURATION, baseline: 'nobody' }, DATA, {}, deps);
  expect(await messageOf(nobody)).toContain('/baseline names "nobody", which is none of the arms');
  const unmarked = { name: 'x', arms: [{ name: 'w', options: { engine: { writer: 'llm' } } }] };
  expect(await messageOf(run(unmarked, DATA, {}, deps))).toContain(
    'system "w": /options/engine/writer needs a language model',
  );
  expect(deps.engine.extracted).toEqual([]);
});

test('the configuration that is ready: the grid of the paper', async () => {
  const text = readFileSync(new URL('../../examples/ablation.json', import.meta.url), 'utf8');
  const datum = { ...DATA[0], documents: DATA[0].documents.slice(0, 3), insights: undefined };
  const { arms, baseline, skipped, failed } = JSON.parse((await run(text, [datum], { json: true })).stdout);
  // So few points have no larger sets that differ.
  expect(failed.map(({ arm }: { arm: string }) => arm)).toEqual(['k-dpp, keyPoints 20']);
  for (const { problem } of failed) expect(problem).toContain('the kernel has that rank');
  const names: string[] = arms.map(({ name }: { name: string }) => name);
  expect(baseline).toBe('dpp-sample, sigma 1');
  for (const strategy of ['dpp-sample', 'dpp-map', 'k-dpp']) {
    for (const relevance of ['', ' without relevance']) {
      for (const kernel of ['sigma 0.1', 'sigma 1', 'sigma 10', 'linear']) {
        expect(names).toContain(`${strategy}${relevance}, ${kernel}`);
      }
    }
  }
  for (const strategy of ['dpp-map', 'k-dpp', 'mmr', 'facility-location', 'relevance', 'random']) {
    for (const size of [5, 20]) expect(names).toContain(`${strategy}, keyPoints ${size}`);
    const ours = strategy === 'dpp-map' ? 'keyPoints 10' : `strategy ${strategy}`;
    expect(names).toContain(`defaults of Tessera, ${ours}`);
  }
  expect(names).toContain('all');
  expect(skipped).toHaveLength(5);
});
