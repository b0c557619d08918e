import {
  checkEvaluation,
  type EvaluationAnswer,
  evaluate,
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
  evaluationRecordSchema,
  evaluationReport,
  evaluationResults,
  inCanonicalOrder,
  judgeIdentity,
  keptSteps,
  repeatedRecords,
  runItems,
  type TextFile,
} from '../lab/index.ts';
import { readEvaluatedDigest, type ServiceDeps } from '../server/index.ts';
import { TesseraError } from '../text/index.ts';
import { UsageError } from './command.node.ts';
import { type ProgressStream, stopped, withProgress } from './progress.ts';
import { type ReportOutputs, writeReport } from './reports.node.ts';

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
  const records = await recordsOf(files, options.judge, (id) => readEvaluatedDigest(id, deps.database));
  const { baseline, by, limit, restart } = options;
  if (baseline !== undefined && records.every(({ system }) => system !== baseline)) {
    throw new UsageError(`--baseline names "${baseline}", and no record is of this system.`);
  }
  const identity = judgeIdentity(options.judge, deps);
  const { judge } = identity;
  const { made, failed, spent, isStopped } = await withProgress('scoring', stderr, (onProgress) =>
    runItems(records.slice(0, limit), {
      make: ({ evaluation }) => evaluate({ ...evaluation, ...options.judge }, deps, { signal }),
      kept: {
        steps: keptSteps<EvaluationAnswer>(deps.cache, 'evaluation'),
        keyOf: ({ evaluation }) => answerKey(evaluation, identity),
        restart,
      },
      ...{ atOnce: AT_ONCE, signal, onProgress },
    }),
  );
  if (isStopped) return stopped(stderr, 'scored', restart);
  const metrics = evaluationResults(made, { by, baseline });
  const problems = inCanonicalOrder(failed).map(({ item: { evaluation, ...record }, failure }) => {
    return { ...record, metric: evaluation.metric, problem: describeFailure(failure) };
  });
  const json = {
    judge,
    records: { scored: made.length, known: made.filter(({ known }) => known).length, failed: failed.length },
    /** Of this run; cached answers cost nothing. */
    usage: spent,
    metrics,
    answers: inCanonicalOrder(made).map(({ item: { evaluation: _, ...record }, result }) => {
      return { ...record, answer: result };
    }),
    failed: problems,
  };
  await writeReport(evaluationReport(made.length, metrics, judge), json, options, stdout);
  for (const { id, system, metric, problem } of problems) {
    stderr.write(`${[id, system, metric].filter((part) => part !== undefined).join(', ')}: ${problem}\n`);
  }
  return failed.length > 0 ? 1 : 0;
}

/** @throws BadRecordsError with every problem */
async function recordsOf(
  files: readonly TextFile[],
  judge: JudgeRequest,
  readDigest: ReadEvaluatedDigest,
): Promise<EvaluationRecord[]> {
  const { placed, problems } = checkRecords(files, evaluationRecordSchema);
  const found = [...problems];
  const read: { readonly where: string; readonly record: EvaluationRecord }[] = [];
  for (const { where, record } of placed) {
    try {
      const evaluation = await resolveRequest(record.evaluation, readDigest);
      checkEvaluation({ ...evaluation, ...judge });
      read.push({ where, record: { ...record, evaluation } });
    } catch (error) {
      if (!(error instanceof TesseraError)) throw error;
      found.push({ where, pointer: `/evaluation${error.pointer ?? ''}`, detail: error.message });
    }
  }
  found.push(...repeatedRecords(read));
  if (found.length > 0) throw new BadRecordsError(found);
  return read.map(({ record }) => record);
}
