import { type JudgeRecord, number, sum } from '../../evaluation/index.ts';
import type { EvaluationResult } from '../results/evaluations.ts';
import { verifiedName } from '../run/arms.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { judgeLine, provenanceLines } from './provenance.ts';
import { type Cell, counted, type Report, type Section, type Table } from './report.ts';
import { curveTable, estimateCell, matrixSections, percents, resultSections, warningSections } from './sections.ts';

export function evaluationReport(records: number, results: readonly EvaluationResult[], judge: JudgeRecord): Report {
  return {
    title: 'Evaluation',
    about: [`${counted(records, 'record')}, judged by ${judgeLine(judge)}`],
    sections: results.map((result) => ({ title: result.name, parts: [], sections: resultSections(result) })),
  };
}

export function runReport(name: string, judge: JudgeRecord, runs: readonly SetRun[]): Report {
  const skipped = [...new Set(runs.flatMap(({ report }) => report.skipped))];
  return {
    title: name,
    about: [
      `scores by ${judgeLine(judge, ', but for those by labels')}`,
      ...(skipped.length === 0 ? [] : [`left out, as they need a language model: ${skipped.join('; ')}`]),
      ...runs.map(countsOf),
      ...provenanceLines(runs),
    ],
    sections: runs.map(setSection),
  };
}

function setSection({ set, report }: SetRun): Section {
  const sections = [...matrixSections(report), ...resultSections(report), ...warningSections(report)];
  return { title: set.name, parts: [], sections };
}

function countsOf({ set: { name, cases, collections }, report }: SetRun): string {
  const asked = new Set(cases.map(({ collection }) => collection));
  const documents = collections.filter(({ id }) => asked.has(id)).reduce((sum, each) => sum + each.documents.length, 0);
  const questions = cases.reduce((sum, each) => sum + (each.questions?.length ?? 0), 0);
  return [
    `${name}: ${counted(report.arms.length, 'system')}, the baseline is "${report.baseline}"`,
    counted(cases.length, 'case'),
    counted(asked.size, 'collection'),
    counted(documents, 'document'),
    counted(questions, 'question'),
  ].join('; ');
}

const COVERAGE = 'sources.coverage';
const RELEVANT = 'sources.relevantCoverage';

/** Tables 1 to 3 and, as tables, figures 2 and 3 of Padmakumar et al. (2025). */
export function ablationReport(
  name: string,
  judge: JudgeRecord,
  withoutIntent: SetRun | null,
  withIntents: SetRun | null,
): Report {
  const runs = [withoutIntent, withIntents].flatMap((part) => part ?? []);
  const first = 'Table 1. Source coverage without an intent';
  const second = 'Table 2. Source coverage with intents';
  const parts = [
    ...(withoutIntent === null ? [] : [coverageTable(first, withoutIntent, [COVERAGE])]),
    ...(withIntents === null ? [] : [coverageTable(second, withIntents, [RELEVANT, COVERAGE])]),
    ...runs.map(({ report }) => lengthTable(report)),
    ...runs.map(({ report }) => ablationCurve(report)),
    ...runs.map(spreadTable),
  ];
  return {
    title: name,
    about: [
      ...runs.map(countsOf),
      `coverage by ${judgeLine(judge)}`,
      'intervals are 95% bootstrap intervals over the cases, differences paired',
      ...provenanceLines(runs),
    ],
    sections: [
      { title: 'Ablation', parts },
      ...runs.flatMap(({ report }) =>
        warningSections(report).map((section) => ({ ...section, title: `Warnings: ${report.name}` })),
      ),
    ],
  };
}

function armsOf({ arms }: SetReport) {
  return arms.flatMap((arm) => {
    const verified = arms.find(({ name }) => name === verifiedName(arm.name));
    return verified === undefined ? [] : [{ arm, verified }];
  });
}

function coverageTable(title: string, { report }: SetRun, keys: readonly string[]): Table {
  const [tested] = keys;
  const titles = keys.map((key) => (key === RELEVANT ? 'relevant coverage' : 'coverage'));
  const heads = ['arm', 'n', ...titles, `less "${report.baseline}"`, 'p, Holm', 'verified text', 'key points'];
  const rows = armsOf(report).map(({ arm, verified }): Cell[] => {
    const difference = arm.differences?.[tested];
    return [
      arm.name,
      arm.digests,
      ...keys.map((key) => estimateCell(arm, key, 1)),
      difference === undefined ? '–' : { estimate: difference, digits: 1, expected: arm.digests },
      { p: difference?.adjustedP ?? null },
      estimateCell(verified, tested, 1),
      estimateCell(arm, 'digest.selected', 1),
    ];
  });
  return { kind: 'table', title, heads, rows };
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

function ablationCurve(report: SetReport): Table {
  const title = `Figure 2. Source coverage by the place of the document: ${report.name}`;
  const names = armsOf(report).map(({ arm }) => arm.name);
  const table = curveTable(title, names, report.curves);
  const counts = (report.curves[0]?.bins ?? []).map(({ coverage: { n } }) => n);
  return { ...table, rows: [...table.rows, ['(documents)', ...counts]] };
}

const FIFTHS = [0, 1, 2, 3, 4];

function spreadTable({ report, run: { made } }: SetRun): Table {
  const rows = armsOf(report).map(({ arm: { name } }): Cell[] => {
    const own = made.filter(({ item }) => item.arm === name);
    const shares = own.flatMap(({ result }) => result.figures['digest.documentCoverage'] ?? []);
    const mean = shares.length === 0 ? null : (100 * sum(shares)) / shares.length;
    const counts = FIFTHS.map((fifth) => shares.filter((each) => Math.min(4, Math.floor(5 * each)) === fifth).length);
    const percent = (count: number) => (shares.length === 0 ? '–' : `${Math.round((100 * count) / shares.length)}%`);
    return [name, shares.length, number(mean), ...counts.map(percent)];
  });
  return {
    kind: 'table',
    title: `Figure 3. Share of documents with a selected key point: ${report.name}`,
    heads: ['arm', 'n', 'mean, %', ...FIFTHS.map((fifth) => `cases at ${percents(fifth / 5, (fifth + 1) / 5)}`)],
    rows,
  };
}
