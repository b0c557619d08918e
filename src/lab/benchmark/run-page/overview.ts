import { type Html, html } from '../../../server/docs/html.ts';
import { number, table } from '../../cli/evaluation-page/view.ts';
import { fixed } from '../../cli/print-estimate.ts';
import { mainOf } from '../print-run.ts';
import type { SetRun } from '../run.node.ts';
import { type DotRow, dotAxis, dotPlot } from './dot-plot.ts';
import { systemsOf } from './systems-of.ts';

/** The main metric of each set, system by system: a plot for each set, and one table. */
export function overview(runs: readonly SetRun[]): Html {
  const systems = systemsOf(runs);
  const figures = runs.map(({ report: { set, comparison } }) => {
    const main = mainOf(comparison);
    const rows = systems.flatMap((name, place): DotRow[] => {
      const arm = comparison.arms.find((each) => each.name === name);
      if (main === undefined || arm === undefined) return [];
      const estimate = arm.figures[main.key];
      return [{ number: place + 1, name, estimate, isBaseline: name === comparison.baseline }];
    });
    return { set, main, rows };
  });
  const plots = figures.map(({ set, main, rows }) => {
    if (main === undefined) return html`<figure><figcaption><b>${set}</b>: nothing to compare</figcaption></figure>`;
    // Sets of one metric share an axis.
    const alike = figures.filter((each) => each.main?.key === main.key).flatMap((each) => each.rows);
    const axis = dotAxis(alike.map(({ estimate }) => estimate));
    return html`<figure><figcaption><b>${set}</b>: ${main.title}</figcaption>
${dotPlot(`${set}: ${main.title} of each system`, rows, axis, main.digits)}</figure>`;
  });
  const cells = systems.map(
    (name, place) =>
      html`<th scope="row"><span class="muted">${place + 1}</span> ${name}</th>${figures.map(({ main, rows }) => {
        const row = rows.find((each) => each.name === name);
        if (main === undefined || row === undefined) return html`<td>–</td>`;
        const { value, low, high, n } = row.estimate;
        const range = low !== null && high !== null && `${fixed(low, main.digits)} to ${fixed(high, main.digits)}, `;
        return html`<td>${number(value, main.digits)}${row.isBaseline && html` <span class="badge">baseline</span>`}<span class="range">${range}n = ${n}</span></td>`;
      })}`,
  );
  const heads = figures.map(({ set, main }) => html`${set}<span class="range">${main?.title}</span>`);
  return html`<p>The first score of each set. Lines are 95% bootstrap intervals over the cases. The baseline is in bold, and the broken line
is its mean. The numbers of systems are the same on the whole page.</p>
<div class="plots">${plots}</div>
${table('Means over the cases, with 95% bootstrap intervals', ['System', ...heads], cells, 'figures overview')}`;
}
