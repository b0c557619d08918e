import { type JudgeRecord, number } from '../../evaluation/index.ts';
import { printJudge } from '../bulk/judge-identity.ts';
import type { ArmReport } from '../comparison/comparison-report.ts';
import { verifiedName } from '../comparison/comparison-schemas.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { printP, warningsTable } from './print.ts';
import { judgePrompts, printProvenance } from './provenance.ts';
import { printEstimate, textTable } from './text-table.ts';

/** A part with why its baseline is another than the one that is meant, if it is. */
interface AblationRun {
  readonly run: SetRun;
  readonly why: string | null;
}

/** The two parts of the ablation; one is null where the set has nothing to run it on. */
interface AblationRuns {
  readonly withoutIntent: AblationRun | null;
  readonly withIntents: AblationRun | null;
}

const COVERAGE = 'sources.coverage';
const RELEVANT = 'sources.relevantCoverage';

/** The tables 1 to 3 and, as tables, the figures 2 and 3 of Padmakumar et al. (2025). */
export function printAblation(name: string, judge: JudgeRecord, { withoutIntent, withIntents }: AblationRuns): string {
  const runs = [withoutIntent, withIntents].flatMap((part) => part?.run ?? []);
  const parts = runs.map((run) => run.report);
  const of = (report: SetReport) => report.set;
  return [
    `${name}\n${runs.map(countsOf).join('\n')}\ncoverage by ${printJudge(judge)}${judgePrompts(judge)}\nintervals are 95% bootstrap intervals over the cases, differences paired`,
    ...(withoutIntent === null
      ? []
      : [
          `Table 1. Source coverage without an intent${reasonOf(withoutIntent)}\n${coverageTable(withoutIntent.run.report, [COVERAGE])}`,
        ]),
    ...(withIntents === null
      ? []
      : [
          `Table 2. Source coverage with intents${reasonOf(withIntents)}\n${coverageTable(withIntents.run.report, [RELEVANT, COVERAGE])}`,
        ]),
    ...parts.map((report) => `Table 3. Lengths: ${of(report)}\n${lengthTable(report)}`),
    ...parts.map((report) => `Figure 2. Source coverage by the place of the document: ${of(report)}\n${curve(report)}`),
    ...parts.map(
      (report) => `Figure 3. Share of documents with a selected key point: ${of(report)}\n${spread(report)}`,
    ),
    ...parts.flatMap((report) =>
      report.warnings.length === 0 ? [] : [`Warnings: ${of(report)}\n${warningsTable(report.warnings)}`],
    ),
    ...parts.flatMap(({ set, unreadable }) =>
      unreadable === 0
        ? []
        : [`${set}: ${unreadable} verdicts of the language model could not be read, and credit nothing.`],
    ),
    printProvenance(runs),
  ].join('\n\n');
}

function reasonOf({ why }: AblationRun): string {
  return why === null ? '' : `, ${why}`;
}

/** What a part was run on. */
function countsOf({ set: { name, cases, collections } }: SetRun): string {
  const asked = new Set(cases.map(({ collection }) => collection));
  const documents = collections.filter(({ id }) => asked.has(id)).reduce((sum, each) => sum + each.documents.length, 0);
  const questions = cases.reduce((sum, each) => sum + (each.questions?.length ?? 0), 0);
  return `${name}: cases ${cases.length}, collections ${asked.size}, documents ${documents}, questions ${questions}`;
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
  const rows = armsOf(report).map(({ arm, verified }) => {
    const difference = arm.differences?.[tested];
    return [
      arm.name,
      String(arm.digests),
      ...[tested, ...others].map((key) => estimateOf(arm, key, 1)),
      difference === undefined ? '–' : printEstimate(difference, 1, arm.digests),
      printP(difference?.adjustedP ?? null),
      estimateOf(verified, tested, 1),
      estimateOf(arm, 'digest.selected', 1),
    ];
  });
  const titles = [tested, ...others].map((key) => (key === RELEVANT ? 'relevant coverage' : 'coverage'));
  const against = `less "${report.comparison.baseline}"`;
  return textTable(['arm', 'n', ...titles, against, 'p, Holm', 'verified text', 'key points'], rows);
}

function lengthTable(report: SetReport): string {
  const rows = armsOf(report).map(({ arm, verified }) => [
    arm.name,
    String(arm.digests),
    estimateOf(arm, 'digest.words', 0),
    estimateOf(arm, 'digest.wordsPerSentence', 1),
    estimateOf(verified, 'digest.words', 0),
  ]);
  return textTable(['arm', 'n', 'words', 'words/sentence', 'words of the verified text'], rows);
}

function curve(report: SetReport): string {
  const bins = report.curves[0]?.bins ?? [];
  const rows = armsOf(report).map(({ arm: { name } }) => {
    const own = report.curves.find(({ system }) => system === name)?.bins;
    return [name, ...bins.map((_, place) => number(own?.[place].coverage.value ?? null))];
  });
  // The same of every arm: documents with questions, over the cases.
  const counts = ['(documents)', ...bins.map(({ coverage: { n } }) => String(n))];
  return textTable(['arm', ...bins.map(({ from, to }) => range(from, to))], [...rows, counts]);
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
    return [arm.name, String(n), number(mean === null ? null : 100 * mean), ...shares];
  });
  const heads = Array.from({ length: FIFTHS }, (_, bin) => range(bin / FIFTHS, (bin + 1) / FIFTHS));
  return textTable(['arm', 'n', 'mean, %', ...heads.map((head) => `cases at ${head}`)], rows);
}

function range(from: number, to: number): string {
  return `${Math.round(100 * from)}-${Math.round(100 * to)}%`;
}

function estimateOf({ figures, digests }: ArmReport, key: string, digits: number): string {
  const estimate = figures[key];
  return estimate === undefined ? '–' : printEstimate(estimate, digits, digests);
}
