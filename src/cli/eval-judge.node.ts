import type { DigestDeps } from '../digest/index.ts';
import { type EvaluationAnswer, evaluate, type JudgeRequest } from '../evaluation/index.ts';
import {
  BadRecordsError,
  checkRecords,
  humanLevels,
  type JudgedRecord,
  judgeAgreement,
  judgedInsights,
  judgeIdentity,
  judgePrompts,
  judgeRecord,
  type LabelledSummary,
  labelledSummarySchema,
  printJudge,
  printJudgeAgreement,
  printTaskAgreement,
  printUsage,
  runItems,
  type TextFile,
  taskAgreement,
} from '../lab/index.ts';
import type { CallUsage } from '../models/index.ts';
import { readDecisions } from './benchmark/label-files.node.ts';
import { UsageError } from './command.node.ts';
import { AT_ONCE, type EvalStreams } from './eval.node.ts';
import { stopped } from './run-notes.node.ts';
import { countingLine } from './with-progress.ts';

interface EvalJudgeOptions {
  readonly judge: JudgeRequest;
  readonly json: boolean;
}

/**
 * Compares a judge of coverage with people's labels, and prints agreement, usage and duration.
 * @returns the exit code
 * @throws BadRecordsError before anything is judged; any error of the judge, as partial results would mislead
 */
export async function evalJudge(
  file: TextFile,
  { judge, json }: EvalJudgeOptions,
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const { placed, problems } = checkRecords([file], labelledSummarySchema);
  if (problems.length > 0) throw new BadRecordsError(problems);
  const summaries = inCanonicalOrder(placed.map(({ record }) => record));
  const { judge: record } = judgeIdentity(judge, deps);
  const began = performance.now();
  const judged = await judgeAll(summaries, (summary) => answerOf(summary, judge, deps, signal), stderr, signal);
  if (judged === null) return stopped(stderr, 'judged');
  const seconds = (performance.now() - began) / 1000;
  const { results, usage } = judged;
  const agreement = judgeAgreement(
    summaries.flatMap((summary, index) => judgedInsights(summary, results[index], String(index))),
  );
  if (json) {
    stdout.write(`${JSON.stringify({ judge: record, agreement, usage, seconds }, null, 2)}\n`);
    return 0;
  }
  const took = [`${seconds.toFixed(1)} s`, ...tookOf(usage)].join(', ');
  stdout.write(
    `Judged by ${printJudge(record)}: ${took}${judgePrompts(record)}\n\n${printJudgeAgreement(agreement)}\n`,
  );
  return 0;
}

type SummHayEvaluation = EvaluationAnswer & { readonly metric: 'summhay' };

async function answerOf(
  { bullets, insights }: LabelledSummary,
  judge: JudgeRequest,
  deps: DigestDeps,
  signal: AbortSignal,
): Promise<SummHayEvaluation> {
  const numbered = insights.map(({ text }, index) => ({ id: String(index), text }));
  const answer = await evaluate({ ...judge, metric: 'summhay', bullets, insights: numbered }, deps, { signal });
  if (answer.metric !== 'summhay') throw new TypeError('a request was answered by another metric');
  return answer;
}

/** Intervals depend on the order of summaries, so it must not depend on the file. */
function inCanonicalOrder(summaries: readonly LabelledSummary[]): LabelledSummary[] {
  const keyed = summaries.map((summary) => ({ summary, key: JSON.stringify(summary) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ summary }) => summary);
}

type JudgeUsage = CallUsage & { readonly reusedVerdicts: number };

/** Judges all items in order and sums up the usage; null if stopped. @throws the first failure */
async function judgeAll<Item extends object, Result extends { readonly usage: JudgeUsage }>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<{ readonly results: readonly Result[]; readonly usage: JudgeUsage } | null> {
  const line = countingLine(stderr, 'judging');
  const { made, failed, isStopped, spent } = await runItems(items, {
    make,
    kept: null,
    isFatal: () => true,
    ...{ atOnce: AT_ONCE, signal, onProgress: ({ done, total }) => line.notify(done, total, '') },
  });
  line.end();
  if (isStopped) return null;
  if (failed.length > 0) throw failed[0].failure;
  const results = made.map(({ result }) => result);
  return {
    results,
    usage: { ...spent, reusedVerdicts: results.reduce((sum, { usage }) => sum + usage.reusedVerdicts, 0) },
  };
}

function tookOf(usage: JudgeUsage): string[] {
  const { reusedVerdicts } = usage;
  const known = reusedVerdicts > 0 ? `${reusedVerdicts} verdicts known from before` : '';
  return [printUsage(usage), known].filter((part) => part !== '');
}

/**
 * Compares a judge with people on answers, entailment, nuggets or ARGUE outcomes, and prints the agreement.
 * @param labels file of people's labels for the same records
 * @returns the exit code
 * @throws BadRecordsError for malformed labels; UsageError if there are no human answers; errors of the judge
 */
export async function evalJudgeTasks(
  records: readonly JudgedRecord[],
  { judge, json, labels }: EvalJudgeOptions & { readonly labels: string | undefined },
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const items = humanLevels(records, readDecisions(labels === undefined ? [] : [labels], 'judged', stderr));
  if (items.length === 0) {
    throw new UsageError('Nobody has judged these records yet: give "human" in them, or --labels FILE.');
  }
  const { judge: record } = judgeIdentity(judge, deps);
  const places = [...new Set(items.map((item) => item.record))];
  const asked = places.map((place) => records[place]);
  const judged = await judgeAll(asked, (one) => judgeRecord(one, judge, deps, signal), stderr, signal);
  if (judged === null) return stopped(stderr);
  const results = new Map(places.map((place, index) => [place, judged.results[index]]));
  const decided = items.flatMap(({ field, record: of, place, level }) => {
    const result = results.get(of);
    return result === undefined
      ? []
      : [{ field, cluster: String(of), first: level, second: result.levelAt(place, field) }];
  });
  const agreement = taskAgreement(decided);
  const { usage } = judged;
  if (json) {
    stdout.write(`${JSON.stringify({ judge: record, agreement, usage }, null, 2)}\n`);
    return 0;
  }
  const cost = tookOf(usage).join(', ');
  const head = `Judged by ${printJudge(record)}${cost === '' ? '' : `: ${cost}`}; 95% intervals by drawing records${judgePrompts(record)}`;
  stdout.write(`${[head, ...agreement.map(printTaskAgreement)].join('\n\n')}\n`);
  return 0;
}
