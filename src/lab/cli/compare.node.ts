import { writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { type DigestDeps, UnusableOptionError } from '../../digest/index.ts';
import { ModelCallError } from '../../models/index.ts';
import { invalidBody, VERSION } from '../../server/index.ts';
import { keptResults } from '../bulk/kept-results.ts';
import type { RecordProblem } from '../bulk/split-records.ts';
import type { Arm, Comparison } from '../comparison/arm.ts';
import { type ComparedDigest, compareDigest } from '../comparison/compare-digest.ts';
import { type ComparisonReport, comparisonReport } from '../comparison/comparison-report.ts';
import type { Datum } from '../comparison/datum.ts';
import { expandSweeps } from '../comparison/expand-sweeps.ts';
import { type PlannedDigest, planComparison } from '../comparison/plan-comparison.ts';
import { type ComparisonRun, runComparison } from '../comparison/run-comparison.ts';
import { spentOnComparison } from '../comparison/spent-on-comparison.ts';
import { codeBlock, html } from '../html/html.ts';
import { htmlPage } from '../html/html-page.ts';
import { BadRecordsError } from './bad-records-error.ts';
import { checkRecords, type TextFile } from './check-records.ts';
import { comparisonJson } from './comparison-json.ts';
import { ALONE, contentsOf, type Section, sectionView } from './comparison-page/placement.ts';
import { comparisonSections, failedSections } from './comparison-page/sections.ts';
import { COMPARISON_STYLE } from './comparison-page/style.ts';
import { armOptionsSchema, comparisonSchema, datumSchema } from './comparison-schemas.ts';
import { countingLine, outcomeNote } from './counting-line.ts';
import { describeFailure } from './describe-failure.ts';
import { type EvalStreams, INTERRUPTED } from './eval.node.ts';
import { table } from './evaluation-page/view.ts';
import { countOf, printComparison } from './print-comparison.ts';
import { tookLine } from './print-usage.ts';
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
  deps: DigestDeps,
  { stdout, stderr }: EvalStreams,
  signal: AbortSignal,
): Promise<number> {
  const read = readComparison(files.configuration, files.data);
  const { comparison } = read;
  const skipped = comparison.arms.filter(({ needsModel }) => needsModel && deps.models.model === null);
  if (skipped.some(({ name }) => name === comparison.baseline)) {
    throw new UsageError(`The baseline "${comparison.baseline}" needs a language model, and none is configured here.`);
  }
  const names = skipped.map(({ name }) => name);
  if (names.length > 0) {
    stderr.write(`Left out, as they need a language model and none is configured: ${names.join('; ')}\n`);
  }
  const planned = plannedDigests(read, names, options.limit, deps, files.configuration.path);
  const run = await make(planned, options, deps, stderr, signal);
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
  deps: DigestDeps,
  path: string,
): PlannedDigest[] {
  const arms = comparison.arms.filter(({ name }) => !skipped.includes(name));
  const problems = arms.flatMap((arm): RecordProblem[] => {
    try {
      planComparison([arm], data.slice(0, 1), deps, VERSION);
      return [];
    } catch (error) {
      if (!(error instanceof UnusableOptionError)) throw error;
      return [{ where: `${path} arm "${arm.name}"`, pointer: error.pointer, detail: error.message }];
    }
  });
  if (problems.length > 0) throw new BadRecordsError(problems, 'compared');
  return planComparison(arms, data.slice(0, limit), deps, VERSION);
}

async function make(
  planned: readonly PlannedDigest[],
  { restart, timings }: CompareOptions,
  deps: DigestDeps,
  stderr: EvalStreams['stderr'],
  signal: AbortSignal,
): Promise<ComparisonRun> {
  const compared = keptResults<ComparedDigest>(deps.cache, 'comparison');
  const line = countingLine(stderr, 'comparing');
  const began = performance.now();
  const run = await runComparison(planned, {
    known: async (keys) => {
      if (!restart) return compared.read(keys);
      await compared.forget(keys);
      return new Map();
    },
    make: ({ plan, datum }) => compareDigest(plan(signal), datum, deps, signal),
    keep: compared.keep,
    onProgress: ({ done, total, ...outcomes }) => line.notify(done, total, outcomeNote(outcomes)),
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

/** A comparison as one HTML page with plots. It loads nothing and runs nothing; every name is escaped. */
export function comparisonPage(report: ComparisonReport, { failed }: Pick<ComparisonRun, 'failed'>): string {
  const { name, baseline, skipped } = report;
  const sections = [...comparisonSections(report, ALONE), armsSection(report), ...failedSections(failed, ALONE)];
  const body = html`<header><h1>${name}</h1>
<p class="muted">${countOf(report)}; the baseline is “${baseline}”.
${skipped.length > 0 && html`Left out, as they need a language model: ${skipped.join('; ')}.`}</p></header>
${contentsOf(sections, 'Contents', ALONE)}
<main id="main">
${sections.map((section) => sectionView(section, ALONE))}</main>`;
  return htmlPage({ title: name, style: COMPARISON_STYLE, body });
}

function armsSection({ arms }: ComparisonReport): Section {
  const body = table(
    'Options as they were given',
    ['Arm', 'Options'],
    arms.map(
      (arm) => html`<th scope="row">${arm.name}</th><td class="wide">${codeBlock(JSON.stringify(arm.options))}</td>`,
    ),
  );
  return { id: 'arms', link: 'Arms', title: 'Arms', body };
}

interface ComparisonFiles {
  readonly comparison: Comparison;
  readonly data: readonly Datum[];
}

type ArmOrder = z.output<typeof comparisonSchema>['arms'][number];
type Checked<Value> = { readonly values: readonly Value[]; readonly problems: readonly RecordProblem[] };

/**
 * What a configuration and its data ask for, sweeps expanded.
 *
 * @throws BadRecordsError with everything that is wrong with either
 */
function readComparison(configuration: TextFile, data: TextFile): ComparisonFiles {
  const { placed, problems: ofFile } = checkRecords([configuration], comparisonSchema);
  const read = checkRecords([data], datumSchema);
  const repeated = repetitions(read.placed.map(({ where, record }) => ({ where, pointer: '/id', name: record.id })));
  const problems = [...ofFile, ...read.problems, ...repeated];
  const [order, ...more] = placed;
  if (more.length > 0) {
    problems.push({ where: configuration.path, pointer: '', detail: 'holds more than one configuration' });
  }
  if (order === undefined || more.length > 0) throw new BadRecordsError(problems, 'compared');
  const { where, record } = order;
  const arms = armsOf(record.arms, where);
  const baseline = record.baseline ?? arms.values[0]?.name ?? '';
  if (arms.problems.length === 0 && arms.values.every(({ name }) => name !== baseline)) {
    problems.push({ where, pointer: '/baseline', detail: `names "${baseline}", which is none of the arms` });
  }
  if (problems.length + arms.problems.length > 0) {
    throw new BadRecordsError([...problems, ...arms.problems], 'compared');
  }
  return {
    comparison: { name: record.name, arms: arms.values, baseline, metrics: record.metrics ?? null },
    data: read.placed.map((each) => each.record),
  };
}

function armsOf(orders: readonly ArmOrder[], where: string): Checked<Arm> {
  const values: Arm[] = [];
  const problems: RecordProblem[] = [];
  const places: { where: string; pointer: string; name: string }[] = [];
  for (const [place, { name, options, sweep, requires }] of orders.entries()) {
    for (const { suffix, options: swept } of expandSweeps(options, sweep)) {
      const checked = armOptionsSchema.safeParse(swept);
      if (checked.success) {
        values.push({ name: name + suffix, options: checked.data, needsModel: requires === 'model' });
        places.push({ where, pointer: `/arms/${place}/name`, name: name + suffix });
        continue;
      }
      const told = suffix === '' ? '' : ` (of "${name}${suffix}")`;
      for (const { pointer, detail } of invalidBody(checked.error).errors ?? []) {
        problems.push({ where, pointer: `/arms/${place}/options${pointer}`, detail: detail + told });
      }
    }
  }
  return { values, problems: [...problems, ...repetitions(places)] };
}

/** Names that came before: what is told by them would be ambiguous. */
function repetitions(
  named: readonly { readonly where: string; readonly pointer: string; readonly name: string }[],
): RecordProblem[] {
  const seen = new Set<string>();
  return named.flatMap(({ where, pointer, name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew ? [] : [{ where, pointer, detail: `gives "${name}", which is there already` }];
  });
}
