import { writeFileSync } from 'node:fs';
import type { DigestDeps } from '../../digest/index.ts';
import {
  checkEvaluation,
  type EvaluationAnswer,
  evaluate,
  type JudgeRecord,
  type JudgeRequest,
  type ReadEvaluatedDigest,
  resolveRequest,
} from '../../evaluation/index.ts';
import { addUsage, type CallUsage, ModelCallError, NO_USAGE } from '../../models/index.ts';
import { readEvaluatedDigest, type ServiceDeps } from '../../server/index.ts';
import { TesseraError } from '../../text/index.ts';
import { answerKey } from '../bulk/answer-key.ts';
import type { Dimension } from '../bulk/dimensions.ts';
import type { JudgeIdentity } from '../bulk/judge-identity.ts';
import { keptResults } from '../bulk/kept-results.ts';
import { outputWords } from '../bulk/output-words.ts';
import { type EvaluationRecord, inCanonicalOrder } from '../bulk/record.ts';
import { repeatedRecords } from '../bulk/repeated-records.ts';
import { type MetricReport, reportOf } from '../bulk/report.ts';
import { type Scoring, scoreRecords } from '../bulk/score-records.ts';
import { spentOn } from '../bulk/spent-on.ts';
import type { RecordProblem } from '../bulk/split-records.ts';
import { BadRecordsError } from './bad-records-error.ts';
import { checkRecords, type Placed, type TextFile } from './check-records.ts';
import { countingLine, outcomeNote } from './counting-line.ts';
import { describeFailure } from './describe-failure.ts';
import { evaluationPage } from './evaluation-page/page.ts';
import { thresholdsOf } from './evaluation-page/thresholds.ts';
import { type EvaluationRecordOrder, evaluationRecordSchema } from './evaluation-records.ts';
import { judgeForCommand } from './judge-for-command.ts';
import { printEvaluation } from './print-evaluation.ts';
import { tookLine } from './print-usage.ts';
import { UsageError } from './usage-error.ts';

export interface EvalOptions {
  readonly judge: JudgeRequest;
  readonly by: readonly Dimension[];
  readonly baseline?: string | undefined;
  readonly json: boolean;
  /** File to write the page to. */
  readonly html?: string | undefined;
  readonly restart: boolean;
  readonly limit: number;
}

export interface EvalStreams {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
}

/** Records under way at once; calls of a language model are bounded by their own limit. */
export const AT_ONCE = 4;
/** What shells expect of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/**
 * Scores the records of files, prints the table, and writes the page where one is wanted.
 *
 * @param signal ends the scoring; what is scored by then is kept
 * @returns the exit code: 1 where a record failed
 * @throws BadRecordsError, and UsageError for a baseline that no record is of, before anything is scored; UnusableOptionError
 *   where the judge lacks what it needs; UsageError where the page cannot be written
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
  const identity = judgeForCommand(options.judge, deps);
  const { judge, calibration } = identity;
  const { scoring, spent } = await score(records.slice(0, options.limit), identity, options, deps, stderr, signal);
  if (scoring.isStopped) {
    stderr.write('Stopped. What is scored is kept: the same command goes on from there.\n');
    return INTERRUPTED;
  }
  const reports = reportOf(scoring.scored, { by: options.by, baseline });
  if (options.json) stdout.write(`${JSON.stringify(evaluationJson(scoring, reports, judge, spent), null, 2)}\n`);
  else if (reports.length > 0) stdout.write(`${printEvaluation(reports)}\n`);
  if (options.html !== undefined) {
    const thresholds = calibration && thresholdsOf(calibration);
    writePage(options.html, evaluationPage(scoring, reports, judge, thresholds));
  }
  for (const { record, failure } of scoring.failed) stderr.write(`${nameOf(record)}: ${describeFailure(failure)}\n`);
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

/** The record with the digest that it may name read. */
async function resolve(
  { where, record }: Placed<EvaluationRecordOrder>,
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
  { judge: judgedBy, restart }: EvalOptions,
  deps: DigestDeps,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<{ readonly scoring: Scoring; readonly spent: CallUsage }> {
  const line = countingLine(stderr, 'scoring');
  const answers = keptResults<EvaluationAnswer>(deps.cache, 'evaluation');
  const began = performance.now();
  /** By records that failed. */
  let wasted = NO_USAGE;
  const scoring = await scoreRecords(records, {
    keyOf: (evaluation) => answerKey(evaluation, identity),
    known: async (keys): Promise<ReadonlyMap<string, EvaluationAnswer>> => {
      if (!restart) return answers.read(keys);
      await answers.forget(keys);
      return new Map();
    },
    score: (evaluation) =>
      evaluate({ ...evaluation, ...judgedBy }, deps, {
        signal,
        onFailed: (usage) => {
          wasted = addUsage(wasted, usage);
        },
      }),
    keep: answers.keep,
    onProgress: ({ done, total, ...outcomes }) => line.notify(done, total, outcomeNote(outcomes)),
    isFatal: (failure) => failure instanceof ModelCallError && failure.isFatal,
    atOnce: AT_ONCE,
    signal,
  });
  line.end();
  const spent = addUsage(spentOn(scoring), wasted);
  if (!signal.aborted) stderr.write(tookLine(performance.now() - began, spent));
  return { scoring, spent };
}

/** @throws UsageError where there can be no such file */
function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (cause) {
    throw new UsageError(`--html names "${path}", which cannot be written.`, { cause });
  }
}

function nameOf({ id, system, evaluation: { metric } }: EvaluationRecord): string {
  return [id, system, metric].filter((part) => part !== undefined).join(', ');
}

/** What `tessera eval --json` prints: figures, and the answer to each record by id. */
function evaluationJson(scoring: Scoring, reports: readonly MetricReport[], judge: JudgeRecord, usage: CallUsage) {
  const { scored, failed } = scoring;
  return {
    judge,
    records: {
      scored: scored.length,
      known: scored.filter(({ known }) => known).length,
      failed: failed.length,
    },
    /** Of this run, with what failed: what was known cost nothing again. */
    usage,
    metrics: reports,
    answers: inCanonicalOrder(scored).map(({ record: { evaluation, ...record }, answer }) => ({
      ...record,
      outputWords: outputWords(evaluation),
      answer,
    })),
    failed: inCanonicalOrder(failed).map(({ record: { evaluation, ...record }, failure }) => ({
      ...record,
      metric: evaluation.metric,
      problem: describeFailure(failure),
    })),
  };
}
