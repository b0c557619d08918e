import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../../comparison/metrics.ts';
import { type Html, html } from '../../../server/docs/html.ts';
import { number, table } from '../evaluation-page/view.ts';
import { printP } from '../print-comparison.ts';
import { fixed } from '../print-estimate.ts';
import { forestPlot } from './forest-plot.ts';
import { capital, heading, type Placement } from './placement.ts';

/** A metric against the baseline: the plot, and behind it the figures of the tests. */
export function differencesView(
  { arms, baseline }: ComparisonReport,
  metric: ComparisonMetric,
  placement: Placement,
): Html {
  const { key, title, digits } = metric;
  const { level, prefix, words } = placement;
  const others = arms.filter(({ differences }) => differences !== null);
  const base = arms.find(({ name }) => name === baseline)?.figures[key].value ?? null;
  const rows = others.flatMap(({ name, differences }) => {
    const difference = differences?.[key];
    if (difference === undefined) return [];
    const { value, low, high, n, statistic, degreesOfFreedom, p, adjustedP } = difference;
    const range = low === null || high === null ? '–' : `${fixed(low, digits)} to ${fixed(high, digits)}`;
    return html`<th scope="row">${name}</th><td>${n}</td><td>${number(value, digits)}</td><td>${range}</td>
<td>${number(statistic, 2)}</td><td>${degreesOfFreedom ?? '–'}</td><td>${printP(p)}</td><td>${printP(adjustedP)}</td>`;
  });
  const heads = [capital(words.one), 'pairs', 'difference', '95% interval', 't', 'df', 'p', 'p, Holm'];
  return html`${heading(level + 1, title, `${prefix}${key}`)}
<p class="muted">Less the baseline’s mean of ${number(base, digits)}.</p>
${forestPlot(metric, others, placement)}
<details><summary>Figures</summary>${table(`Paired differences in ${title}`, heads, rows, 'figures')}</details>
`;
}
