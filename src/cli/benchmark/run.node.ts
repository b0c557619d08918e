import { dirname, resolve } from 'node:path';
import { judgeIdentity, madeOutputs, readRun, runReport, type SetRun } from '../../lab/index.ts';
import { one, UsageError } from '../command.node.ts';
import { judgeRequest } from '../eval-options.ts';
import { JUDGE_FLAGS, REPORT_FLAGS, SAMPLE_FLAGS, YES_FLAG } from '../flags.ts';
import { readTextFiles } from '../read-files.node.ts';
import { reportFailed, runJson, writeReport } from '../reports.node.ts';
import { benchmarkCommand, type Working } from './command.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { sampleOf, writeRecords } from './run-records.node.ts';
import { runSets } from './run-sets.node.ts';
import { checkWritable, writeLines } from './set-file.node.ts';

export const runCommand = benchmarkCommand({
  summary: 'Run systems on sets and score them with the papers’ protocols.',
  usage: 'CONFIG',
  flags: {
    ...JUDGE_FLAGS,
    ...REPORT_FLAGS,
    ...YES_FLAG,
    outputs: { type: 'string', value: 'FILE', about: 'also write the outputs, as lines that a run can read' },
    records: { type: 'string', value: 'FILE', about: "also write some of the judge's decisions, for people to label" },
    ...SAMPLE_FLAGS,
  },
  examples: ['tessera benchmark run examples/strategies.json --html report.html'],
  takes: one('a configuration'),
  async run(values, [path], service, streams, signal) {
    const { html, csv, outputs, records, json = false, restart = false, yes = false, sample, seed } = values;
    if (records === undefined && (sample ?? seed) !== undefined) {
      throw new UsageError('--sample and --seed need --records FILE.');
    }
    const options = {
      ...{ json, html, csv, restart, yes, judge: judgeRequest(values) },
      limit: wholeNumber('--limit', values.limit, Number.POSITIVE_INFINITY),
    };
    const drawn = sampleOf(values);
    const at = (file: string) => resolve(dirname(path), file);
    const files = readRun(readTextFiles([path])[0], (paths) => readTextFiles(paths.map(at)));
    const working = { deps: await service(), streams, signal };
    for (const file of [html, csv, outputs, records]) if (file !== undefined) checkWritable(file);
    const runs = await runSets('run', [files], options, working);
    if (typeof runs === 'number') return runs;
    const { judge } = judgeIdentity(options.judge, working.deps);
    const report = runReport(files.name, judge, runs);
    await writeReport(report, runJson(files.name, judge, runs), options, streams.stdout);
    if (outputs !== undefined) await writeOutputs(outputs, runs, working);
    if (records !== undefined) await writeRecords(records, drawn, runs, options.judge, working);
    return reportFailed(runs, streams.stderr);
  },
});

/** Writes outputs in the format of other systems' outputs, which runs can read. */
export async function writeOutputs(path: string, runs: readonly SetRun[], { deps, streams }: Working): Promise<void> {
  let missing = 0;
  async function* lines(): AsyncGenerator<string> {
    for (const { set, outputs } of runs) {
      for await (const [{ arm: system, datum }, output] of madeOutputs(outputs, deps)) {
        if (output === undefined) {
          missing++;
          continue;
        }
        const { sentences, picks, asked, given } = output;
        const told = { sentences, picks: picks ?? undefined, asked, given };
        yield JSON.stringify({ set: set.name, case: datum, system, ...told });
      }
    }
  }
  await writeLines(path, lines());
  const why = 'as they failed, a part of them did, or they are too long to be kept';
  if (missing > 0) streams.stderr.write(`Not in ${path}, ${why}: ${missing}\n`);
}
