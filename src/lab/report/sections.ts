import { number } from '../../evaluation/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import type { SetReport } from '../run/run-report.ts';
import type { Cell, Chart, Section, Table } from './report.ts';

const ALPHA = 0.05;

/** The sections of a result that have any figures. */
export function resultSections(result: Result): Section[] {
  return [
    { title: 'Means', parts: [meansTable(result)] },
    differencesSection(result),
    placesSection(result),
    breakdownsSection(result),
  ].filter(({ parts }) => parts.length > 0);
}

export function estimateCell(
  { figures, digests }: Pick<ResultRow, 'figures' | 'digests'>,
  key: string,
  digits: number,
): Cell {
  const estimate = figures[key];
  return estimate === undefined ? '–' : { estimate, digits, expected: digests };
}

function meansTable({ arms, metrics }: Result): Table {
  const pooled = metrics.some(({ key, isPooled }) => isPooled && !key.endsWith('Micro'))
    ? '; of SummHay over the insights of all texts as one'
    : '';
  const failures = (['failed', 'partial'] as const).filter((kind) => arms.some((row) => row[kind] > 0));
  return {
    kind: 'table',
    title: `means, with 95% bootstrap intervals${pooled}`,
    heads: ['system', 'n', ...failures, ...metrics.map(({ title }) => title)],
    rows: arms.map((row) => [
      row.name,
      row.digests,
      ...failures.map((kind) => row[kind]),
      ...metrics.map(({ key, digits }) => estimateCell(row, key, digits)),
    ]),
  };
}

function differencesSection({ arms, metrics, baseline }: Result): Section {
  const parts = metrics.flatMap(({ key, title, digits }): (Table | Chart)[] => {
    const found = arms.flatMap(({ name, differences }) => {
      const difference = differences?.[key];
      return difference === undefined ? [] : [{ name, ...difference, isStrong: (difference.adjustedP ?? 1) < ALPHA }];
    });
    if (found.length === 0) return [];
    const named = `${title}, less "${baseline}"`;
    const heads = ['system', 'pairs', 'difference, 95% bootstrap interval', 't', 'df', 'p', 'p, Holm'];
    const rows = found.map(({ name, statistic, degreesOfFreedom, p, adjustedP, ...estimate }): Cell[] => {
      const tested = [number(statistic, 2), degreesOfFreedom ?? '–', { p }, { p: adjustedP }];
      return [name, estimate.n, { estimate, digits }, ...tested];
    });
    return [
      { kind: 'intervals', title: `${named}; a filled dot has p < ${ALPHA}, adjusted (Holm)`, rows: found },
      { kind: 'table', title: named, heads, rows },
    ];
  });
  return { title: 'Differences from the baseline, paired by case', parts };
}

/** A system without answers has a row, but no line in the chart. */
export function curveTable(title: string, names: readonly string[], curves: Result['curves']): Table {
  const places = placesOf(curves);
  const rows = names.map((name): Cell[] => {
    const bins = curves.find(({ system }) => system === name)?.bins;
    return [name, ...places.map((_, bin): Cell => (bins ? { estimate: bins[bin].coverage, digits: 1 } : '–'))];
  });
  return { kind: 'table', title, heads: ['system', ...places], rows };
}

function placesOf([first]: Result['curves']): string[] {
  return (first?.bins ?? []).map(({ from, to }) => percents(from, to));
}

export function percents(from: number, to: number): string {
  return `${Math.round(100 * from)}-${Math.round(100 * to)}%`;
}

function placesSection({ arms, curves, sensitivities }: Result): Section {
  const parts: (Table | Chart)[] = [];
  if (curves.length > 0) {
    const places = placesOf(curves);
    const lines = curves.map(({ system, bins }) => {
      return { name: system, values: bins.map(({ coverage }) => coverage.value) };
    });
    const title = 'source coverage by the place of the document in the input';
    const names = arms.map(({ name }) => name);
    parts.push({ kind: 'lines', title, x: 'place of the document in the input, from first to last', places, lines });
    parts.push(curveTable(`${title}, with 95% bootstrap intervals`, names, curves));
  }
  if (sensitivities.length > 0) {
    parts.push({
      kind: 'table',
      title: 'position sensitivity: largest change of the mean joint score (of coverage, if citations are not scored)',
      heads: ['system', 'largest change'],
      rows: sensitivities.map(({ system, sensitivity }) => [system, { estimate: sensitivity, digits: 1 }]),
    });
  }
  return { title: 'Places of documents', parts };
}

const BREAKDOWN_TITLES: Readonly<Record<string, string>> = {
  questionKind: 'kind of question',
  order: 'order of documents',
};

function breakdownsSection({ breakdowns, metrics }: Result): Section {
  const parts = breakdowns.map(({ by, rows }): Table => {
    const shown = metrics.filter(({ key }) => rows[0]?.figures[key] !== undefined);
    const title = BREAKDOWN_TITLES[by] ?? by;
    return {
      kind: 'table',
      title: `by ${title}`,
      heads: [title, 'system', 'n', ...shown.map((metric) => metric.title)],
      rows: rows.map((row) => {
        const figures = shown.map(({ key, digits }) => estimateCell(row, key, digits));
        return [row.value ?? '(not given)', row.name, row.digests, ...figures];
      }),
      names: 2,
    };
  });
  return { title: 'Breakdowns', parts };
}

const MATRIX_SCORES = ['labelled', 'summhay'].flatMap((kind) =>
  ['coverage', 'citation', 'joint'].map((name) => `${kind}.${name}`),
);

/** Scores by summariser and retriever, as in table 2 of SummHay (Laban et al. 2024, section 5). */
export function matrixSections({ matrix, metrics, main, arms }: SetReport): Section[] {
  if (matrix === null) return [];
  const scores = metrics.filter(({ key }) => MATRIX_SCORES.includes(key));
  const shown = scores.length > 0 ? scores : metrics.filter(({ key }) => key === main);
  const parts = shown.map(({ key, title, digits, isPooled }): Table => {
    const over = isPooled ? ', over the insights of all cases as one' : '';
    return {
      kind: 'table',
      title: `${title}, by summariser and retriever${over}, with 95% bootstrap intervals`,
      heads: ['summariser', ...matrix.retrievers],
      rows: matrix.rows.map(({ summariser, systems }) => [
        summariser,
        ...systems.map((name) => {
          const arm = arms.find((each) => each.name === name);
          return arm === undefined ? '–' : estimateCell(arm, key, digits);
        }),
      ]),
    };
  });
  return [{ title: 'Summarisers by retrievers', parts }];
}

export function warningSections({ warnings, unreadable }: SetReport): Section[] {
  const rows = warnings.map(({ system, outputs, warning }) => [system, outputs, warning]);
  const verdicts = ['(all)', unreadable, 'unreadable verdicts of the language model, which credit nothing'];
  if (unreadable > 0) rows.push(verdicts);
  if (rows.length === 0) return [];
  const heads = ['system', 'outputs', 'the first of them'];
  return [{ title: 'Warnings', parts: [{ kind: 'table', title: 'warnings', heads, rows }] }];
}
