import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRecord, JudgeRequest } from '../../evaluation/index.ts';
import { costOf, ModelCallError } from '../../models/index.ts';
import { chunks } from '../../text/index.ts';
import { keptResults } from '../bulk/kept-results.ts';
import { comparisonJson } from '../cli/comparison-json.ts';
import { countingLine, outcomeNote } from '../cli/counting-line.ts';
import { describeFailure } from '../cli/describe-failure.ts';
import { INTERRUPTED } from '../cli/eval.node.ts';
import { judgeRequest, limitOf } from '../cli/eval-options.ts';
import { judgeForCommand } from '../cli/judge-for-command.ts';
import { onlyPositional, parseFlags } from '../cli/parse-flags.node.ts';
import { tookLine } from '../cli/print-usage.ts';
import { type ComparisonRun, runComparison } from '../comparison/run-comparison.ts';
import { spentOnComparison } from '../comparison/spent-on-comparison.ts';
import { expectedCalls } from '../run/expected-calls.ts';
import type { PlannedOutput } from '../run/plan-run.ts';
import { type SetRun, setReport } from '../run/run-report.ts';
import type { RunSet } from '../run/run-set.ts';
import { type ScoredOutput, scoreOutput } from '../run/score-output.ts';
import { isFileSystem, type System } from '../run/system.ts';
import type { SystemOutput } from '../run/system-output.ts';
import { systemRecord } from '../run/system-record.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { announced, isAgreed } from './make-with-model.node.ts';
import { outputLines } from './output-lines.ts';
import { leftOut, type PlannedSet, planSets } from './plan-sets.ts';
import { printRun } from './print-run.ts';
import { type RunFiles, readRun } from './read-run.node.ts';
import { runPage } from './run-page/page.ts';
import { checkWritable, writeLines, writeWhole } from './set-file.node.ts';

/** Outputs under way at once; more would wait for the same threads. */
const AT_ONCE = 3;
/** Outputs that are looked up at once. */
const READ_AT_ONCE = 50;

interface RunOptions {
  readonly judge: JudgeRequest;
  readonly json: boolean;
  readonly html: string | undefined;
  readonly outputs: string | undefined;
  readonly restart: boolean;
  readonly yes: boolean;
  readonly limit: number;
}

/** Runs systems over sets, and prints the tables of the papers with paired tests. */
export const runCommand: BenchmarkCommand = {
  summary: 'Run systems over sets and score them by the papers’ protocols.',
  usage: `CONFIG [--judge embedded|llm] [--encoder NAME] [--model NAME] [--json] [--html FILE] [--outputs FILE]
                        [--restart] [--limit N] [--yes]`,
  examples: ['tessera benchmark run demo/strategies.json --html report.html'],
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
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = streams;
  for (const file of [options.html, options.outputs]) if (file !== undefined) checkWritable(file);
  const judge = judgeForCommand(options.judge, deps);
  const skipped = files.systems
    .filter((each) => needsModel(each) && deps.models.model === null)
    .map(({ name }) => name);
  if (skipped.length > 0) {
    stderr.write(`Left out, as they need a language model and none is configured: ${skipped.join('; ')}\n`);
  }
  const systems = files.systems.filter(({ name }) => !skipped.includes(name));
  let planned: PlannedSet[] | null;
  try {
    planned = await planSets(systems, files.sets, deps, { path, limit: options.limit, judge, stderr, signal });
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    stderr.write(`${failure.message} What is retrieved is kept: the same command goes on from there.\n`);
    return 1;
  }
  if (planned === null) return stopped(stderr);
  for (const line of planned.flatMap((each) => leftOut(each, systems))) stderr.write(`${line}\n`);
  const open = options.restart ? planned.flatMap((each) => each.outputs) : await unscored(planned, deps);
  if (!(await isWanted(open, options, deps, streams, signal))) return signal.aborted ? INTERRUPTED : 1;
  const runs: SetRun[] = [];
  for (const { set, outputs } of planned) {
    const run = await make(set, outputs, options, deps, stderr, signal);
    if (run.isStopped) return stopped(stderr);
    runs.push({ set, run, report: setReport(set, { ...files, skipped }, run), records: recordsOf(outputs) });
  }
  if (options.json) stdout.write(`${JSON.stringify(runJson(files.name, judge.judge, runs), null, 2)}\n`);
  else stdout.write(`${printRun(files.name, judge.judge, runs)}\n`);
  if (options.html !== undefined) writeWhole(options.html, runPage(files.name, judge.judge, runs, files.systems));
  if (options.outputs !== undefined) {
    let missing = 0;
    const lines = outputLines(planned, deps, () => missing++);
    await writeLines(options.outputs, lines);
    const why = 'as they failed, a part of them did, or they are too long to be kept';
    if (missing > 0) stderr.write(`Not in ${options.outputs}, ${why}: ${missing}\n`);
  }
  const failed = runs.flatMap(({ set, run }) => run.failed.map((each) => ({ set: set.name, ...each })));
  for (const { set, datum, arm, failure } of failed)
    stderr.write(`${set}, ${datum}, ${arm}: ${describeFailure(failure)}\n`);
  return failed.length > 0 ? 1 : 0;
}

function stopped(stderr: CommandStreams['stderr']): number {
  stderr.write('Stopped. What is made is kept: the same command goes on from there.\n');
  return INTERRUPTED;
}

function recordsOf(outputs: readonly PlannedOutput[]): SetRun['records'] {
  return Object.fromEntries(
    outputs.flatMap(({ arm, identity }) => (identity === null ? [] : [[arm.name, systemRecord(identity)]])),
  );
}

/** The outputs that no earlier run scored. */
async function unscored(planned: readonly PlannedSet[], { cache }: DigestDeps): Promise<PlannedOutput[]> {
  const all = planned.flatMap(({ outputs }) => outputs);
  const known = await keptResults<ScoredOutput>(cache, 'benchmark-score').read(all.map(({ key }) => key));
  return all.filter(({ key }) => !known.has(key));
}

/** Keys of the outputs that an earlier run had a language model make, and that only have to be scored. */
async function madeBefore(open: readonly PlannedOutput[], { cache }: DigestDeps): Promise<Set<string>> {
  const kept = keptResults<SystemOutput>(cache, 'benchmark-output');
  const keys = new Set(open.filter(({ usesModel }) => usesModel).map(({ outputKey }) => outputKey));
  const made = new Set<string>();
  for (const some of chunks([...keys], READ_AT_ONCE)) for (const key of (await kept.read(some)).keys()) made.add(key);
  return made;
}

/** Says what a language model will be asked, and asks whether to go on; without one nothing is asked. */
async function isWanted(
  open: readonly PlannedOutput[],
  { judge, restart, yes }: RunOptions,
  deps: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const { model } = deps.models;
  if (model === null) return true;
  const made = restart ? new Set<string>() : await madeBefore(open, deps);
  const isJudge = judge.judge === 'llm';
  const estimate = expectedCalls(open, { isJudge, made, contextTokens: model.contextTokens });
  if (estimate.calls === 0) return true;
  const name = judge.engine?.model ?? model.defaultModel ?? 'the models that are named';
  const cost = costOf(model.priceOf?.(name), estimate.promptTokens, estimate.completionTokens);
  streams.stderr.write(`${announced('run', name, { ...estimate, known: 0 }, cost)}\n`);
  return yes || isAgreed(streams, signal);
}

async function make(
  set: RunSet,
  planned: readonly PlannedOutput[],
  { judge, restart }: RunOptions,
  deps: DigestDeps,
  stderr: CommandStreams['stderr'],
  signal: AbortSignal,
): Promise<ComparisonRun<ScoredOutput>> {
  const scores = keptResults<ScoredOutput>(deps.cache, 'benchmark-score');
  const outputs = keptResults<SystemOutput>(deps.cache, 'benchmark-output');
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
      return scoreOutput(output, work.case, work.collection, judge, deps, signal);
    },
    keep: scores.keep,
    onProgress: ({ done, total, ...outcomes }) => line.notify(done, total, outcomeNote(outcomes)),
    isFatal: (failure) => failure instanceof ModelCallError && failure.isFatal,
    atOnce: AT_ONCE,
    signal,
  });
  line.end();
  if (!signal.aborted) stderr.write(tookLine(performance.now() - began, spentOnComparison(run)));
  return run;
}

function needsModel(system: System): boolean {
  return !isFileSystem(system) && system.needsModel;
}

/** What `tessera benchmark run --json` prints: the report of each set, how the set was made, and the figures of each output. */
function runJson(name: string, judge: JudgeRecord, runs: readonly SetRun[]) {
  return {
    name,
    judge,
    sets: runs.map(({ set, run, records, report: { comparison, ...report } }) => {
      // Here they are of cases and systems.
      const { digests, ...figures } = comparisonJson(comparison, run);
      return { ...report, made: set.made, systems: records, ...figures, outputs: digests };
    }),
  };
}
