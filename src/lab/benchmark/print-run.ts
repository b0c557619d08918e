import { fixed, type JudgeRecord } from '../../evaluation/index.ts';
import { printJudge } from '../bulk/judge-identity.ts';
import { printComparison } from '../cli/print-comparison.ts';
import { printEstimate } from '../cli/print-estimate.ts';
import { textTable } from '../cli/text-table.ts';
import type { ComparisonReport } from '../comparison/comparison-report.ts';
import type { SetReport } from '../run/run-report.ts';
import type { SetRun } from './run.node.ts';

/** A run as text for a terminal: systems against sets first, then the tables of each set. */
export function printRun(name: string, judge: JudgeRecord, runs: readonly SetRun[]): string {
  const reports = runs.map(({ report }) => report);
  const head = `${name}\nscores by ${printJudge(judge)}, but for those by labels`;
  const overview = reports.length > 1 ? [overviewTable(reports)] : [];
  return [head, ...overview, ...reports.map(printSet)].join('\n\n');
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

function printSet({ comparison, curves, sensitivities, breakdowns, unreadable }: SetReport): string {
  const sections = [printComparison(comparison)];
  if (curves.length > 0) {
    const bins = curves[0].bins.map(({ from, to }) => `${Math.round(100 * from)}-${Math.round(100 * to)}%`);
    const rows = curves.map(({ system, bins: own }) => [
      system,
      ...own.map(({ coverage: { value } }) => figure(value, 1)),
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
    const table = systems.map((system) => [system, ...rows.map(({ means }) => figure(means[system], 1))]);
    sections.push(`${title}\n${textTable(['system', ...values], table)}`);
  }
  if (unreadable > 0)
    sections.push(`${unreadable} verdicts of the language model could not be read, and credit nothing.`);
  return sections.join('\n\n');
}

export function mainOf({ metrics, main }: ComparisonReport) {
  return metrics.find(({ key }) => key === main);
}

function figure(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? '–' : fixed(value, digits);
}
