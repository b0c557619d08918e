import type { DigestDeps } from '../digest/index.ts';
import { judgeIdentity, readComparison, runReport, type TextFile } from '../lab/index.ts';
import { runSets } from './benchmark/run-sets.node.ts';
import type { EvalStreams } from './eval.node.ts';
import { type ReportOutputs, reportFailed, setJson, writeReport } from './reports.node.ts';

export interface CompareOptions extends ReportOutputs {
  readonly restart: boolean;
  readonly limit: number;
}

/** Needs no API key and is deterministic. */
const JUDGE = { judge: 'embedded' } as const;

/**
 * Makes and scores digests of every datum for every arm, prints the differences, and writes the page if requested.
 * @param signal aborts; finished work is kept
 * @returns the exit code: 1 if a digest failed
 * @throws BadRecordsError for malformed files and options, before anything is made; UsageError if the page cannot be
 * written
 */
export async function compareArms(
  { configuration, data }: { readonly configuration: TextFile; readonly data: TextFile },
  options: CompareOptions,
  deps: DigestDeps,
  streams: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const files = readComparison(configuration, data);
  const working = { deps, streams: { stdin: process.stdin, ...streams }, signal };
  const running = { ...options, judge: JUDGE, yes: true };
  const runs = await runSets('compare', [files], running, working);
  if (typeof runs === 'number') return runs;
  const { judge } = judgeIdentity(JUDGE, deps);
  await writeReport(runReport(files.name, judge, runs), setJson(runs[0]), options, streams.stdout);
  return reportFailed(runs, streams.stderr);
}
