import { type JudgeRecord, number, sum } from '../../evaluation/index.ts';
import type { EvaluationResult } from '../results/evaluations.ts';
import { verifiedName } from '../run/arms.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { judgeLine, provenanceLines } from './provenance.ts';
import { type Column, counted, type Report, type Section, type Table, tableOf } from './report.ts';
import {
  curveTable,
  estimateCell,
  figureCell,
  matrixSections,
  percents,
  resultSections,
  warningSections,
} from './sections.ts';

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
export function ablationReport(name: string, judge: JudgeRecord, runs: readonly SetRun[]): Report {
  const parts = [
    ...runs.map((run) =>
      run.set.cases.some(({ intent }) => intent !== undefined)
        ? coverageTable('Table 2. Source coverage with intents', run, [RELEVANT, COVERAGE])
        : coverageTable('Table 1. Source coverage without an intent', run, [COVERAGE]),
    ),
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

type Pair = ReturnType<typeof pairsOf>[number];

/** Each published arm with its verified text. */
function pairsOf({ arms }: SetReport) {
  return arms.flatMap((arm) => {
    const verified = arms.find(({ name }) => name === verifiedName(arm.name));
    return verified === undefined ? [] : [{ arm, verified }];
  });
}

const ARM: readonly Column<Pair>[] = [
  ['arm', ({ arm }) => arm.name],
  ['n', ({ arm }) => arm.digests],
];

function coverageTable(title: string, { report }: SetRun, keys: readonly string[]): Table {
  const [tested] = keys;
  return tableOf(title, pairsOf(report), [
    ...ARM,
    ...keys.map((key): Column<Pair> => {
      return [key === RELEVANT ? 'relevant coverage' : 'coverage', ({ arm }) => figureCell(arm, key, 1)];
    }),
    [`less "${report.baseline}"`, ({ arm }) => estimateCell(arm.differences?.[tested], 1, arm.digests)],
    ['p, Holm', ({ arm }) => ({ p: arm.differences?.[tested]?.adjustedP ?? null })],
    ['verified text', ({ verified }) => figureCell(verified, tested, 1)],
    ['key points', ({ arm }) => figureCell(arm, 'digest.selected', 1)],
  ]);
}

function lengthTable(report: SetReport): Table {
  return tableOf(`Table 3. Lengths: ${report.name}`, pairsOf(report), [
    ...ARM,
    ['words', ({ arm }) => figureCell(arm, 'digest.words', 0)],
    ['words/sentence', ({ arm }) => figureCell(arm, 'digest.wordsPerSentence', 1)],
    ['words of the verified text', ({ verified }) => figureCell(verified, 'digest.words', 0)],
  ]);
}

function ablationCurve(report: SetReport): Table {
  const title = `Figure 2. Source coverage by the place of the document: ${report.name}`;
  const names = pairsOf(report).map(({ arm }) => arm.name);
  const table = curveTable(title, names, report.curves);
  const counts = (report.curves[0]?.bins ?? []).map(({ coverage: { n } }) => n);
  return { ...table, rows: [...table.rows, ['(documents)', ...counts]] };
}

const FIFTHS = [0, 1, 2, 3, 4];

function spreadTable({ report, run: { made } }: SetRun): Table {
  const rows = pairsOf(report).map(({ arm: { name } }) => {
    const own = made.filter(({ item }) => item.arm === name);
    return { name, shares: own.flatMap(({ result }) => result.figures['digest.documentCoverage'] ?? []) };
  });
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`);
  return tableOf(`Figure 3. Share of documents with a selected key point: ${report.name}`, rows, [
    ['arm', ({ name }) => name],
    ['n', ({ shares }) => shares.length],
    ['mean, %', ({ shares }) => number(shares.length === 0 ? null : (100 * sum(shares)) / shares.length)],
    ...FIFTHS.map((fifth): Column<(typeof rows)[number]> => {
      const isIn = (share: number) => Math.min(4, Math.floor(5 * share)) === fifth;
      const head = `cases at ${percents(fifth / 5, (fifth + 1) / 5)}`;
      return [head, ({ shares }) => percent(shares.filter(isIn).length, shares.length)];
    }),
  ]);
}
