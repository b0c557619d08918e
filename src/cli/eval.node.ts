import type { DigestDeps } from '../digest/index.ts';
import {
  checkEvaluation,
  type EvaluationAnswer,
  evaluate,
  type JudgeRecord,
  type JudgeRequest,
  type ReadEvaluatedDigest,
  resolveRequest,
} from '../evaluation/index.ts';
import {
  answerKey,
  BadRecordsError,
  checkRecords,
  type Dimension,
  describeFailure,
  type EvaluationRecord,
  type EvaluationResult,
  evaluationRecordSchema,
  evaluationReport,
  evaluationResults,
  inCanonicalOrder,
  type JudgeIdentity,
  judgeIdentity,
  keptSteps,
  outputWords,
  type Placed,
  type RecordOrder,
  type RecordProblem,
  repeatedRecords,
  runItems,
  type Scoring,
  type TextFile,
} from '../lab/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../models/index.ts';
import { readEvaluatedDigest, type ServiceDeps } from '../server/index.ts';
import { TesseraError } from '../text/index.ts';
import { UsageError } from './command.node.ts';
import { stopped } from './run-notes.node.ts';
import { type ProgressStream, withProgress } from './with-progress.ts';
import { type ReportOutputs, writeReport } from './write-report.node.ts';

export interface EvalOptions extends ReportOutputs {
  readonly judge: JudgeRequest;
  readonly by: readonly Dimension[];
  readonly baseline?: string | undefined;
  readonly restart: boolean;
  readonly limit: number;
}

export interface EvalStreams {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: ProgressStream;
}

/** Max records in progress; model calls have their own limit. */
export const AT_ONCE = 4;

/**
 * Scores the records of files, prints the table, and writes the page if requested.
 * @param signal aborts; finished scores are kept
 * @returns the exit code: 1 if a record failed
 * @throws BadRecordsError, and UsageError for an unknown baseline, before anything is scored; UnusableOptionError if
 * the judge lacks something; UsageError if the page cannot be written
 */
export async function evalFiles(
  files: readonly TextFile[],
  options: EvalOptions,
  deps: ServiceDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const records = await recordsOf(files, (id) => readEvaluatedDigest(id, deps.database));
  const { baseline } = options;
  if (baseline !== undefined && records.every(({ system }) => system !== baseline)) {
    throw new UsageError(`--baseline names "${baseline}", and no record is of this system.`);
  }
  const identity = judgeIdentity(options.judge, deps);
  const { judge } = identity;
  const scoring = await score(records.slice(0, options.limit), identity, options, deps, stderr, signal);
  if (scoring.isStopped) return stopped(stderr, 'scored');
  const results = evaluationResults(scoring.made, { by: options.by, baseline });
  const report = evaluationReport(scoring, results, judge);
  await writeReport(report, evaluationJson(scoring, results, judge), options, stdout);
  for (const { item, failure } of scoring.failed) stderr.write(`${nameOf(item)}: ${describeFailure(failure)}\n`);
  return scoring.failed.length > 0 ? 1 : 0;
}

async function recordsOf(files: readonly TextFile[], readDigest: ReadEvaluatedDigest): Promise<EvaluationRecord[]> {
  const { placed, problems } = checkRecords(files, evaluationRecordSchema);
  const resolved = await Promise.all(placed.map((each) => resolve(each, readDigest)));
  const read = resolved.flatMap((each) => ('record' in each ? [each] : []));
  const all = [...problems, ...resolved.flatMap((each) => ('record' in each ? [] : [each])), ...repeatedRecords(read)];
  if (all.length > 0) throw new BadRecordsError(all);
  return read.map(({ record }) => record);
}

async function resolve(
  { where, record }: Placed<RecordOrder>,
  read: ReadEvaluatedDigest,
): Promise<Placed<EvaluationRecord> | RecordProblem> {
  try {
    const evaluation = await resolveRequest(record.evaluation, read);
    checkEvaluation(evaluation);
    return { where, record: { ...record, evaluation } };
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    return { where, pointer: `/evaluation${error.pointer ?? ''}`, detail: error.message };
  }
}

async function score(
  records: readonly EvaluationRecord[],
  identity: JudgeIdentity,
  { judge, restart }: EvalOptions,
  deps: DigestDeps,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<Scoring> {
  let wasted = NO_USAGE;
  const onFailed = (usage: CallUsage) => {
    wasted = addUsage(wasted, usage);
  };
  return withProgress('scoring', stderr, async (onProgress) => {
    const run = await runItems(records, {
      make: ({ evaluation }) => evaluate({ ...evaluation, ...judge }, deps, { signal, onFailed }),
      kept: {
        steps: keptSteps<EvaluationAnswer>(deps.cache, 'evaluation'),
        keyOf: ({ evaluation }) => answerKey(evaluation, identity),
        restart,
      },
      atOnce: AT_ONCE,
      signal,
      onProgress,
    });
    return { ...run, spent: addUsage(run.spent, wasted) };
  });
}

function nameOf({ id, system, evaluation: { metric } }: EvaluationRecord): string {
  return [id, system, metric].filter((part) => part !== undefined).join(', ');
}

function evaluationJson({ made, failed, spent }: Scoring, results: readonly EvaluationResult[], judge: JudgeRecord) {
  return {
    judge,
    records: {
      scored: made.length,
      known: made.filter(({ known }) => known).length,
      failed: failed.length,
    },
    /** Of this run, failures included; cached answers cost nothing. */
    usage: spent,
    metrics: results,
    answers: inCanonicalOrder(made).map(({ item: { evaluation, ...record }, result: answer }) => ({
      ...record,
      outputWords: outputWords(evaluation),
      answer,
    })),
    failed: inCanonicalOrder(failed).map(({ item: { evaluation, ...record }, failure }) => ({
      ...record,
      metric: evaluation.metric,
      problem: describeFailure(failure),
    })),
  };
}
