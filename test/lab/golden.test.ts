import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareArms } from '../../src/lab/cli/compare.node.ts';
import { evalFiles } from '../../src/lab/cli/eval.node.ts';
import { evalJudge } from '../../src/lab/cli/eval-judge.node.ts';
import { testDeps } from '../support/test-deps.ts';
import { BULLETS, HAY, MAP, RANDOM, runSystems } from './benchmark/run-samples.ts';
import { CONFIGURATION, DATA } from './cli/compare-samples.ts';
import { LABELLED, RECORDS, summHay } from './cli/eval-samples.ts';

const OUT = process.env.GOLD ?? '/tmp/rl/gold';
mkdirSync(OUT, { recursive: true });
const folder = mkdtempSync('/tmp/rl/f-');
const save = (name: string, text: string) =>
  writeFileSync(
    join(OUT, name),
    text
      .replaceAll(/\d+\.\d s(?=[,\n])/g, 'N s')
      .replace(/"seconds": [\d.]+/g, '"seconds": N')
      .replaceAll(/"digest.latency": [\d.]+/g, '"digest.latency": N')
      .replaceAll(/\/tmp\/[^\s"/]+/g, 'TMP'),
  );
function io() {
  const [out, err]: string[][] = [[], []];
  return {
    out,
    err,
    streams: { stdout: { write: (p: string) => out.push(p) > 0 }, stderr: { write: (p: string) => err.push(p) > 0 } },
  };
}
const never = new AbortController().signal;
test('eval', async () => {
  const bad = { id: 'bad', system: 'ours', evaluation: summHay([]) };
  const orders = (['top', 'bottom', 'random'] as const).map((order, i) => ({
    id: 'o1',
    system: 'ours',
    order,
    evaluation: summHay(['Fares rose by 4 percent in March [1, 4].'].slice(i)),
  }));
  for (const json of [true, false]) {
    const { out, err, streams } = io();
    const html = join(folder, 'e.html');
    const deps = testDeps();
    for (let i = 0; i < 2; i++) {
      const code = await evalFiles(
        [{ path: 'records.json', text: JSON.stringify([...RECORDS, ...orders]) }],
        {
          judge: { judge: 'embedded' },
          by: ['domain', 'inputWords', 'outputWords', 'order', 'questionKind'],
          json,
          restart: false,
          limit: Infinity,
          html,
          baseline: 'theirs',
        },
        deps,
        streams,
        never,
      );
      err.push(`code ${code}\n`);
    }
    save(`eval-${json}.out`, out.join(''));
    save(`eval-${json}.err`, err.join(''));
    save('eval.html', readFileSync(html, 'utf8'));
  }
  const { out, err, streams } = io();
  await evalJudge(
    { path: 'l.json', text: JSON.stringify(LABELLED) },
    { judge: { judge: 'embedded' }, json: false },
    testDeps(),
    streams,
    never,
  );
  await evalJudge(
    { path: 'l.json', text: JSON.stringify(LABELLED) },
    { judge: { judge: 'embedded' }, json: true },
    testDeps(),
    streams,
    never,
  );
  save('judge.out', out.join(''));
  save('judge.err', err.join(''));
});
test('compare', async () => {
  for (const json of [true, false]) {
    const { out, err, streams } = io();
    const html = join(folder, 'c.html');
    const deps = testDeps();
    const bad = {
      ...DATA[0],
      id: 'bad',
      documents: [{ id: 'x', text: 'This one cannot be read.' }],
      insights: undefined,
    };
    deps.engine.unreadable.add('This one cannot be read.');
    for (let i = 0; i < 2; i++)
      err.push(
        `code ${await compareArms({ configuration: { path: 'a.json', text: JSON.stringify(CONFIGURATION) }, data: { path: 'd.json', text: JSON.stringify([bad, ...DATA]) } }, { json, html, timings: false, restart: false, limit: Infinity }, deps, streams, never)}\n`,
      );
    save(`compare-${json}.out`, out.join(''));
    save(`compare-${json}.err`, err.join(''));
    save('compare.html', readFileSync(html, 'utf8'));
  }
}, 120_000);
test('run', async () => {
  for (const args of [[], ['--json']]) {
    const html = join(folder, 'r.html'),
      outputs = join(folder, 'o.jsonl');
    const d = testDeps();
    for (let i = 0; i < 2; i++) {
      const r = await runSystems({
        sets: [{ files: ['hay.json'] }, { files: ['hay.json'], name: 'second', keyPoints: 'insights', limit: 2 }],
        systems: [
          MAP,
          RANDOM,
          { name: 'ordered', options: BULLETS, orders: true },
          { name: 'bm', options: {}, sweep: { 'selection.seed': [1, 2] }, retrieval: { by: 'bm25', budget: 200 } },
          { name: 'written', options: { engine: { writer: 'llm' } }, requires: 'model' },
          { name: 'file', outputs: 'theirs.jsonl' },
        ],
        files: {
          'theirs.jsonl': [
            {
              set: 'hay',
              case: 'sales',
              bullets: ['Sales in the old town will fall [meeting].', 'Slugs avoid copper [garden].'],
              cost: 0.2,
            },
          ],
        },
        args: [...args, '--html', html, '--outputs', outputs],
        deps: d,
        more: { metrics: undefined },
      });
      save(`run-${args.join('')}-${i}.out`, r.stdout);
      save(`run-${args.join('')}-${i}.err`, `${r.stderr}code ${r.code}`);
    }
    save('run.html', readFileSync(html, 'utf8'));
    save('run.jsonl', readFileSync(outputs, 'utf8'));
  }
}, 300_000);
