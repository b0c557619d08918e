import { writeFileSync } from 'node:fs';
import type { DigestParts } from '../../digest/digest-parts.ts';
import { UnusableOptionError } from '../../digest/unusable-option-error.ts';
import { keptResults } from '../bulk/kept-results.ts';
import type { RecordProblem } from '../bulk/split-records.ts';
import type { ComparedDigest } from '../comparison/compare-digest.ts';
import { compareDigest } from '../comparison/compare-digest.ts';
import { comparisonReport } from '../comparison/comparison-report.ts';
import { type PlannedDigest, planComparison } from '../comparison/plan-comparison.ts';
import { type ComparisonRun, runComparison } from '../comparison/run-comparison.ts';
import { spentOnComparison } from '../comparison/spent-on-comparison.ts';
import { VERSION } from '../../server/open-api-info.ts';
import { ModelCallError } from '../../models/language/model-call-error.ts';
import { BadRecordsError } from './bad-records-error.ts';
import type { TextFile } from './check-records.ts';
import { comparisonJson } from './comparison-json.ts';
import { comparisonPage } from './comparison-page/page.ts';
import { countingLine, outcomeNote } from './counting-line.ts';
import { describeFailure } from './describe-failure.ts';
import { type EvalStreams, INTERRUPTED } from './eval.node.ts';
import { printComparison } from './print-comparison.ts';
import { tookLine } from './print-usage.ts';
import { type ComparisonFiles, readComparison } from './read-comparison.ts';
import { UsageError } from './usage-error.ts';

export interface CompareOptions {
  readonly json: boolean;
  /** File to write the page to. */
  readonly html?: string | undefined;
  /** Whether to tell how long choosing and writing took; digests are then made one by one. */
  readonly timings: boolean;
  readonly restart: boolean;
  /** Of the data, the first so many. */
  readonly limit: number;
}

/** Digests under way at once; more would wait for the same threads. */
const AT_ONCE = 3;

/**
 * Makes a digest of every datum by every arm, scores it, prints how the arms differ, and writes the page where one is wanted.
 *
 * @param signal ends it; what is made by then is kept
 * @returns the exit code: 1 where a digest failed
 * @throws BadRecordsError for files and options that are not as documented, before anything is made; UsageError for a
 *   baseline that needs a language model where there is none, and where the page cannot be written
 */
export async function compareArms(
  files: { readonly configuration: TextFile; readonly data: TextFile },
  options: CompareOptions,
  parts: DigestParts,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const read = readComparison(files.configuration, files.data);
  const { comparison } = read;
  const skipped = comparison.arms.filter(({ needsModel }) => needsModel && parts.models.model === null);
  if (skipped.some(({ name }) => name === comparison.baseline)) {
    throw new UsageError(`The baseline "${comparison.baseline}" needs a language model, and none is configured here.`);
  }
  const names = skipped.map(({ name }) => name);
  if (names.length > 0) {
    stderr.write(`Left out, as they need a language model and none is configured: ${names.join('; ')}\n`);
  }
  const planned = plannedDigests(read, names, options.limit, parts, files.configuration.path);
  const run = await make(planned, options, parts, stderr, signal);
  if (run.isStopped) {
    stderr.write('Stopped. What is made is kept: the same command goes on from there.\n');
    return INTERRUPTED;
  }
  const report = comparisonReport(comparison, run, { skipped: names, hasTimings: options.timings });
  if (options.json) stdout.write(`${JSON.stringify(comparisonJson(report, run), null, 2)}\n`);
  else stdout.write(`${printComparison(report)}\n`);
  if (options.html !== undefined) writePage(options.html, comparisonPage(report, run));
  for (const { arm, datum, failure } of run.failed) stderr.write(`${datum}, ${arm}: ${describeFailure(failure)}\n`);
  return run.failed.length > 0 ? 1 : 0;
}

/** @throws BadRecordsError where an option of an arm cannot be had here */
function plannedDigests(
  { comparison, data }: ComparisonFiles,
  skipped: readonly string[],
  limit: number,
  parts: DigestParts,
  path: string,
): PlannedDigest[] {
  const arms = comparison.arms.filter(({ name }) => !skipped.includes(name));
  const problems = arms.flatMap((arm): RecordProblem[] => {
    try {
      planComparison([arm], data.slice(0, 1), parts, VERSION);
      return [];
    } catch (error) {
      if (!(error instanceof UnusableOptionError)) throw error;
      return [{ where: `${path} arm "${arm.name}"`, pointer: error.pointer, detail: error.message }];
    }
  });
  if (problems.length > 0) throw new BadRecordsError(problems, 'compared');
  return planComparison(arms, data.slice(0, limit), parts, VERSION);
}

async function make(
  planned: readonly PlannedDigest[],
  { restart, timings }: CompareOptions,
  parts: DigestParts,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<ComparisonRun> {
  const compared = keptResults<ComparedDigest>(parts.database, 'comparison');
  const line = countingLine(stderr, 'comparing');
  const began = performance.now();
  const run = await runComparison(planned, {
    known: async (keys) => {
      if (!restart) return compared.read(keys);
      await compared.forget(keys);
      return new Map();
    },
    make: ({ plan, datum }) => compareDigest(plan(signal), datum, parts, signal),
    keep: compared.keep,
    onProgress: ({ done, total, ...outcomes }) => line.tell(done, total, outcomeNote(outcomes)),
    isFatal: (failure) => failure instanceof ModelCallError && failure.isFatal,
    atOnce: timings ? 1 : AT_ONCE,
    signal,
  });
  line.end();
  if (!signal.aborted) stderr.write(tookLine(performance.now() - began, spentOnComparison(run)));
  return run;
}

/** @throws UsageError where there can be no such file */
function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (cause) {
    throw new UsageError(`--html names "${path}", which cannot be written.`, { cause });
  }
}
