import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import { type Html, html } from '../../../server/docs/html.ts';
import { number, table } from '../evaluation-page/view.ts';
import { fixed } from '../print-estimate.ts';
import { capital, type Placement } from './placement.ts';

/** The means of all metrics, arm by arm. */
export function meansView({ arms, metrics, baseline }: ComparisonReport, { words, numberOf }: Placement): Html {
  const rows = arms.map(({ name, digests, failed, partial, figures }, place) => {
    const cells = metrics.map(({ key, digits }) => {
      const { value, low, high, n } = figures[key];
      const range = low !== null && high !== null && `${fixed(low, digits)} to ${fixed(high, digits)}`;
      return html`<td>${number(value, digits)}<span class="range">${range}</span>${n !== digests && html`<span class="range">n = ${n}</span>`}</td>`;
    });
    return html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}${name === baseline && html` <span class="badge">baseline</span>`}
${failed > 0 && html`<span class="why">${failed} failed</span>`}${partial > 0 && html`<span class="why">${partial} partial</span>`}</th>
<td>${digests}</td>${cells}`;
  });
  const heads = [capital(words.one), 'n', ...metrics.map(({ title }) => title)];
  return table(`Means over the ${words.data}, with 95% bootstrap intervals`, heads, rows, 'figures');
}
