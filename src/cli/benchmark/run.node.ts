import { expectedCalls } from '../../benchmarks/run/expected-calls.ts';
import { type PlannedOutput, planRun } from '../../benchmarks/run/plan-run.ts';
import { type SetReport, setReport } from '../../benchmarks/run/run-report.ts';
import type { RunSet } from '../../benchmarks/run/run-set.ts';
import { type ScoredOutput, scoreOutput } from '../../benchmarks/run/score-output.ts';
import { isFileSystem, type System } from '../../benchmarks/run/system.ts';
import type { SystemOutput } from '../../benchmarks/run/system-output.ts';
import { type SystemRecord, systemRecord } from '../../benchmarks/run/system-record.ts';
import { UnusableSystemError } from '../../benchmarks/run/unusable-system-error.ts';
import type { DigestParts } from '../../digest/digest-parts.ts';
import type { JudgeIdentity } from '../../evaluation/bulk/judge-identity.ts';
import { keptResults } from '../../evaluation/bulk/kept-results.ts';
import type { JudgeRequest } from '../../evaluation/request.ts';
import { type ComparisonRun, runComparison } from '../../experiments/comparison/run-comparison.ts';
import { spentOnComparison } from '../../experiments/comparison/spent-on-comparison.ts';
import { VERSION } from '../../http/open-api-info.ts';
import { ModelCallError } from '../../language-models/model-call-error.ts';
import { costOf } from '../../language-models/usage.ts';
import { BadRecordsError } from '../bad-records-error.ts';
import { countingLine, outcomeNote } from '../counting-line.ts';
import { describeFailure } from '../describe-failure.ts';
import { INTERRUPTED } from '../eval.node.ts';
import { judgeRequest, limitOf } from '../eval-options.ts';
import { judgeForCommand } from '../judge-for-command.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { printUsage } from '../print-usage.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { announced, isAgreed } from './make-with-model.node.ts';
import { printRun } from './print-run.ts';
import { type RunFiles, readRun } from './read-run.node.ts';
import { runJson } from './run-json.ts';
import { runPage } from './run-page/page.ts';
import { checkWritable, writeWhole } from './set-file.node.ts';

/** Outputs under way at once; more would wait for the same threads. */
const AT_ONCE = 3;

interface RunOptions {
  readonly judge: JudgeRequest;
  readonly json: boolean;
  readonly html: string | undefined;
  readonly outputs: string | undefined;
  readonly restart: boolean;
  readonly yes: boolean;
  readonly limit: number;
}

/** What came of a set. */
export interface SetRun {
  readonly set: RunSet;
  readonly run: ComparisonRun<ScoredOutput>;
  readonly report: SetReport;
  /** What made the outputs, by the name of the system; those of files are absent. */
  readonly records: Readonly<Record<string, SystemRecord>>;
}

/** Runs systems over sets, and prints the tables of the papers with paired tests. */
export const runCommand: BenchmarkCommand = {
  usage: `run CONFIG [--judge embedded|llm] [--encoder NAME] [--model NAME] [--json] [--html FILE] [--outputs FILE]
                        [--restart] [--limit N] [--yes]`,
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, {
      judge: { type: 'string' },
      encoder: { type: 'string' },
      model: { type: 'string' },
      json: { type: 'boolean' },
      html: { type: 'string' },
      outputs: { type: 'string' },
      restart: { type: 'boolean' },
      limit: { type: 'string' },
      yes: { type: 'boolean' },
    });
    const { html, outputs, json = false, restart = false, yes = false } = values;
    const options = { judge: judgeRequest(values), json, html, outputs, restart, yes, limit: limitOf(values.limit) };
    const path = onlyPositional(positionals, 'a configuration');
    return runBenchmark(path, readRun(path), options, await service(), streams, signal);
  },
};

async function runBenchmark(
  path: string,
  files: RunFiles,
  options: RunOptions,
  parts: DigestParts,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = streams;
  for (const file of [options.html, options.outputs]) if (file !== undefined) checkWritable(file);
  const judge = judgeForCommand(options.judge, parts);
  const skipped = files.systems
    .filter((each) => needsModel(each) && parts.models.model === null)
    .map(({ name }) => name);
  if (skipped.length > 0) {
    stderr.write(`Left out, as they need a language model and none is configured: ${skipped.join('; ')}\n`);
  }
  const systems = files.systems.filter(({ name }) => !skipped.includes(name));
  const planned = await planAll(path, systems, files.sets, options.limit, judge, parts);
  for (const line of planned.flatMap((each) => leftOut(each, systems))) stderr.write(`${line}\n`);
  const open = options.restart ? planned.flatMap((each) => each.outputs) : await unscored(planned, parts);
  if (!(await isWanted(open, options, parts, streams, signal))) return signal.aborted ? INTERRUPTED : 1;
  const runs: SetRun[] = [];
  for (const { set, outputs } of planned) {
    const run = await make(set, outputs, options, parts, stderr, signal);
    if (run.isStopped) {
      stderr.write('Stopped. What is made is kept: the same command goes on from there.\n');
      return INTERRUPTED;
    }
    runs.push({ set, run, report: setReport(set, { ...files, skipped }, run), records: recordsOf(outputs) });
  }
  if (options.json) stdout.write(`${JSON.stringify(runJson(files.name, judge.judge, runs), null, 2)}\n`);
  else stdout.write(`${printRun(files.name, judge.judge, runs)}\n`);
  if (options.html !== undefined) writeWhole(options.html, runPage(files.name, judge.judge, runs, files.systems));
  if (options.outputs !== undefined) {
    const { text, missing } = await outputLines(planned, parts);
    writeWhole(options.outputs, text);
    if (missing > 0) stderr.write(`Not in ${options.outputs}, as they failed, or a part of them did: ${missing}\n`);
  }
  const failed = runs.flatMap(({ set, run }) => run.failed.map((each) => ({ set: set.name, ...each })));
  for (const { set, datum, arm, failure } of failed)
    stderr.write(`${set}, ${datum}, ${arm}: ${describeFailure(failure)}\n`);
  return failed.length > 0 ? 1 : 0;
}

function recordsOf(outputs: readonly PlannedOutput[]): SetRun['records'] {
  return Object.fromEntries(
    outputs.flatMap(({ arm, identity }) => (identity === null ? [] : [[arm.name, systemRecord(identity)]])),
  );
}

/** The cases of a set that a system cannot be given documents for, in a line each. */
function leftOut({ set, outputs }: PlannedSet, systems: readonly System[]): string[] {
  return systems.flatMap((system) => {
    if (isFileSystem(system)) return [];
    const there = new Set(outputs.filter(({ arm }) => arm.name === system.name).map(({ datum }) => datum.id));
    const lacking = set.cases.filter(({ id }) => !there.has(id)).map(({ id }) => id);
    if (lacking.length === 0) return [];
    return [`${set.name}, ${system.name}: left out, as nothing says what to retrieve: ${lacking.join(', ')}`];
  });
}

interface PlannedSet {
  readonly set: RunSet;
  readonly outputs: readonly PlannedOutput[];
}

/** @throws BadRecordsError where a system asks for what cannot be had here, or for a case */
async function planAll(
  path: string,
  systems: readonly System[],
  sets: readonly RunSet[],
  limit: number,
  judge: JudgeIdentity,
  parts: DigestParts,
): Promise<PlannedSet[]> {
  const planned: PlannedSet[] = [];
  for (const whole of sets) {
    const set = { ...whole, cases: whole.cases.slice(0, limit) };
    try {
      planned.push({ set, outputs: await planRun(systems, set, parts, { version: VERSION, judge }) });
    } catch (error) {
      if (!(error instanceof UnusableSystemError)) throw error;
      const where = `${path} system "${error.system}"`;
      throw new BadRecordsError([{ where, pointer: error.pointer, detail: error.message }], 'run');
    }
  }
  return planned;
}

/** The outputs that no earlier run scored. */
async function unscored(planned: readonly PlannedSet[], { database }: DigestParts): Promise<PlannedOutput[]> {
  const all = planned.flatMap(({ outputs }) => outputs);
  const known = await keptResults<ScoredOutput>(database, 'benchmark-score').read(all.map(({ key }) => key));
  return all.filter(({ key }) => !known.has(key));
}

/** Says what a language model will be asked, and asks whether to go on; without one nothing is asked. */
async function isWanted(
  open: readonly PlannedOutput[],
  { judge, yes }: RunOptions,
  { models: { model } }: DigestParts,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const estimate = expectedCalls(open, judge.judge === 'llm');
  if (model === null || estimate.calls === 0) return true;
  const name = judge.engine?.model ?? model.defaultModel ?? 'the models that are named';
  const cost = costOf(model.priceOf?.(name), estimate.promptTokens, estimate.completionTokens);
  streams.stderr.write(`${announced('run', name, { ...estimate, known: 0 }, cost)}\n`);
  return yes || isAgreed(streams, signal);
}

async function make(
  set: RunSet,
  planned: readonly PlannedOutput[],
  { judge, restart }: RunOptions,
  parts: DigestParts,
  stderr: CommandStreams['stderr'],
  signal: AbortSignal,
): Promise<ComparisonRun<ScoredOutput>> {
  const scores = keptResults<ScoredOutput>(parts.database, 'benchmark-score');
  const outputs = keptResults<SystemOutput>(parts.database, 'benchmark-output');
  const line = countingLine(stderr, `running ${set.name}`);
  const began = performance.now();
  const run = await runComparison<PlannedOutput, ScoredOutput>(planned, {
    known: async (keys) => {
      if (!restart) return scores.read(keys);
      await scores.forget(keys);
      await outputs.forget(planned.map(({ outputKey }) => outputKey));
      return new Map();
    },
    make: async (work) => {
      const known = (await outputs.read([work.outputKey])).get(work.outputKey);
      const output = known ?? (await work.output(signal));
      if (known === undefined && !output.isPartial) await outputs.keep(work.outputKey, output);
      return scoreOutput(output, work.case, work.collection, judge, parts, signal);
    },
    keep: scores.keep,
    onProgress: ({ done, total, ...outcomes }) => line.tell(done, total, outcomeNote(outcomes)),
    isFatal: (failure) => failure instanceof ModelCallError && failure.isFatal,
    atOnce: AT_ONCE,
    signal,
  });
  line.end();
  if (!signal.aborted) {
    const spent = printUsage(spentOnComparison(run));
    stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s${spent === '' ? '' : `, ${spent}`}\n`);
  }
  return run;
}

/** The outputs as JSON Lines, which a run reads as those of other systems; only whole ones are kept. */
async function outputLines(
  planned: readonly PlannedSet[],
  { database }: DigestParts,
): Promise<{ readonly text: string; readonly missing: number }> {
  const kept = keptResults<SystemOutput>(database, 'benchmark-output');
  const lines: string[] = [];
  let missing = 0;
  for (const { set, outputs } of planned) {
    const known = await kept.read(outputs.map(({ outputKey }) => outputKey));
    for (const { arm, datum, outputKey } of outputs) {
      const output = known.get(outputKey);
      if (output === undefined) {
        missing++;
        continue;
      }
      const { sentences, picks, asked, given } = output;
      const told = { sentences, ...(picks !== null && { picks }), asked, given };
      lines.push(JSON.stringify({ set: set.name, case: datum.id, system: arm.name, ...told }));
    }
  }
  return { text: lines.map((line) => `${line}\n`).join(''), missing };
}

function needsModel(system: System): boolean {
  return !isFileSystem(system) && system.needsModel;
}
