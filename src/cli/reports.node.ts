import type { JudgeRecord } from '../evaluation/index.ts';
import { byCase, describeFailure, printReport, type Report, reportCsv, reportPage, type SetRun } from '../lab/index.ts';
import { VERSION } from '../server/index.ts';
import { writeWhole } from './benchmark/set-file.node.ts';

export interface ReportOutputs {
  readonly json: boolean;
  readonly html?: string | undefined;
  readonly csv?: string | undefined;
}

/**
 * Prints a report as text or JSON, and writes the requested page and table.
 * @throws UsageError if a file cannot be written
 */
export async function writeReport(
  report: Report,
  json: object,
  { json: isJson, html, csv }: ReportOutputs,
  stdout: Pick<NodeJS.WriteStream, 'write'>,
): Promise<void> {
  stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${printReport(report)}\n`);
  if (html !== undefined) writeWhole(html, await reportPage(report));
  if (csv !== undefined) writeWhole(csv, reportCsv(report));
}

/** The report of a set, and the figures of each output by case and system. */
function setJson({ report, run: { made, failed, spent } }: SetRun) {
  const known = made.filter((each) => each.known).length;
  return {
    ...report,
    digests: byCase(made).map(({ item: { datum, arm }, result: { figures, isPartial } }) => {
      return { datum, arm, isPartial, figures };
    }),
    failed: byCase(failed).map(({ item: { datum, arm }, failure }) => {
      return { datum, arm, problem: describeFailure(failure) };
    }),
    /** Of this run; cached outputs cost nothing. */
    run: { made: made.length - known, known, failed: failed.length, usage: spent },
  };
}

export function runJson(name: string, judge: JudgeRecord, runs: readonly SetRun[]) {
  const sets = runs.map((run) => {
    const { digests, ...figures } = setJson(run);
    return { set: run.set.name, made: run.set.made, systems: run.records, ...figures, outputs: digests };
  });
  return { name, version: VERSION, judge, sets };
}

/** @returns the exit code: 1 if an output failed */
export function reportFailed(runs: readonly SetRun[], stderr: Pick<NodeJS.WriteStream, 'write'>): number {
  const failed = runs.flatMap(({ set, run }) => run.failed.map((each) => ({ ...each, set: set.name })));
  for (const { set, item, failure } of failed) {
    stderr.write(`${set}, ${item.datum}, ${item.arm}: ${describeFailure(failure)}\n`);
  }
  return failed.length > 0 ? 1 : 0;
}
