import { type JudgeRecord, number } from '../../evaluation/index.ts';
import { printJudge } from '../results/judge-identity.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { verifiedName } from '../run/system-schemas.ts';
import { judgePrompts, provenanceLines } from './provenance.ts';
import type { Cell, Report, Table } from './report.ts';
import { estimateCell } from './result-sections.ts';
import { countsOf, warningSections } from './run-report.ts';

interface AblationRun {
  readonly run: SetRun;
  readonly why: string | null;
}

interface AblationRuns {
  readonly withoutIntent: AblationRun | null;
  readonly withIntents: AblationRun | null;
}

const COVERAGE = 'sources.coverage';
const RELEVANT = 'sources.relevantCoverage';

/** Tables 1 to 3 and, as tables, figures 2 and 3 of Padmakumar et al. (2025). */
export function ablationReport(name: string, judge: JudgeRecord, { withoutIntent, withIntents }: AblationRuns): Report {
  const runs = [withoutIntent, withIntents].flatMap((part) => part?.run ?? []);
  const reports = runs.map(({ report }) => report);
  const tables = [
    ...(withoutIntent === null
      ? []
      : [coverageTable('Table 1. Source coverage without an intent', withoutIntent, [COVERAGE])]),
    ...(withIntents === null
      ? []
      : [coverageTable('Table 2. Source coverage with intents', withIntents, [RELEVANT, COVERAGE])]),
    ...reports.map(lengthTable),
    ...reports.map(curveTable),
    ...reports.map(spreadTable),
  ];
  return {
    title: name,
    about: [
      ...runs.map(countsOf),
      `coverage by ${printJudge(judge)}${judgePrompts(judge)}`,
      'intervals are 95% bootstrap intervals over the cases, differences paired',
      ...provenanceLines(runs),
    ],
    sections: [
      { title: 'Ablation', parts: tables },
      ...reports.flatMap((report) => {
        return warningSections(report).map((section) => ({ ...section, title: `Warnings: ${report.name}` }));
      }),
    ],
  };
}

function armsOf({ arms }: SetReport) {
  const byName = new Map(arms.map((arm) => [arm.name, arm]));
  return arms.flatMap((arm) => {
    const verified = byName.get(verifiedName(arm.name));
    return verified === undefined ? [] : [{ arm, verified }];
  });
}

function coverageTable(
  title: string,
  { run: { report }, why }: AblationRun,
  [tested, ...others]: readonly string[],
): Table {
  const titles = [tested, ...others].map((key) => (key === RELEVANT ? 'relevant coverage' : 'coverage'));
  const heads = ['arm', 'n', ...titles, `less "${report.baseline}"`, 'p, Holm', 'verified text', 'key points'];
  const rows = armsOf(report).map(({ arm, verified }): Cell[] => {
    const difference = arm.differences?.[tested];
    return [
      arm.name,
      arm.digests,
      ...[tested, ...others].map((key) => estimateCell(arm, key, 1)),
      difference === undefined ? '–' : { estimate: difference, digits: 1, expected: arm.digests },
      { p: difference?.adjustedP ?? null },
      estimateCell(verified, tested, 1),
      estimateCell(arm, 'digest.selected', 1),
    ];
  });
  return { kind: 'table', title: why === null ? title : `${title}, ${why}`, heads, rows };
}

function lengthTable(report: SetReport): Table {
  const rows = armsOf(report).map(({ arm, verified }) => [
    arm.name,
    arm.digests,
    estimateCell(arm, 'digest.words', 0),
    estimateCell(arm, 'digest.wordsPerSentence', 1),
    estimateCell(verified, 'digest.words', 0),
  ]);
  const heads = ['arm', 'n', 'words', 'words/sentence', 'words of the verified text'];
  return { kind: 'table', title: `Table 3. Lengths: ${report.name}`, heads, rows };
}

function curveTable(report: SetReport): Table {
  const bins = report.curves[0]?.bins ?? [];
  const rows = armsOf(report).map(({ arm: { name } }): Cell[] => {
    const own = report.curves.find(({ system }) => system === name)?.bins;
    return [name, ...bins.map((_, place): Cell => (own ? { estimate: own[place].coverage, digits: 1 } : '–'))];
  });
  const counts = ['(documents)', ...bins.map(({ coverage: { n } }) => n)];
  return {
    kind: 'table',
    title: `Figure 2. Source coverage by the place of the document: ${report.name}`,
    heads: ['arm', ...bins.map(({ from, to }) => range(from, to))],
    rows: [...rows, counts],
  };
}

const FIFTHS = 5;

function spreadTable(report: SetReport): Table {
  const rows = armsOf(report).map(({ arm }): Cell[] => {
    const { counts = [], n = 0, mean = null } = arm.distributions?.documents ?? {};
    const each = counts.length / FIFTHS;
    const shares = Array.from({ length: FIFTHS }, (_, bin) => {
      const inBin = counts.slice(bin * each, (bin + 1) * each).reduce((sum, count) => sum + count, 0);
      return n === 0 ? '–' : `${Math.round((100 * inBin) / n)}%`;
    });
    return [arm.name, n, number(mean && 100 * mean), ...shares];
  });
  const fifths = Array.from({ length: FIFTHS }, (_, bin) => `cases at ${range(bin / FIFTHS, (bin + 1) / FIFTHS)}`);
  return {
    kind: 'table',
    title: `Figure 3. Share of documents with a selected key point: ${report.name}`,
    heads: ['arm', 'n', 'mean, %', ...fifths],
    rows,
  };
}

function range(from: number, to: number): string {
  return `${Math.round(100 * from)}-${Math.round(100 * to)}%`;
}
