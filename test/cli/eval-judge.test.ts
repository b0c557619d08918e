import { expect, test } from 'vitest';
import { evalJudge } from '../../src/cli/eval-judge.node.ts';
import { testDeps } from '../support/test-deps.ts';
import { LABELLED } from './eval-samples.ts';

async function run(labelled: unknown, json = false, signal = new AbortController().signal) {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (piece: string) => out.push(piece) > 0 },
    stderr: { write: (piece: string) => err.push(piece) > 0 },
  };
  const file = { path: 'labels.json', text: JSON.stringify(labelled) };
  const code = await evalJudge(file, { judge: { judge: 'embedded' }, json }, testDeps(), streams, signal);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

test('prints how far the judge agrees with people, and the models on file beside it', async () => {
  const { code, stdout, stderr } = await run(LABELLED);
  expect(code).toBe(0);
  expect(stdout).toContain('4 insights of 2 summaries');
  expect(stdout).toMatch(/^levels 0, 50, 100 +1\.000 /m);
  expect(stdout).toMatch(/^linked to people's bullet, share +2 +1\.000 \[1\.000, 1\.000\]/m);
  expect(stdout).toMatch(/^one +2 +0\.000/m);
  expect(stdout).toMatch(/^100 +0 +0 +2$/m);
  expect(stdout).toMatch(/^gemini +0\.\d{3} /m);
  expect(stderr).toContain('judging 2/2');
});

test('--json has the same, whatever the order of the summaries', async () => {
  const [first, second] = [await run(LABELLED, true), await run([...LABELLED].reverse(), true)];
  const { agreement, judge, usage, seconds } = JSON.parse(first.stdout);
  expect(agreement.levels.pearson.value).toBeCloseTo(1, 12);
  expect(agreement.confusion).toEqual([
    [2, 0, 0],
    [0, 0, 0],
    [0, 0, 2],
  ]);
  expect(judge.encoder).toBe('hashed-words/1');
  expect(usage).toMatchObject({ requests: 0, cost: 0, reusedVerdicts: 0 });
  expect(seconds).toBeGreaterThan(0);
  expect(JSON.parse(second.stdout).agreement).toEqual(agreement);
});

test('labels that are wrong are told, all of them', async () => {
  const [one, two] = LABELLED;
  const bad = [
    { ...one, insights: [{ text: 'x', human: 0.3, bullet: null }] },
    { ...two, insights: [{ text: 'x', human: 1, bullet: 2 }] },
    { ...two, insights: [] },
  ];
  const { message } = await run(bad).then(
    () => new Error('nothing was wrong'),
    (error: Error) => error,
  );
  expect(message).toContain('labels.json record 0: /insights/0/human must be 0, 0.5 or 1');
  expect(message).toContain('labels.json record 1: /insights/0/bullet names none of the bullets');
  expect(message).toContain('labels.json record 2: /insights');
});

test('told to stop it prints nothing', async () => {
  const { code, stdout } = await run(LABELLED, false, AbortSignal.abort());
  expect([code, stdout]).toEqual([130, '']);
});
