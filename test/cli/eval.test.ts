import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type EvalOptions, evalFiles } from '../../src/cli/eval.node.ts';
import { ModelCallError } from '../../src/models/index.ts';
import type { ServiceDeps } from '../../src/server/index.ts';
import { judging } from '../evaluation/model/judging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testDeps } from '../support/test-deps.ts';
import { INSIGHTS, RECORDS, summHay } from './eval-samples.ts';

const OPTIONS: EvalOptions = {
  judge: { judge: 'embedded' },
  by: [],
  json: false,
  restart: false,
  limit: Number.POSITIVE_INFINITY,
};

/** Runs the command in this process: what it prints, and its exit code. */
async function run(
  records: unknown,
  options: Partial<EvalOptions> = {},
  deps: ServiceDeps = testDeps(),
  signal = new AbortController().signal,
) {
  const text = typeof records === 'string' ? records : JSON.stringify(records);
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (piece: string) => out.push(piece) > 0 },
    stderr: { write: (piece: string) => err.push(piece) > 0 },
  };
  const files = [{ path: 'records.json', text }];
  const code = await evalFiles(files, { ...OPTIONS, ...options }, deps, streams, signal);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

test('prints a table per metric, and differences between systems', async () => {
  const { code, stdout } = await run(RECORDS);
  expect(code).toBe(0);
  const titles = ['SummHay', 'less "ours"', 'ARGUE', 'Source coverage'];
  const places = titles.map((title) => stdout.indexOf(title));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  // Three of four insights against one of four.
  expect(stdout).toMatch(/^ours +2 +75\.0\* \[50\.0, 100\.0\]/m);
  expect(stdout).toMatch(/^theirs +2 +25\.0\* \[0\.0, 50\.0\]/m);
  expect(stdout).toMatch(/^theirs +2 +-50\.0\* \[-50\.0, -50\.0\] +– +1 +– +–$/m);
  expect(stdout).not.toContain('\u001b');
});

test('--json has every answer and every figure, the same whatever the order of the records', async () => {
  const by = ['domain', 'order'] as const;
  const [first, second] = [
    await run(RECORDS, { json: true, by }),
    await run([...RECORDS].reverse(), { json: true, by }),
  ];
  expect(second.stdout).toBe(first.stdout);
  const json = JSON.parse(first.stdout);
  expect(json.judge).toMatchObject({ name: 'embedded', encoder: 'hashed-words/1' });
  expect(json.records).toEqual({ scored: 6, known: 0, failed: 0 });
  expect(json.answers.map((each: { id: string; system: string }) => `${each.id} ${each.system}`)).toEqual([
    'a1 ours',
    'q1 ours',
    'q1 theirs',
    'q2 ours',
    'q2 theirs',
    's1 ours',
  ]);
  expect(json.answers[1]).toMatchObject({
    domain: 'news',
    inputWords: 120,
    answer: { metric: 'summhay', coverage: 50, judge: { agreement: { kappa: 0.57, items: 1083 } } },
  });
  const [summhay] = json.metrics;
  expect(
    summhay.breakdowns.map((each: { by: string; rows: { value: string }[] }) => [each.by, each.rows.length]),
  ).toEqual([
    ['domain', 4],
    ['order', 2],
  ]);
});

test('tells everything that is wrong with any record before anything is scored', async () => {
  const lines = [
    { id: 'fine', evaluation: summHay(['Fares rose.']) },
    { id: 'x', evaluation: { ...summHay([]), insights: [] } },
    { id: 'y', sistem: 's', evaluation: { ...summHay([]), judge: 'llm' } },
    { id: 'z', evaluation: { metric: 'summhay', digest: 'dig_none', insights: [{ id: 'i', text: 'x' }] } },
    { id: 'fine', evaluation: summHay(['Fares fell.']) },
    { id: 'w', order: 'middle', evaluation: { metric: 'rouge' } },
    { id: 'v', evaluation: { metric: 'key-point-recall', answer: 'Fares rose.', keyPoints: ['Fares rose.'] } },
  ].map((each) => JSON.stringify(each));
  const deps = testDeps();
  const { message } = await run([...lines, '{"id":'].join('\n'), {}, deps).then(
    () => new Error('nothing was wrong'),
    (error: Error) => error,
  );
  const told = message.split('\n').slice(1);
  for (const [where, what] of [
    ['line 2', '/evaluation/insights'],
    ['line 3', '/sistem is not a known field'],
    ['line 3', '/evaluation/judge is chosen on the command line'],
    ['line 4', '/evaluation'],
    ['line 5', '/id has the id, system, order and metric of records.json line 1'],
    ['line 6', '/order'],
    ['line 6', '/evaluation/metric'],
    ['line 7', '/evaluation/judge The embedded judge does not score "key-point-recall"'],
    ['line 8', 'is not valid JSON'],
  ]) {
    expect(
      told.filter((line) => line.includes(`records.json ${where}: ${what}`)),
      `${where} ${what}`,
    ).toHaveLength(1);
  }
  expect(deps.engine.encoder.calls).toEqual([]);
});

test('with a language model: what a call fails with is told, and what was judged is not asked again', async () => {
  let isDown = true;
  const { deps, calls } = judging(({ data, ...shown }) => {
    if (isDown && data.insight?.includes('mayor')) throw new ModelCallError('server', 'The model is down.');
    const bullet = Object.keys(shown.user.includes('Fares rose') ? data : {}).find((name) => name.startsWith('bullet'));
    return {
      coverage: bullet === undefined ? 'NO' : 'FULL',
      bullet: bullet === undefined ? null : Number(bullet.split(' ')[1]),
    };
  });
  const one = { ...summHay(['Fares rose by 4 percent in March [1].']), insights: [INSIGHTS[0]] };
  const records = [
    { id: 'a', evaluation: one },
    { id: 'b', evaluation: summHay(['The harbour froze.']) },
  ];
  const options = { judge: { judge: 'llm' }, json: true } as const;
  const first = await run(records, options, deps);
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('1 failed');
  expect(first.stderr).toContain('b, summhay: The model is down.');
  expect(JSON.parse(first.stdout)).toMatchObject({
    judge: { name: 'llm', model: { model: 'm' } },
    answers: [{ answer: { judge: { agreement: null } } }],
    records: { scored: 1, failed: 1 },
    failed: [{ id: 'b', metric: 'summhay', problem: 'The model is down.' }],
  });
  isDown = false;
  calls.length = 0;
  const second = await run(records, options, deps);
  expect(second.code).toBe(0);
  expect(JSON.parse(second.stdout).records).toEqual({ scored: 2, known: 1, failed: 0 });
  expect(calls.map(({ data }) => data.insight)).not.toContain(one.insights[0].text);
  expect(second.stderr).toMatch(/\d calls?, \d+ \+ \d+ tokens, at a cost of \d\.\d+/);
});

test('a judge that is not there is told before anything is scored, by the flag that asked for it', async () => {
  const model = run(RECORDS, { judge: { judge: 'llm' } });
  await expect(model).rejects.toThrow('--judge: needs a language model');
  const encoder = run(RECORDS, { judge: { judge: 'embedded', engine: { encoder: 'nope' } } });
  await expect(encoder).rejects.toThrow('--encoder: There is no encoder "nope"; available:');
});

test('a baseline that nobody is, and a page that cannot be written, are told', async () => {
  const deps = testDeps();
  await expect(run(RECORDS, { baseline: 'nobody' }, deps)).rejects.toThrow('no record is of this system');
  expect(deps.engine.encoder.calls).toEqual([]);
  const html = join(temporaryFolder(), 'no', 'such', 'page.html');
  await expect(run(RECORDS, { html }, deps)).rejects.toThrow('cannot be written');
  expect((await run(RECORDS, { baseline: 'theirs' }, deps)).stdout).toContain('less "theirs"');
});
