import pLimit from 'p-limit';
import type { DigestParts } from '../../digest/digest-parts.ts';
import type { EvaluationAnswer } from '../../contract/evaluation-answer.ts';
import { evaluate } from '../../evaluation/evaluate.ts';
import type { JudgeRequest } from '../../contract/evaluation-request.ts';
import { judgeAgreement } from '../validation/judge-agreement.ts';
import { judgedInsights } from '../validation/judged-insight.ts';
import type { LabelledSummary } from '../validation/labelled-summary.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/language/usage.ts';
import { BadRecordsError } from './bad-records-error.ts';
import { checkRecords, type TextFile } from './check-records.ts';
import { countingLine } from './counting-line.ts';
import { AT_ONCE, type EvalStreams, INTERRUPTED } from './eval.node.ts';
import { labelledSummarySchema } from './evaluation-records.ts';
import { judgeForCommand } from './judge-for-command.ts';
import { printAgreement } from './print-agreement.ts';
import { printJudge } from './print-judge.ts';
import { printUsage } from './print-usage.ts';

export interface EvalJudgeOptions {
  readonly judge: JudgeRequest;
  readonly json: boolean;
}

/**
 * Holds a judge against people's labels, and prints how far they agree, what it took and how long.
 *
 * @param signal ends the judging
 * @returns the exit code
 * @throws BadRecordsError before anything is judged; whatever the judge fails with, as part of the labels would tell another story
 */
export async function evalJudge(
  file: TextFile,
  { judge, json }: EvalJudgeOptions,
  parts: DigestParts,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const { placed, problems } = checkRecords([file], labelledSummarySchema);
  if (problems.length > 0) throw new BadRecordsError(problems);
  const summaries = inCanonicalOrder(placed.map(({ record }) => record));
  const { judge: record } = judgeForCommand(judge, parts);
  const began = performance.now();
  const answers = await judgeAll(summaries, judge, parts, stderr, signal);
  if (answers === null) {
    stderr.write('Stopped.\n');
    return INTERRUPTED;
  }
  const seconds = (performance.now() - began) / 1000;
  const agreement = judgeAgreement(
    summaries.flatMap((summary, index) => judgedInsights(summary, answers[index], String(index))),
  );
  const usage = answers.map((answer) => answer.usage).reduce<CallUsage>(addUsage, NO_USAGE);
  const reusedVerdicts = answers.reduce((sum, answer) => sum + answer.usage.reusedVerdicts, 0);
  if (json) {
    const told = { judge: record, agreement, usage: { ...usage, reusedVerdicts }, seconds };
    stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    return 0;
  }
  const took = [`${seconds.toFixed(1)} s`, printUsage(usage)].filter((part) => part !== '');
  if (reusedVerdicts > 0) took.push(`${reusedVerdicts} verdicts known from before`);
  stdout.write(`Judged by ${printJudge(record)}: ${took.join(', ')}\n\n${printAgreement(agreement)}\n`);
  return 0;
}

/** What the judge says of each summary; null where it was told to stop. */
async function judgeAll(
  summaries: readonly LabelledSummary[],
  judge: JudgeRequest,
  parts: DigestParts,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<SummHayEvaluation[] | null> {
  const line = countingLine(stderr, 'judging');
  const limit = pLimit(AT_ONCE);
  let done = 0;
  try {
    return await limit.map(summaries, async (summary) => {
      signal.throwIfAborted();
      const answer = await answerOf(summary, judge, parts, signal);
      line.tell(++done, summaries.length, '');
      return answer;
    });
  } catch (error) {
    limit.clearQueue();
    if (signal.aborted) return null;
    throw error;
  } finally {
    line.end();
  }
}

type SummHayEvaluation = EvaluationAnswer & { readonly metric: 'summhay' };

async function answerOf(
  { bullets, insights }: LabelledSummary,
  judge: JudgeRequest,
  parts: DigestParts,
  signal: AbortSignal,
): Promise<SummHayEvaluation> {
  const numbered = insights.map(({ text }, index) => ({ id: String(index), text }));
  const answer = await evaluate({ ...judge, metric: 'summhay', bullets, insights: numbered }, parts, { signal });
  if (answer.metric !== 'summhay') throw new TypeError('a request was answered by another metric');
  return answer;
}

/** Whatever the order in the file: intervals draw summaries by their places. */
function inCanonicalOrder(summaries: readonly LabelledSummary[]): LabelledSummary[] {
  const keyed = summaries.map((summary) => ({ summary, key: JSON.stringify(summary) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ summary }) => summary);
}
