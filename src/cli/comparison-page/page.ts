import type { ComparisonReport } from '../../experiments/comparison/comparison-report.ts';
import type { ComparisonRun } from '../../experiments/comparison/run-comparison.ts';
import { codeBlock, html } from '../../http/docs/html.ts';
import { htmlPage } from '../../http/docs/html-page.ts';
import { describeFailure } from '../describe-failure.ts';
import { table } from '../evaluation-page/view.ts';
import { countOf } from '../print-comparison.ts';
import { differencesView } from './differences-view.ts';
import { lengthsView } from './lengths-view.ts';
import { meansView } from './means-view.ts';
import { scatter } from './scatter.ts';
import { COMPARISON_STYLE } from './style.ts';

/** A comparison as one HTML page with plots. It loads nothing and runs nothing; every name is escaped. */
export function comparisonPage(report: ComparisonReport, { failed }: Pick<ComparisonRun, 'failed'>): string {
  const { name, baseline, metrics, main, arms, skipped } = report;
  const shown = metrics.find(({ key }) => key === main);
  const hasOthers = arms.some(({ differences }) => differences !== null);
  const body = html`<header><h1>${name}</h1>
<p class="muted">${countOf(report)}; the baseline is “${baseline}”.
${skipped.length > 0 && html`Left out, as they need a language model: ${skipped.join('; ')}.`}</p></header>
<nav aria-label="Contents"><ul><li><a href="#means">Means</a></li>${
    hasOthers && html`<li><a href="#differences">Differences</a></li>`
  }<li><a href="#lengths">Documents and lengths</a></li><li><a href="#arms">Arms</a></li>${
    failed.length > 0 && html`<li><a href="#failed">Failed</a></li>`
  }</ul></nav>
<main id="main">
<section id="means"><h2>Means</h2>
${
  shown !== undefined &&
  html`<p>Words of the summary against ${shown.title}: an arm that is better, and not only longer, lies above others of its
length. Numbers are those of the table; the dark dot is the baseline.</p>
${scatter(report, shown)}`
}
${meansView(report)}</section>
${
  hasOthers &&
  html`<section id="differences"><h2>Differences from the baseline</h2>
<p>Paired over the data: mean and 95% bootstrap interval. A filled dot has p &lt; 0.05 by the paired t-test after all arms
and metrics are counted (Holm).</p>
${metrics.map((metric) => differencesView(report, metric))}</section>`
}
<section id="lengths"><h2>Documents and lengths</h2>
<p>Whether an arm is better or merely longer: documents and words are of digests, words of sentence of all their sentences.</p>
${lengthsView(report)}</section>
<section id="arms"><h2>Arms</h2>
${table(
  'Options as they were given',
  ['Arm', 'Options'],
  arms.map(
    (arm) => html`<th scope="row">${arm.name}</th><td class="wide">${codeBlock(JSON.stringify(arm.options))}</td>`,
  ),
)}</section>
${
  failed.length > 0 &&
  html`<section id="failed"><h2>Failed</h2>${table(
    'Digests that could not be made',
    ['Datum', 'Arm', 'Problem'],
    failed.map(
      ({ datum, arm, failure }) =>
        html`<th scope="row">${datum}</th><td>${arm}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  )}</section>`
}
</main>`;
  return htmlPage({ title: name, style: COMPARISON_STYLE, body });
}
