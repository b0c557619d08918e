import type { DigestDeps } from '../digest/index.ts';
import { type EvaluationAnswer, type EvaluationRequest, evaluate, type JudgeRequest } from '../evaluation/index.ts';
import {
  BadRecordsError,
  checkRecords,
  coverageAgreement,
  coverageTables,
  curveParts,
  humanLevels,
  type JudgedRecord,
  type JudgeUsage,
  judgeIdentity,
  judgeLine,
  judgeRecord,
  labelledSummarySchema,
  readJudgedRecords,
  runItems,
  type TextFile,
  taskAgreement,
  taskCurves,
  taskTables,
} from '../lab/index.ts';
import { NO_USAGE } from '../models/index.ts';
import { sortedBy } from '../text/index.ts';
import { readDecisions } from './benchmark/label-files.node.ts';
import { UsageError } from './command.node.ts';
import { AT_ONCE, type EvalStreams } from './eval.node.ts';
import { stopped, withProgress } from './progress.ts';
import { type ReportOutputs, writeReport } from './reports.node.ts';

interface EvalJudgeOptions extends ReportOutputs {
  readonly judge: JudgeRequest;
  /** File of people's labels for the same records. */
  readonly labels?: string | undefined;
}

/** Judges all items in order; null if stopped. @throws the first failure */
type JudgeAll = <Item extends object, Result extends { readonly usage: JudgeUsage }>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
) => Promise<readonly Result[] | null>;

/**
 * Compares a judge with people on the coverage of summaries, or on the tasks of records, and prints the agreement.
 * @returns the exit code
 * @throws BadRecordsError before anything is judged; UsageError if there are no human answers; any error of the judge,
 * as partial results would mislead
 */
export async function evalJudge(
  file: TextFile,
  { judge, labels, ...outputs }: EvalJudgeOptions,
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  let usage: JudgeUsage = { ...NO_USAGE, reusedVerdicts: 0 };
  const judgeAll: JudgeAll = async (items, make) => {
    const { made, failed, isStopped, spent } = await withProgress('judging', stderr, (onProgress) =>
      runItems(items, { make, kept: null, isFatal: () => true, atOnce: AT_ONCE, signal, onProgress }),
    );
    if (isStopped) return null;
    if (failed.length > 0) throw failed[0].failure;
    const results = made.map(({ result }) => result);
    usage = { ...spent, reusedVerdicts: results.reduce((sum, each) => sum + each.usage.reusedVerdicts, 0) };
    return results;
  };
  const records = readJudgedRecords(file);
  if (records === null && labels !== undefined) throw new UsageError('--labels goes with records that name a task.');
  const { judge: record } = judgeIdentity(judge, deps);
  const judged =
    records === null
      ? await onCoverage(file, judgeAll, (request) => evaluate({ ...judge, ...request }, deps, { signal }))
      : await onTasks(records, readDecisions(labels === undefined ? [] : [labels], 'judged', stderr), judgeAll, (one) =>
          judgeRecord(one, judge, deps, signal),
        );
  if (judged === null) return stopped(stderr, 'judged');
  const { agreement, tables, curves } = judged;
  const report = {
    title: 'A judge against people',
    about: [`judged by ${judgeLine(record)}`, '95% intervals by drawing records'],
    sections: [
      { title: 'Agreement', parts: tables },
      ...(curves.length > 0 ? [{ title: 'Errors by threshold', parts: curveParts(curves) }] : []),
    ],
  };
  await writeReport(report, { judge: record, agreement, curves, usage }, outputs, stdout);
  return 0;
}

async function onCoverage(
  file: TextFile,
  judgeAll: JudgeAll,
  judgeOne: (request: EvaluationRequest) => Promise<EvaluationAnswer>,
) {
  const { placed, problems } = checkRecords([file], labelledSummarySchema);
  if (problems.length > 0) throw new BadRecordsError(problems);
  const records = placed.map(({ record }) => record);
  // Intervals depend on the order, which must not depend on the file.
  const summaries = sortedBy(records, (record) => JSON.stringify(record));
  const answers = await judgeAll(summaries, async ({ bullets, insights }) => {
    const numbered = insights.map(({ text }, index) => ({ id: String(index), text }));
    const answer = await judgeOne({ metric: 'summhay', bullets, insights: numbered });
    if (answer.metric !== 'summhay') throw new TypeError('a request was answered by another metric');
    return answer;
  });
  if (answers === null) return null;
  const agreement = coverageAgreement(summaries, answers);
  return { agreement, tables: coverageTables(agreement), curves: agreement.curves };
}

async function onTasks(
  records: readonly JudgedRecord[],
  decisions: ReturnType<typeof readDecisions>,
  judgeAll: JudgeAll,
  judgeOne: (record: JudgedRecord) => ReturnType<typeof judgeRecord>,
) {
  const items = humanLevels(records, decisions);
  if (items.length === 0) {
    throw new UsageError('Nobody has judged these records yet: give "human" in them, or --labels FILE.');
  }
  const places = [...new Set(items.map(({ record }) => record))];
  const asked = places.map((place) => records[place]);
  const judged = await judgeAll(asked, judgeOne);
  if (judged === null) return null;
  const decided = items.map(({ field, record, place, level }) => {
    const { levelAt, scoreAt } = judged[places.indexOf(record)];
    const [second, score] = [levelAt(place, field), scoreAt(place, field)];
    return { field, cluster: String(record), first: level, second, score };
  });
  const agreement = taskAgreement(decided);
  return { agreement, tables: agreement.flatMap(taskTables), curves: taskCurves(decided) };
}
