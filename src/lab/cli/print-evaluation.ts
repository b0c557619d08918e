import { type MetricName, metricOf } from '../../evaluation/index.ts';
import type { Breakdown, MetricReport, Row } from '../bulk/report.ts';
import { printEstimate } from './print-estimate.ts';
import { textTable } from './text-table.ts';

export const DIMENSION_TITLES: Readonly<Record<Breakdown['by'], string>> = {
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

/** Figures of files as text for a terminal: a table per metric, differences between systems, breakdowns. */
export function printEvaluation(reports: readonly MetricReport[]): string {
  return reports.map(printMetric).join('\n\n');
}

function printMetric({ metric, systems, differences, breakdowns }: MetricReport): string {
  const { title: name, figures } = metricOf(metric);
  const titles = figures.map(({ title }) => title);
  const isOrdered = systems.some(({ positionSensitivity }) => positionSensitivity !== null);
  const overall = textTable(
    ['system', 'n', ...titles, ...(isOrdered ? ['position sensitivity'] : [])],
    systems.map((row) => {
      const moved = row.positionSensitivity === null ? '–' : printEstimate(row.positionSensitivity, 1);
      return [...namesOf(row), ...cellsOf(metric, row), ...(isOrdered ? [moved] : [])];
    }),
  );
  const sections = [`${name}, with 95% bootstrap intervals\n${overall}`];
  if (differences.length > 0) {
    const rows = differences.map((row) => [
      systemTitle(row.system),
      String(row.shared),
      ...figures.map(({ name }) => printEstimate(row.figures[name], 1, row.shared)),
    ]);
    const against = systemTitle(differences[0].against);
    sections.push(`less ${against}, over the ids that both have\n${textTable(['system', 'n', ...titles], rows)}`);
  }
  for (const { by, rows } of breakdowns) {
    const title = DIMENSION_TITLES[by];
    const cells = rows.map((row) => [row.value ?? '(not given)', ...namesOf(row), ...cellsOf(metric, row)]);
    sections.push(`by ${title}\n${textTable([title, 'system', 'n', ...titles], cells, 2)}`);
  }
  return sections.join('\n\n');
}

function namesOf({ system, records }: Row): string[] {
  return [systemTitle(system), String(records)];
}

function cellsOf(metric: MetricName, { figures, records }: Row): string[] {
  return metricOf(metric).figures.map(({ name }) => printEstimate(figures[name], 1, records));
}
