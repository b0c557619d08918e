import type { Estimate } from '../../bulk/estimate.ts';
import type { EstimatedBin } from '../../bulk/estimated-curve.ts';
import { FIGURES } from '../../bulk/figures.ts';
import type { MetricReport } from '../../bulk/report.ts';
import { type Content, type Html, html } from '../../../server/docs/html.ts';
import { DIMENSION_TITLES, systemTitle } from '../print-evaluation.ts';
import { number, table } from './view.ts';

/** The tables of a metric: systems, differences, breakdowns, and the curve by place. */
export function figuresView({ metric, systems, differences, breakdowns }: MetricReport): Html {
  const columns = FIGURES[metric];
  const titles = columns.map(({ title }) => title);
  const cells = (figures: Readonly<Record<string, Estimate>>, expected: number): Content =>
    columns.map(({ name }) => cell(figures[name], expected));
  const isOrdered = systems.some(({ positionSensitivity }) => positionSensitivity !== null);
  return html`${table(
    'Means with 95% bootstrap intervals',
    ['System', 'n', ...titles, ...(isOrdered ? ['position sensitivity'] : [])],
    systems.map(({ system, records, figures, positionSensitivity }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${records}</td>`,
      cells(figures, records),
      isOrdered && (positionSensitivity === null ? html`<td>–</td>` : cell(positionSensitivity, positionSensitivity.n)),
    ]),
    'figures',
  )}
${
  differences.length > 0 &&
  table(
    `Less ${systemTitle(differences[0].against)}, over the ids that both have`,
    ['System', 'n', ...titles],
    differences.map(({ system, shared, figures }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${shared}</td>`,
      cells(figures, shared),
    ]),
    'figures',
  )
}
${breakdowns.map(({ by, rows }) =>
  table(
    `By ${DIMENSION_TITLES[by]}`,
    [DIMENSION_TITLES[by], 'System', 'n', ...titles],
    rows.map(({ value, system, records, figures }) => [
      html`<th scope="row">${value ?? '(not given)'}</th><td class="name">${systemTitle(system)}</td><td>${records}</td>`,
      cells(figures, records),
    ]),
    'figures',
    2,
  ),
)}
${systems.map(({ system, positionCurve }) => positionCurve !== null && curveView(systemTitle(system), positionCurve))}`;
}

function cell({ value, low, high, n }: Estimate, expected: number): Content {
  const range = low !== null && high !== null && html`<span class="range">${number(low)} to ${number(high)}</span>`;
  return html`<td>${number(value)}${range}${n !== expected && html`<span class="range">n = ${n}</span>`}</td>`;
}

function curveView(system: string, curve: readonly EstimatedBin[]): Html {
  const percent = (share: number) => `${Math.round(100 * share)}`;
  const rows = curve.map(
    ({ from, to, coverage }): Content => html`<th scope="row">${percent(from)} to ${percent(to)}%</th>
<td>${coverage.n}</td>${cell(coverage, coverage.n)}<td><span class="bar" style="width:${coverage.value ?? 0}%"></span></td>`,
  );
  const heads = ['Place among the documents', 'Documents', 'Coverage', ''];
  return table(`Coverage by place, ${system}`, heads, rows, 'figures curve');
}
