import type { DigestDeps } from '../digest/index.ts';
import type { JudgeRequest } from '../evaluation/index.ts';
import {
  BadRecordsError,
  countingLine,
  type DecidedItem,
  type Decision,
  decisionsOf,
  humanLevels,
  type JudgedRecord,
  judgeIdentity,
  judgePrompts,
  judgeRecord,
  printEstimate,
  printJudge,
  printUsage,
  runItems,
  SCALES,
  type TaskAgreement,
  taskAgreement,
  textTable,
  usageOf,
} from '../lab/index.ts';
import type { CallUsage } from '../models/index.ts';
import { readLabels } from './benchmark/annotation/label-file.node.ts';
import { AT_ONCE, type EvalStreams } from './eval.node.ts';
import { stopped } from './run-notes.node.ts';
import { UsageError } from './usage-error.ts';

interface JudgeTasksOptions {
  readonly judge: JudgeRequest;
  readonly json: boolean;
  /** File of labels that annotators made of the same records. */
  readonly labels: string | undefined;
}

/**
 * Holds a judge against people on answers, entailment, nuggets or outcomes of ARGUE, and prints how far they agree.
 *
 * @returns the exit code
 * @throws BadRecordsError for labels that are wrong; UsageError where people said nothing; whatever the judge fails with
 */
export async function evalJudgeTasks(
  records: readonly JudgedRecord[],
  { judge, json, labels }: JudgeTasksOptions,
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const items = humanLevels(records, labels === undefined ? [] : decisionsIn(labels, stderr));
  if (items.length === 0) {
    throw new UsageError('Nobody has judged these records yet: give "human" in them, or --labels FILE.');
  }
  const { judge: record } = judgeIdentity(judge, deps);
  const asked = [...new Set(items.map((item) => item.record))].map((place) => ({ place, record: records[place] }));
  const line = countingLine(stderr, 'judging');
  const { made, failed, isStopped } = await runItems(asked, {
    // What a judge says is kept verdict by verdict.
    kept: null,
    make: ({ record: one }): Promise<JudgedResult> => judgeRecord(one, judge, deps, signal),
    onProgress: ({ done, total }) => line.notify(done, total, ''),
    isFatal: () => true,
    atOnce: AT_ONCE,
    signal,
  });
  line.end();
  if (isStopped) return stopped(stderr);
  if (failed.length > 0) throw failed[0].failure;
  const results = new Map(made.map(({ item, result }) => [item.place, result]));
  const decided = items.flatMap(({ field, record: place, place: at, level }): DecidedItem[] => {
    const said = results.get(place)?.verdicts(at, field);
    return said === undefined ? [] : [{ field, record: String(place), human: level, judge: said }];
  });
  const agreement = taskAgreement(decided);
  const usage = usageOf(made.map(({ result }) => result));
  if (json) {
    stdout.write(`${JSON.stringify({ judge: record, agreement, usage }, null, 2)}\n`);
    return 0;
  }
  const took = [printUsage(usage), usage.reusedVerdicts > 0 && `${usage.reusedVerdicts} verdicts known from before`];
  const cost = took.filter((part) => part !== '' && part !== false).join(', ');
  const head = `Judged by ${printJudge(record)}${cost === '' ? '' : `: ${cost}`}; 95% intervals by drawing records${judgePrompts(record)}`;
  stdout.write(`${[head, ...agreement.map(printTask)].join('\n\n')}\n`);
  return 0;
}

type JudgedResult = Awaited<ReturnType<typeof judgeRecord>> & { readonly usage: CallUsage };

function decisionsIn(path: string, stderr: EvalStreams['stderr']): Decision[] {
  const { labels, problems, torn } = readLabels(path);
  if (problems.length > 0) throw new BadRecordsError(problems, 'judged');
  for (const where of torn) stderr.write(`${where} was cut short when it was written, and is left out.\n`);
  return decisionsOf(labels);
}

function printTask({ field, items, records, confusion, ...figures }: TaskAgreement): string {
  const { agreement, kappa, correlation, precision, recall } = figures;
  const scale = SCALES[field];
  const rows = [
    ['agreement', agreement],
    ["Cohen's kappa", kappa],
    ['correlation', correlation],
    ['precision of yes', precision],
    ['recall of yes', recall],
  ] as const;
  const given = rows.flatMap(([title, figure]) =>
    figure === null ? [] : [[title, String(figure.n), printEstimate(figure, 3)]],
  );
  return [
    `${field}: ${items} items of ${records} records`,
    textTable(['', 'items', 'figure'], given),
    textTable(
      ['people (rows), judge', ...scale],
      confusion.map((row, level) => [scale[level], ...row.map(String)]),
    ),
  ].join('\n');
}
