import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRecord } from '../../evaluation/index.ts';
import {
  asDrafted,
  describeFailure,
  type JudgedSet,
  judgeIdentity,
  madeOutputs,
  runReport,
  type SetRun,
} from '../../lab/index.ts';
import { VERSION } from '../../server/index.ts';
import { onlyPositional, parseFlags, UsageError } from '../command.node.ts';
import { judgeRequest, limitOf } from '../eval-options.ts';
import { resultJson } from '../result-json.ts';
import { type ReportOutputs, writeReport } from '../write-report.node.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { correlationsWith, type OtherJudge, printCorrelations, readOtherJudge } from './other-judge.node.ts';
import { type RunFiles, readRun } from './read-run.node.ts';
import { type RecordsOptions, recordsOptions, SAMPLE_FLAGS, writeRecords } from './run-records.node.ts';
import { type PlannedSet, type RunOptions, runSets } from './run-sets.node.ts';
import { checkWritable, writeLines } from './set-file.node.ts';

interface PrintedRun extends RunOptions, ReportOutputs {
  readonly outputs: string | undefined;
  readonly records: RecordsOptions | undefined;
  readonly against: OtherJudge | null;
}

export const runCommand: BenchmarkCommand = {
  summary: 'Run systems on sets and score them with the papers’ protocols.',
  usage: `CONFIG [--judge embedded|llm] [--encoder NAME] [--model NAME] [--json] [--html FILE] [--csv FILE]
                        [--outputs FILE] [--records FILE [--sample N] [--seed N]] [--against REPORT.json] [--restart] [--limit N] [--yes]`,
  examples: ['tessera benchmark run examples/strategies.json --html report.html'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, {
      judge: { type: 'string' },
      encoder: { type: 'string' },
      model: { type: 'string' },
      json: { type: 'boolean' },
      html: { type: 'string' },
      csv: { type: 'string' },
      outputs: { type: 'string' },
      records: { type: 'string' },
      against: { type: 'string' },
      ...SAMPLE_FLAGS,
      restart: { type: 'boolean' },
      limit: { type: 'string' },
      yes: { type: 'boolean' },
    });
    const { html, csv, outputs, json = false, restart = false, yes = false } = values;
    const { records: to, sample, seed } = values;
    if (to === undefined && (sample ?? seed) !== undefined) {
      throw new UsageError('--sample and --seed need --records FILE.');
    }
    const records = to === undefined ? undefined : recordsOptions(to, values);
    const limit = limitOf(values.limit);
    const against = values.against === undefined ? null : readOtherJudge(values.against);
    const options = { judge: judgeRequest(values), json, html, csv, outputs, records, against, restart, yes, limit };
    const path = onlyPositional(positionals, 'a configuration');
    return runBenchmark(path, readRun(path), options, await service(), streams, signal);
  },
};

async function runBenchmark(
  path: string,
  files: RunFiles,
  options: PrintedRun,
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = streams;
  for (const file of [options.html, options.csv, options.outputs, options.records?.path])
    if (file !== undefined) checkWritable(file);
  const done = await runSets('run', path, [files], options, deps, streams, signal);
  if (typeof done === 'number') return done;
  const { planned, runs } = done;
  const { judge } = judgeIdentity(options.judge, deps);
  const json = runJson(files.name, judge, runs);
  const { against } = options;
  const correlations = against === null ? null : correlationsWith(json.sets, against);
  const report = runReport(files.name, judge, runs, files.systems);
  await writeReport(report, { ...json, ...(correlations && { correlations }) }, options, stdout);
  if (!options.json && against !== null && correlations !== null) {
    stdout.write(`\n${printCorrelations(judge, against.judge, correlations)}\n`);
  }
  if (options.outputs !== undefined) await writeOutputs(options.outputs, planned, deps, stderr);
  if (options.records !== undefined) await writeRecords(options.records, done, options.judge, deps, stderr);
  return reportFailed(runs, stderr);
}

/** Writes outputs in the format of other systems' outputs, which runs can read. */
export async function writeOutputs(
  path: string,
  planned: readonly PlannedSet[],
  deps: DigestDeps,
  stderr: CommandStreams['stderr'],
): Promise<void> {
  let missing = 0;
  const lines = outputLines(planned, deps, () => missing++);
  await writeLines(path, lines);
  const why = 'as they failed, a part of them did, or they are too long to be kept';
  if (missing > 0) stderr.write(`Not in ${path}, ${why}: ${missing}\n`);
}

export function reportFailed(runs: readonly SetRun[], stderr: CommandStreams['stderr']): number {
  const failed = runs.flatMap(({ set, run }) =>
    run.failed.map(({ item, failure }) => ({ set: set.name, ...item, failure })),
  );
  for (const { set, datum, arm, failure } of failed)
    stderr.write(`${set}, ${datum}, ${arm}: ${describeFailure(failure)}\n`);
  return failed.length > 0 ? 1 : 0;
}

async function* outputLines(
  planned: readonly PlannedSet[],
  deps: DigestDeps,
  onMissing: () => void,
): AsyncGenerator<string> {
  for (const { set, outputs } of planned) {
    for await (const [{ arm: system, datum, text }, made] of madeOutputs(outputs, deps)) {
      if (made === undefined) {
        onMissing();
        continue;
      }
      const output = text === 'draft' ? asDrafted(made) : made;
      const { sentences, picks, asked, given } = output;
      const told = { sentences, ...(picks !== null && { picks }), asked, given };
      yield JSON.stringify({ set: set.name, case: datum, system, ...told });
    }
  }
}

interface JsonReport {
  readonly name: string;
  readonly version: string;
  readonly judge: JudgeRecord;
  readonly sets: readonly JudgedSet[];
}

export function runJson(name: string, judge: JudgeRecord, runs: readonly SetRun[]): JsonReport {
  return {
    name,
    version: VERSION,
    judge,
    sets: runs.map(({ set, run, records, report }) => {
      const { digests, ...figures } = resultJson(report, run);
      return { set: set.name, made: set.made, systems: records, ...figures, outputs: digests };
    }),
  };
}
