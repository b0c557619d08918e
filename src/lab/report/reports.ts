import { type AnyMetric, agreementOf, type JudgeRecord, METRICS, metricOf, refusalOf } from '../../evaluation/index.ts';
import { counted } from '../../text/index.ts';
import { estimateMean } from '../results/estimate.ts';
import type { EvaluationResult } from '../results/evaluations.ts';
import type { Result } from '../results/result.ts';
import { verifiedName } from '../run/arms.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { judgeLine, provenanceLines } from './provenance.ts';
import { type Column, type Report, type Section, type Table, tableOf } from './report.ts';
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
    about: [`${counted(records, 'record')}, judged by ${judgeLine(judge)}`, ...agreementLines(judge)],
    sections: results.map((result) => {
      return { title: result.name, parts: [], sections: resultSections(withAgreement(result, judge)) };
    }),
  };
}

export function runReport(name: string, judge: JudgeRecord, runs: readonly SetRun[]): Report {
  const skipped = [...new Set(runs.flatMap(({ report }) => report.skipped))];
  return {
    title: name,
    about: [
      `scores by ${judgeLine(judge, ', but for those by labels')}`,
      ...agreementLines(judge),
      ...refusals(judge, runs),
      ...(skipped.length === 0 ? [] : [`left out, as they need a language model: ${skipped.join('; ')}`]),
      ...runs.map(countsOf),
      ...provenanceLines(runs),
    ],
    sections: runs.map((run) => setSection(run, judge)),
  };
}

/** Titles of judged figures with the judge's agreement with people, if known. */
function withAgreement<Of extends Pick<Result, 'metrics'>>(result: Of, judge: JudgeRecord): Of {
  const metrics = result.metrics.map((each) => ({ ...each, title: each.title + agreementText(each.key, judge) }));
  return { ...result, metrics };
}

function agreementText(key: string, judge: JudgeRecord): string {
  const all: readonly AnyMetric[] = METRICS;
  const metric = all.find(({ prefix, figures }) =>
    figures.some(({ name, isDescriptive }) => isDescriptive !== true && key === `${prefix}.${name}`),
  );
  const agreement = metric === undefined ? null : agreementOf(metric, judge);
  return agreement === null ? '' : ` (kappa ${agreement.kappa} of ${agreement.items})`;
}

function agreementLines({ name }: JudgeRecord): string[] {
  return name === 'llm'
    ? []
    : ["kappa: the judge's agreement with so many of people's labels in what is asked, -1 to 1 (docs/evaluation.md)"];
}

function refusals({ name }: JudgeRecord, runs: readonly SetRun[]): string[] {
  const refusal = refusalOf(metricOf('key-point-recall'), name);
  const isAsked = runs.some(({ set }) => set.cases.some(({ keyPoints = [] }) => keyPoints.length > 0));
  return refusal !== null && isAsked ? [`left out: ${refusal}`] : [];
}

function setSection({ set, report: given }: SetRun, judge: JudgeRecord): Section {
  const report = withAgreement(given, judge);
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

/** Tables 1 to 4 and, as tables, figures 2 and 3 of Padmakumar et al. (2025). */
export function ablationReport(name: string, judge: JudgeRecord, runs: readonly SetRun[]): Report {
  const parts = [
    ...runs.map((run) =>
      run.set.cases.some(({ intent }) => intent !== undefined)
        ? coverageTable('Table 4. Source coverage with intents', run, [RELEVANT, COVERAGE], judge)
        : coverageTable('Tables 1 and 2. Source coverage without an intent, by arm and kernel', run, [COVERAGE], judge),
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
      ...agreementLines(judge),
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

function coverageTable(title: string, { report }: SetRun, keys: readonly string[], judge: JudgeRecord): Table {
  const [tested] = keys;
  return tableOf(title, pairsOf(report), [
    ...ARM,
    ...keys.map((key): Column<Pair> => {
      const name = key === RELEVANT ? 'relevant coverage' : 'coverage';
      return [name + agreementText(key, judge), ({ arm }) => figureCell(arm, key, 1)];
    }),
    ...differenceColumns(report, tested, 1),
    ['verified text', ({ verified }) => figureCell(verified, tested, 1)],
    ['key points', ({ arm }) => figureCell(arm, 'digest.selected', 1)],
  ]);
}

const LENGTHS = [
  ['words', 'digest.words', 0],
  ['words/sentence', 'digest.wordsPerSentence', 1],
] as const;

/** The paired difference from the baseline, and its p of a t-test, adjusted by Holm's method. */
function differenceColumns({ baseline }: SetReport, key: string, digits: number): Column<Pair>[] {
  return [
    [`less "${baseline}"`, ({ arm }) => estimateCell(arm.differences?.[key], digits, arm.digests)],
    ['p, Holm', ({ arm }) => ({ p: arm.differences?.[key]?.adjustedP ?? null })],
  ];
}

function lengthTable(report: SetReport): Table {
  return tableOf(`Table 3. Lengths: ${report.name}`, pairsOf(report), [
    ...ARM,
    ...LENGTHS.flatMap(([title, key, digits]): Column<Pair>[] => [
      [title, ({ arm }) => figureCell(arm, key, digits)],
      ...differenceColumns(report, key, digits),
    ]),
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
    const shares = own.flatMap(({ result }) => result.figures['digest.documentCoverage'] ?? []);
    const percents = own.map(({ result }) => 100 * (result.figures['digest.documentCoverage'] ?? Number.NaN));
    const ids = own.map(({ item }) => item.datum);
    return {
      name,
      shares,
      mean: estimateMean(
        percents.map((each) => (Number.isNaN(each) ? null : each)),
        ids,
      ),
    };
  });
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`);
  return tableOf(`Figure 3. Share of documents with a selected key point: ${report.name}`, rows, [
    ['arm', ({ name }) => name],
    ['n', ({ shares }) => shares.length],
    ['mean, %', ({ mean, shares }) => estimateCell(mean, 1, shares.length)],
    ...FIFTHS.map((fifth): Column<(typeof rows)[number]> => {
      const isIn = (share: number) => Math.min(4, Math.floor(5 * share)) === fifth;
      const head = `cases at ${percents(fifth / 5, (fifth + 1) / 5)}`;
      return [head, ({ shares }) => percent(shares.filter(isIn).length, shares.length)];
    }),
  ]);
}
