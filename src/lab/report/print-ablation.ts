import { number } from '../../evaluation/index.ts';
import { verifiedName } from '../cli/comparison-schemas.ts';
import type { ArmReport } from '../comparison/comparison-report.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { printP, warningsTable } from './print.ts';
import { printEstimate, textTable } from './text-table.ts';

/** The two parts of the ablation; one is null where the set has nothing to run it on. */
interface AblationRuns {
  readonly withoutIntent: SetRun | null;
  readonly withIntents: SetRun | null;
}

const COVERAGE = 'sources.coverage';
const RELEVANT = 'sources.relevantCoverage';

/** The tables 1 to 3 and, as tables, the figures 2 and 3 of Padmakumar et al. (2025). */
export function printAblation({ withoutIntent, withIntents }: AblationRuns): string {
  const parts = [withoutIntent, withIntents].flatMap((run) => (run === null ? [] : [run.report]));
  const of = (report: SetReport) => report.set;
  return [
    ...(withoutIntent === null
      ? []
      : [`Table 1. Source coverage without an intent\n${coverageTable(withoutIntent.report, [COVERAGE])}`]),
    ...(withIntents === null
      ? []
      : [`Table 2. Source coverage with intents\n${coverageTable(withIntents.report, [RELEVANT, COVERAGE])}`]),
    ...parts.map((report) => `Table 3. Lengths: ${of(report)}\n${lengthTable(report)}`),
    ...parts.map((report) => `Figure 2. Source coverage by the place of the document: ${of(report)}\n${curve(report)}`),
    ...parts.map(
      (report) => `Figure 3. Share of documents with a selected key point: ${of(report)}\n${spread(report)}`,
    ),
    ...parts.flatMap((report) =>
      report.warnings.length === 0 ? [] : [`Warnings: ${of(report)}\n${warningsTable(report.warnings)}`],
    ),
  ].join('\n\n');
}

/** The arms by the text that their models wrote, each with its verified one. */
function armsOf({ comparison: { arms } }: SetReport) {
  const byName = new Map(arms.map((arm) => [arm.name, arm]));
  return arms.flatMap((arm) => {
    const verified = byName.get(verifiedName(arm.name));
    return verified === undefined ? [] : [{ arm, verified }];
  });
}

/** The first of the figures is tested, and given of the verified text too. */
function coverageTable(report: SetReport, [tested, ...others]: readonly string[]): string {
  const figure = ({ figures, digests }: ArmReport, key: string) =>
    figures[key] === undefined ? '–' : printEstimate(figures[key], 1, digests);
  const rows = armsOf(report).map(({ arm, verified }) => {
    const difference = arm.differences?.[tested];
    return [
      arm.name,
      String(arm.digests),
      ...[tested, ...others].map((key) => figure(arm, key)),
      number(difference?.value ?? null, 1),
      printP(difference?.adjustedP ?? null),
      figure(verified, tested),
      meanOf(arm, 'digest.selected', 1),
    ];
  });
  const titles = [tested, ...others].map((key) => (key === RELEVANT ? 'relevant coverage' : 'coverage'));
  const against = `less "${report.comparison.baseline}"`;
  return textTable(['arm', 'n', ...titles, against, 'p, Holm', 'verified text', 'key points'], rows);
}

function lengthTable(report: SetReport): string {
  const rows = armsOf(report).map(({ arm, verified }) => [
    arm.name,
    meanOf(arm, 'digest.words', 0),
    meanOf(arm, 'digest.wordsPerSentence', 1),
    meanOf(verified, 'digest.words', 0),
  ]);
  return textTable(['arm', 'words', 'words/sentence', 'words of the verified text'], rows);
}

function curve(report: SetReport): string {
  const bins = report.curves[0]?.bins ?? [];
  const rows = armsOf(report).map(({ arm: { name } }) => {
    const own = report.curves.find(({ system }) => system === name)?.bins;
    return [name, ...bins.map((_, place) => number(own?.[place].coverage.value ?? null))];
  });
  return textTable(['arm', ...bins.map(({ from, to }) => range(from, to))], rows);
}

/** Bins of the figure. */
const FIFTHS = 5;

function spread(report: SetReport): string {
  const rows = armsOf(report).map(({ arm }) => {
    const { counts, n, mean } = arm.distributions.documents;
    const each = counts.length / FIFTHS;
    const shares = Array.from({ length: FIFTHS }, (_, bin) => {
      const inBin = counts.slice(bin * each, (bin + 1) * each).reduce((sum, count) => sum + count, 0);
      return n === 0 ? '–' : `${Math.round((100 * inBin) / n)}%`;
    });
    return [arm.name, number(mean === null ? null : 100 * mean), ...shares];
  });
  const heads = Array.from({ length: FIFTHS }, (_, bin) => range(bin / FIFTHS, (bin + 1) / FIFTHS));
  return textTable(['arm', 'mean, %', ...heads.map((head) => `cases at ${head}`)], rows);
}

function range(from: number, to: number): string {
  return `${Math.round(100 * from)}-${Math.round(100 * to)}%`;
}

function meanOf({ figures }: ArmReport, key: string, digits: number): string {
  return number(figures[key]?.value ?? null, digits);
}
