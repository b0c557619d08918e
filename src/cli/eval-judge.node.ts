import type { DigestDeps } from '../digest/index.ts';
import { type EvaluationAnswer, evaluate, type JudgeRequest } from '../evaluation/index.ts';
import {
  BadRecordsError,
  checkRecords,
  countingLine,
  type GroupBias,
  type JudgeAgreement,
  judgeAgreement,
  judgedInsights,
  judgeIdentity,
  judgePrompts,
  type LabelledSummary,
  LEVELS,
  labelledSummarySchema,
  printEstimate,
  printJudge,
  printUsage,
  runItems,
  type TextFile,
  textTable,
} from '../lab/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../models/index.ts';
import { AT_ONCE, type EvalStreams } from './eval.node.ts';
import { INTERRUPTED } from './run-notes.node.ts';

/** How far a judge agrees with people, as text for a terminal. */
function printAgreement(agreement: JudgeAgreement): string {
  const { summaries, insights, levels, graded, linked, bias, length, confusion, models } = agreement;
  const percents = LEVELS.map((level) => String(100 * level));
  const sections = [
    `${insights} insights of ${summaries} summaries; 95% intervals by drawing summaries`,
    textTable(
      ['correlation with people', 'Pearson', 'Spearman'],
      [
        ['levels 0, 50, 100', printEstimate(levels.pearson, 3), printEstimate(levels.spearman, 3)],
        ['graded score', printEstimate(graded.pearson, 3), printEstimate(graded.spearman, 3)],
      ],
    ),
    textTable(
      ['', 'insights', 'mean'],
      [
        ["linked to people's bullet, share", String(linked.n), printEstimate(linked, 3)],
        ["bias: judge's level less people's", String(bias.n), printEstimate(bias, 3)],
      ],
    ),
    ...biases('system', agreement.biasBySystem),
    ...biases('topic', agreement.biasByTopic),
    textTable(
      ['correlation with length in words', 'error (level less people’s)', 'score'],
      length.map(({ of, withError, withScore }) => [
        of === 'bullet' ? 'best bullet' : of,
        printEstimate(withError, 3),
        printEstimate(withScore, 3),
      ]),
    ),
    textTable(
      ["people's level (rows), judge's", ...percents],
      confusion.map((row, index) => [percents[index], ...row.map(String)]),
    ),
  ];
  if (models.length > 0) {
    const rows = models.map(({ name, pearson, bias }) => [name, printEstimate(pearson, 3), printEstimate(bias, 3)]);
    sections.push(textTable(['models on file', 'Pearson', 'bias'], rows));
  }
  return sections.join('\n\n');
}

/** Characters of a name that a table shows: topics are sentences. */
const MAX_NAME_LENGTH = 60;

function biases(what: string, groups: readonly GroupBias[]): string[] {
  if (groups.length === 0) return [];
  const rows = groups.map(({ name, bias }) => [shortened(name), String(bias.n), printEstimate(bias, 3)]);
  return [textTable([`bias by ${what}`, 'insights', 'mean'], rows)];
}

function shortened(name: string): string {
  const characters = [...name.replace(/\s+/gu, ' ')];
  return characters.length <= MAX_NAME_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

interface EvalJudgeOptions {
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
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const { placed, problems } = checkRecords([file], labelledSummarySchema);
  if (problems.length > 0) throw new BadRecordsError(problems);
  const summaries = inCanonicalOrder(placed.map(({ record }) => record));
  const { judge: record } = judgeIdentity(judge, deps);
  const began = performance.now();
  const answers = await judgeAll(summaries, judge, deps, stderr, signal);
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
  stdout.write(
    `Judged by ${printJudge(record)}: ${took.join(', ')}${judgePrompts(record)}\n\n${printAgreement(agreement)}\n`,
  );
  return 0;
}

/**
 * What the judge says of each summary; null where it was told to stop.
 *
 * @throws what it fails with first
 */
async function judgeAll(
  summaries: readonly LabelledSummary[],
  judge: JudgeRequest,
  deps: DigestDeps,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<SummHayEvaluation[] | null> {
  const line = countingLine(stderr, 'judging');
  const { made, failed, isStopped } = await runItems<LabelledSummary, SummHayEvaluation>(summaries, {
    // What a judge says is kept verdict by verdict: no summary stands for another.
    kept: null,
    make: (summary) => answerOf(summary, judge, deps, signal),
    onProgress: ({ done, total }) => line.notify(done, total, ''),
    isFatal: () => true,
    atOnce: AT_ONCE,
    signal,
  });
  line.end();
  if (isStopped) return null;
  if (failed.length > 0) throw failed[0].failure;
  return made.map(({ result }) => result);
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

/** Whatever the order in the file: intervals draw summaries by their places. */
function inCanonicalOrder(summaries: readonly LabelledSummary[]): LabelledSummary[] {
  const keyed = summaries.map((summary) => ({ summary, key: JSON.stringify(summary) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ summary }) => summary);
}
