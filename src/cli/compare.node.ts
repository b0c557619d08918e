import type { z } from 'zod';
import type { DigestDeps } from '../digest/index.ts';
import {
  BadRecordsError,
  checkRecords,
  comparisonReport,
  comparisonSchema,
  type DigestSystem,
  datumSchema,
  describeFailure,
  judgeIdentity,
  oncePer,
  type PlannedOutput,
  planRun,
  type RecordProblem,
  type RunCase,
  type RunSet,
  runOutputs,
  type ScoredOutput,
  setReport,
  sweptSystems,
  type TextFile,
  UnusableSystemError,
} from '../lab/index.ts';
import { VERSION } from '../server/index.ts';
import { UsageError } from './command.node.ts';
import type { EvalStreams } from './eval.node.ts';
import { resultJson } from './result-json.ts';
import { noteSkipped, stopped } from './run-notes.node.ts';
import { withProgress } from './with-progress.ts';
import { type ReportOutputs, writeReport } from './write-report.node.ts';

export interface CompareOptions extends ReportOutputs {
  /** Measures latency; makes one digest at a time. */
  readonly timings: boolean;
  readonly restart: boolean;
  readonly limit: number;
}

/** Needs no API key and is deterministic. */
const JUDGE = { judge: 'embedded' } as const;

/**
 * Makes and scores digests of every datum for every arm, prints the differences, and writes the page if requested.
 * @param signal aborts; finished work is kept
 * @returns the exit code: 1 if a digest failed
 * @throws BadRecordsError for malformed files and options, before anything is made; UsageError if the baseline needs a
 * missing language model, or the page cannot be written
 */
export async function compareArms(
  files: { readonly configuration: TextFile; readonly data: TextFile },
  options: CompareOptions,
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const read = readComparison(files.configuration, files.data);
  const { arms, set, ...comparison } = read;
  const skipped = arms.filter(({ needsModel }) => needsModel && deps.models.model === null).map(({ name }) => name);
  if (skipped.includes(comparison.baseline)) {
    throw new UsageError(`The baseline "${comparison.baseline}" needs a language model, and none is configured here.`);
  }
  noteSkipped(skipped, stderr);
  const planned = await plannedDigests(read, skipped, options.limit, deps, files.configuration.path, signal);
  if (planned === null) return stopped(stderr);
  const { restart, timings } = options;
  const ran = await withProgress('comparing', stderr, (onProgress) =>
    runOutputs(planned, { judge: JUDGE, restart, signal, onProgress, ...(timings && { atOnce: 1 }) }, deps),
  );
  if (ran.isStopped) return stopped(stderr);
  const run = { ...ran, made: ran.made.map((each) => ({ ...each, result: withoutInput(each.result) })) };
  const report = setReport(set, { ...comparison, systems: arms, skipped, hasTimings: timings }, run);
  const page = comparisonReport({ set, run, report, records: {} }, arms);
  await writeReport(page, resultJson(report, run), options, stdout);
  for (const { item, failure } of run.failed) {
    stderr.write(`${item.datum}, ${item.arm}: ${describeFailure(failure)}\n`);
  }
  return run.failed.length > 0 ? 1 : 0;
}

/** Drops the input size, which is the same for all arms. */
const withoutInput = oncePer(({ figures: { 'input.words': _, ...figures }, ...result }: ScoredOutput) => ({
  ...result,
  figures,
}));

/** @returns null if aborted @throws BadRecordsError if an option of an arm is not available here */
async function plannedDigests(
  { arms, set }: ComparisonFiles,
  skipped: readonly string[],
  limit: number,
  deps: DigestDeps,
  path: string,
  signal: AbortSignal,
): Promise<PlannedOutput[] | null> {
  const systems = arms.filter(({ name }) => !skipped.includes(name));
  const options = { version: VERSION, judge: judgeIdentity(JUDGE, deps), signal };
  const plan = (some: readonly DigestSystem[], cases: RunSet['cases']) =>
    planRun(some, { ...set, cases }, deps, options);
  const problems: RecordProblem[] = [];
  for (const system of systems) {
    try {
      await plan([system], set.cases.slice(0, 1));
    } catch (error) {
      if (!(error instanceof UnusableSystemError)) throw error;
      const pointer = error.pointer.replace(/^\/options/, '');
      problems.push({ where: `${path} arm "${error.system}"`, pointer, detail: error.message });
    }
  }
  if (problems.length > 0) throw new BadRecordsError(problems, 'compared');
  return plan(systems, set.cases.slice(0, limit));
}

interface ComparisonFiles {
  readonly name: string;
  readonly arms: readonly DigestSystem[];
  readonly baseline: string;
  readonly metrics: readonly string[] | null;
  readonly set: RunSet;
}

function setOf(name: string, data: readonly z.output<typeof datumSchema>[]): RunSet {
  const cases = data.map(({ id, documents, intent, insights, questions }): RunCase => {
    const places = new Map(documents.map((document, place) => [document.id, place]));
    const problem = typeof intent === 'object' ? intent.problem : intent;
    return {
      id,
      collection: id,
      intent: problem === '' ? undefined : problem,
      ...(typeof intent === 'object' && { report: intent }),
      insights,
      questions: questions?.map((each) => ({ ...each, position: places.get(each.document) ?? 0 })),
    };
  });
  return { name, collections: data.map(({ id, documents }) => ({ id, documents })), cases, made: [] };
}

/** @throws BadRecordsError with every problem */
function readComparison(configuration: TextFile, data: TextFile): ComparisonFiles {
  const { placed, problems: ofFile } = checkRecords([configuration], comparisonSchema);
  const read = checkRecords([data], datumSchema);
  const repeated = repetitions(read.placed.map(({ where, record }) => ({ where, pointer: '/id', name: record.id })));
  const problems = [...ofFile, ...read.problems, ...repeated];
  const [order, ...more] = placed;
  if (more.length > 0) {
    problems.push({ where: configuration.path, pointer: '', detail: 'holds more than one configuration' });
  }
  if (order === undefined || more.length > 0) throw new BadRecordsError(problems, 'compared');
  const { where, record } = order;
  const swept = record.arms.map((arm, place) => sweptSystems(arm, where, `/arms/${place}`));
  const named = swept.flatMap(({ systems }, place) =>
    systems.map(({ name }) => ({ where, pointer: `/arms/${place}/name`, name })),
  );
  const wrong = [...swept.flatMap((each) => each.problems), ...repetitions(named)];
  const arms = swept.flatMap(({ systems }) => systems);
  const baseline = record.baseline ?? arms[0]?.name ?? '';
  if (wrong.length === 0 && arms.every(({ name }) => name !== baseline)) {
    problems.push({ where, pointer: '/baseline', detail: `names "${baseline}", which is none of the arms` });
  }
  if (problems.length + wrong.length > 0) throw new BadRecordsError([...problems, ...wrong], 'compared');
  return {
    name: record.name,
    arms,
    baseline,
    metrics: record.metrics ?? null,
    set: setOf(
      record.name,
      read.placed.map((each) => each.record),
    ),
  };
}

function repetitions(
  named: readonly { readonly where: string; readonly pointer: string; readonly name: string }[],
): RecordProblem[] {
  const seen = new Set<string>();
  return named.flatMap(({ where, pointer, name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew ? [] : [{ where, pointer, detail: `gives "${name}", which is there already` }];
  });
}
