import { type JudgeRecord, metricOf, number } from '../../evaluation/index.ts';
import type { Estimate } from '../bulk/estimate.ts';
import { printJudge } from '../bulk/judge-identity.ts';
import type { Breakdown, MetricReport, Row } from '../bulk/report.ts';
import type { ArmReport, ComparisonReport } from '../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../comparison/metrics.ts';
import { SHAPES, type ShapeName } from '../comparison/shapes.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { judgePrompts, printProvenance } from './provenance.ts';
import { printMatrices } from './system-matrix.ts';
import { printEstimate, textTable } from './text-table.ts';

const DIMENSION_TITLES: Readonly<Record<Breakdown['by'], string>> = {
  domain: 'domain',
  questionKind: 'kind of question',
  order: 'order of documents',
  inputWords: 'input length',
  outputWords: 'output length',
};

/** How a table names a system. */
export function systemTitle(system: string | null): string {
  return system ?? '(no system)';
}

/** A table of figures, as a terminal and a page show it: names and a number of values, then estimates that rest on them. */
interface FigureTable {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly names: readonly string[];
    readonly count: number;
    readonly figures: readonly (Estimate | null)[];
  }[];
}

/** What is told of a metric: systems, differences between them, and breakdowns. */
export function evaluationTables({ metric, systems, differences, breakdowns }: MetricReport): FigureTable[] {
  const { title, figures: columns } = metricOf(metric);
  const heads = ['n', ...columns.map((column) => column.title)];
  const figuresOf = (row: Pick<Row, 'figures'>) => columns.map(({ name }) => row.figures[name]);
  const isOrdered = systems.some(({ positionSensitivity }) => positionSensitivity !== null);
  const overall: FigureTable = {
    caption: `${title}, with 95% bootstrap intervals`,
    heads: ['system', ...heads, ...(isOrdered ? ['position sensitivity'] : [])],
    rows: systems.map((row) => {
      // It rests on triples of records, so that nothing is missing where there are fewer.
      const sensitivity = row.positionSensitivity && { ...row.positionSensitivity, n: row.records };
      const figures = [...figuresOf(row), ...(isOrdered ? [sensitivity] : [])];
      return { names: [systemTitle(row.system)], count: row.records, figures };
    }),
  };
  const pooled = systems.flatMap(({ system, records, micro }) =>
    micro === null ? [] : [{ names: [systemTitle(system)], count: records, figures: figuresOf({ figures: micro }) }],
  );
  const micro: FigureTable = {
    caption: `${title}, averaged over all texts as one (micro)`,
    heads: ['system', ...heads],
    rows: pooled,
  };
  const less: FigureTable = {
    caption: `less ${systemTitle(differences[0]?.against ?? null)}, over the ids that both have`,
    heads: ['system', ...heads],
    rows: differences.map((row) => ({ names: [systemTitle(row.system)], count: row.shared, figures: figuresOf(row) })),
  };
  const broken = breakdowns.map(({ by, rows }): FigureTable => {
    const nameOf = (row: (typeof rows)[number]) => [row.value ?? '(not given)', systemTitle(row.system)];
    return {
      caption: `by ${DIMENSION_TITLES[by]}`,
      heads: [DIMENSION_TITLES[by], 'system', ...heads],
      rows: rows.map((row) => ({ names: nameOf(row), count: row.records, figures: figuresOf(row) })),
    };
  });
  return [overall, ...(pooled.length > 0 ? [micro] : []), ...(differences.length > 0 ? [less] : []), ...broken];
}

/** Figures of files as text for a terminal: a table per metric, differences between systems, breakdowns. */
export function printEvaluation(reports: readonly MetricReport[]): string {
  return reports.flatMap(evaluationTables).map(printTable).join('\n\n');
}

function printTable({ caption, heads, rows }: FigureTable): string {
  const cells = rows.map(({ names, count, figures }) => [
    ...names,
    String(count),
    ...figures.map((figure) => (figure === null ? '–' : printEstimate(figure, 1, count))),
  ]);
  return `${caption}\n${textTable(heads, cells, rows[0].names.length)}`;
}

export const SHAPE_TITLES: Readonly<Record<ShapeName, string>> = {
  documents: 'share of documents selected',
  words: 'words of summary',
  wordsPerSentence: 'words of sentence',
};
/** After the point. */
export const SHAPE_DIGITS: Readonly<Record<ShapeName, number>> = { documents: 2, words: 0, wordsPerSentence: 0 };

/** A comparison as text for a terminal: means, differences from the baseline metric by metric, and lengths. */
export function printComparison(report: ComparisonReport): string {
  const { name, baseline, arms, metrics } = report;
  const head = `${name}: ${countOf(report)}, against "${baseline}"`;
  const others = arms.filter(({ differences }) => differences !== null);
  const sections = [`${head}\n\nmeans, with 95% bootstrap intervals\n${meansTable(arms, metrics)}`];
  if (others.length > 0) {
    for (const metric of metrics) sections.push(differencesTable(metric, others));
  }
  sections.push(`quartiles, of digests and of sentences\n${shapesTable(arms)}`);
  return sections.join('\n\n');
}

/** "3 arms over 20 data". */
export function countOf({ arms, data }: ComparisonReport): string {
  const counted = arms.length === 1 ? '1 arm' : `${arms.length} arms`;
  return `${counted} over ${data === 1 ? '1 datum' : `${data} data`}`;
}

function meansTable(arms: readonly ArmReport[], metrics: readonly ComparisonMetric[]): string {
  const rows = arms.map(({ name, digests, figures }) => [
    name,
    String(digests),
    ...metrics.map(({ key, digits }) => printEstimate(figures[key], digits, digests)),
  ]);
  return textTable(['arm', 'n', ...metrics.map(({ title }) => title)], rows);
}

function differencesTable({ key, title, digits }: ComparisonMetric, arms: readonly ArmReport[]): string {
  const rows = arms.flatMap(({ name, digests, differences }) => {
    const difference = differences?.[key];
    if (difference === undefined) return [];
    const { p, adjustedP } = difference;
    return [[name, printEstimate(difference, digits, digests), printP(p), printP(adjustedP)]];
  });
  const heads = ['arm', 'difference, 95% bootstrap interval', 'p', 'p, Holm'];
  return `${title}, less the baseline\n${textTable(heads, rows)}`;
}

function shapesTable(arms: readonly ArmReport[]): string {
  const rows = arms.map(({ name, distributions }) => [
    name,
    ...SHAPES.map((shape) => quartiles(distributions[shape], shape)),
  ]);
  return textTable(['arm', ...SHAPES.map((shape) => SHAPE_TITLES[shape])], rows);
}

/** First quartile, median and third. */
export function quartiles({ quantiles: { p25, p50, p75 } }: ArmReport['distributions'][ShapeName], shape: ShapeName) {
  return [p25, p50, p75].map((value) => number(value, SHAPE_DIGITS[shape])).join(' / ');
}

/** A probability to three places; what is smaller is told to be. */
export function printP(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

/** A run as text for a terminal: systems against sets first, then the tables of each set. */
export function printRun(name: string, judge: JudgeRecord, runs: readonly SetRun[]): string {
  const reports = runs.map(({ report }) => report);
  const head = `${name}\nscores by ${printJudge(judge)}, but for those by labels${judgePrompts(judge)}`;
  const overview = reports.length > 1 ? [overviewTable(reports)] : [];
  return [head, ...overview, ...reports.map(printSet), printProvenance(runs)].join('\n\n');
}

/** The main metric of each set, system by system. */
function overviewTable(reports: readonly SetReport[]): string {
  const systems = [...new Set(reports.flatMap(({ comparison }) => comparison.arms.map(({ name }) => name)))];
  const heads = reports.map(({ set, comparison }) => `${set}: ${mainOf(comparison)?.title ?? '–'}`);
  const rows = systems.map((system) => [
    system,
    ...reports.map(({ comparison }) => {
      const main = mainOf(comparison);
      const arm = comparison.arms.find(({ name }) => name === system);
      return main === undefined || arm === undefined ? '–' : printEstimate(arm.figures[main.key], main.digits);
    }),
  ]);
  return `means, with 95% bootstrap intervals over the cases\n${textTable(['system', ...heads], rows)}`;
}

function printSet(report: SetReport): string {
  const { comparison, curves, sensitivities, breakdowns, unreadable, warnings } = report;
  const sections = [...printMatrices(report), printComparison(comparison)];
  if (curves.length > 0) {
    const bins = curves[0].bins.map(({ from, to }) => `${Math.round(100 * from)}-${Math.round(100 * to)}%`);
    const rows = curves.map(({ system, bins: own }) => [
      system,
      ...own.map(({ coverage: { value } }) => number(value)),
    ]);
    sections.push(`source coverage by the place of the document in the input\n${textTable(['system', ...bins], rows)}`);
  }
  if (sensitivities.length > 0) {
    const rows = sensitivities.map(({ system, sensitivity }) => [system, printEstimate(sensitivity, 1)]);
    sections.push(`position sensitivity\n${textTable(['system', 'largest change of the mean joint score'], rows)}`);
  }
  for (const { by, rows } of breakdowns) {
    const systems = comparison.arms.map(({ name }) => name);
    const title = `${mainOf(comparison)?.title ?? ''} by ${by === 'domain' ? 'domain' : 'kind of question'}`;
    const values = rows.map(({ value }) => value);
    const table = systems.map((system) => [system, ...rows.map(({ means }) => number(means[system] ?? null))]);
    sections.push(`${title}\n${textTable(['system', ...values], table)}`);
  }
  if (unreadable > 0)
    sections.push(`${unreadable} verdicts of the language model could not be read, and credit nothing.`);
  if (warnings.length > 0) sections.push(`warnings\n${warningsTable(warnings)}`);
  return sections.join('\n\n');
}

/** What went otherwise than asked, system by system. */
export function warningsTable(warnings: SetReport['warnings']): string {
  const rows = warnings.map(({ system, outputs, warning }) => [system, String(outputs), warning]);
  return textTable(['system', 'outputs', 'the first of them'], rows, 3);
}

export function mainOf({ metrics, main }: ComparisonReport) {
  return metrics.find(({ key }) => key === main);
}
