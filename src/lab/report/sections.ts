import { number } from '../../evaluation/index.ts';
import type { Estimate } from '../results/estimate.ts';
import type { ResultMetric } from '../results/metrics.ts';
import type { Result, ResultRow } from '../results/result.ts';
import type { SetReport } from '../run/run-report.ts';
import { type Cell, type Chart, type Column, type Section, type Table, tableOf } from './report.ts';

/** The sections of a result that have any figures. */
export function resultSections(result: Result): Section[] {
  return [
    { title: 'Means', parts: [meansTable(result)] },
    { title: 'Differences from the baseline, paired by case', parts: differences(result) },
    { title: 'Places of documents', parts: places(result) },
    { title: 'Breakdowns', parts: breakdowns(result) },
  ].filter(({ parts }) => parts.length > 0);
}

type Row = Pick<ResultRow, 'name' | 'digests' | 'figures'>;

export function estimateCell(estimate: Estimate | undefined, digits = 1, expected?: number): Cell {
  return estimate === undefined ? '–' : { estimate, digits, expected };
}

export function figureCell(row: Row | undefined, key: string, digits: number): Cell {
  return estimateCell(row?.figures[key], digits, row?.digests);
}

const figureColumn = ({ key, title, digits }: ResultMetric): Column<Row> => [
  title,
  (row) => figureCell(row, key, digits),
];
const SYSTEM: readonly Column<Row>[] = [
  ['system', ({ name }) => name],
  ['n', ({ digests }) => digests],
];

function meansTable({ arms, metrics }: Result): Table {
  const pooled = metrics.some(({ key, isPooled }) => isPooled && !key.endsWith('Micro'))
    ? '; of SummHay over the insights of all texts as one'
    : '';
  const failures = (['failed', 'partial'] as const).filter((kind) => arms.some((row) => row[kind] > 0));
  return tableOf(`means, with 95% bootstrap intervals${pooled}`, arms, [
    ...SYSTEM,
    ...failures.map((kind): Column<ResultRow> => [kind, (row) => row[kind]]),
    ...metrics.map(figureColumn),
  ]);
}

function differences({ arms, metrics, baseline }: Result): Table[] {
  return metrics.flatMap(({ key, title, digits }): Table[] => {
    const rows = arms.flatMap(({ name, differences: all }) => {
      const difference = all?.[key];
      return difference === undefined ? [] : [{ name, ...difference }];
    });
    if (rows.length === 0) return [];
    return [
      tableOf(`${title}, less "${baseline}"`, rows, [
        ['system', ({ name }) => name],
        ['pairs', ({ n }) => n],
        ['difference, 95% bootstrap interval', (estimate) => ({ estimate, digits })],
        ['t', ({ statistic }) => number(statistic, 2)],
        ['df', ({ degreesOfFreedom }) => degreesOfFreedom ?? '–'],
        ['p', ({ p }) => ({ p })],
        ['p, Holm', ({ adjustedP }) => ({ p: adjustedP })],
      ]),
    ];
  });
}

/** A system without answers has a row, but no line in the chart. */
export function curveTable(title: string, names: readonly string[], curves: Result['curves']): Table {
  return tableOf(title, names, [
    ['system', (name) => name],
    ...placesOf(curves).map((place, bin): Column<string> => {
      const estimateOf = (name: string) => curves.find(({ system }) => system === name)?.bins[bin].coverage;
      return [place, (name) => estimateCell(estimateOf(name))];
    }),
  ]);
}

function placesOf([first]: Result['curves']): string[] {
  return (first?.bins ?? []).map(({ from, to }) => percents(from, to));
}

export function percents(from: number, to: number): string {
  return `${Math.round(100 * from)}-${Math.round(100 * to)}%`;
}

function places({ arms, curves, sensitivities }: Result): (Table | Chart)[] {
  const title = 'source coverage by the place of the document in the input';
  const names = arms.map(({ name }) => name);
  const lines = curves.map(({ system, bins }) => ({ name: system, values: bins.map((bin) => bin.coverage.value) }));
  const x = 'place of the document in the input, from first to last';
  const parts: (Table | Chart)[] = [
    { kind: 'lines', title, x, places: placesOf(curves), lines },
    curveTable(`${title}, with 95% bootstrap intervals`, names, curves),
  ];
  const sensitivity = tableOf(
    'position sensitivity: largest change of the mean joint score (of coverage, if citations are not scored)',
    sensitivities,
    [
      ['system', ({ system }) => system],
      ['largest change', (row) => ({ estimate: row.sensitivity, digits: 1 })],
    ],
  );
  return [...(curves.length > 0 ? parts : []), ...(sensitivities.length > 0 ? [sensitivity] : [])];
}

const BREAKDOWN_TITLES: Readonly<Record<string, string>> = {
  questionKind: 'kind of question',
  order: 'order of documents',
};

function breakdowns({ breakdowns: all, metrics }: Result): Table[] {
  return all.map(({ by, rows }) => {
    const title = BREAKDOWN_TITLES[by] ?? by;
    const shown = metrics.filter(({ key }) => rows[0]?.figures[key] !== undefined);
    const value: Column<(typeof rows)[number]> = [title, (row) => row.value ?? '(not given)'];
    return tableOf(`by ${title}`, rows, [value, ...SYSTEM, ...shown.map(figureColumn)], 2);
  });
}

const MATRIX_SCORES = ['labelled', 'summhay'].flatMap((kind) =>
  ['coverage', 'citation', 'joint'].map((name) => `${kind}.${name}`),
);

/** Scores by summariser and retriever, as in table 2 of SummHay (Laban et al. 2024, section 5). */
export function matrixSections({ matrix, metrics, main, arms }: SetReport): Section[] {
  if (matrix === null) return [];
  const scores = metrics.filter(({ key }) => MATRIX_SCORES.includes(key));
  const shown = scores.length > 0 ? scores : metrics.filter(({ key }) => key === main);
  const parts = shown.map(({ key, title, digits, isPooled }) => {
    const over = isPooled ? ', over the insights of all cases as one' : '';
    return tableOf(`${title}, by summariser and retriever${over}, with 95% bootstrap intervals`, matrix.rows, [
      ['summariser', ({ summariser }) => summariser],
      ...matrix.retrievers.map((retriever, place): Column<(typeof matrix.rows)[number]> => {
        const armOf = (name: string | null) => arms.find((arm) => arm.name === name);
        return [retriever, ({ systems }) => figureCell(armOf(systems[place]), key, digits)];
      }),
    ]);
  });
  return [{ title: 'Summarisers by retrievers', parts }];
}

export function warningSections({ warnings, unreadable }: SetReport): Section[] {
  const verdicts = {
    ...{ system: '(all)', outputs: unreadable },
    warning: 'unreadable verdicts of the language model, which credit nothing',
  };
  const rows = unreadable > 0 ? [...warnings, verdicts] : warnings;
  const table = tableOf('warnings', rows, [
    ['system', ({ system }) => system],
    ['outputs', ({ outputs }) => outputs],
    ['the first of them', ({ warning }) => warning],
  ]);
  return rows.length === 0 ? [] : [{ title: 'Warnings', parts: [table] }];
}
