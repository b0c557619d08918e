import type { JudgeRecord } from '../../../contract/evaluation-answer.ts';
import { inCanonicalOrder } from '../../bulk/record.ts';
import type { MetricReport } from '../../bulk/report.ts';
import type { Scoring } from '../../bulk/score-records.ts';
import { html } from '../../../server/docs/html.ts';
import { htmlPage } from '../../../server/docs/html-page.ts';
import { describeFailure } from '../describe-failure.ts';
import { METRIC_TITLES } from '../print-evaluation.ts';
import { printJudge } from '../print-judge.ts';
import { figuresView } from './figures-view.ts';
import { recordView } from './record-view.ts';
import { STYLE } from './style.ts';
import type { Thresholds } from './thresholds.ts';
import { table } from './view.ts';

/**
 * A run as one HTML page to read: the figures, and for each record what was found, where, and why something was not. It loads
 * nothing and runs nothing; every text of the records is escaped.
 */
export function evaluationPage(
  { scored, failed }: Scoring,
  reports: readonly MetricReport[],
  judge: JudgeRecord,
  thresholds: Thresholds | null,
): string {
  const sorted = inCanonicalOrder(scored);
  const body = html`<header><h1>Evaluation</h1>
<p class="muted">${scored.length} ${scored.length === 1 ? 'record' : 'records'}, judged by ${printJudge(judge)}.</p></header>
<nav aria-label="Contents"><ul>${reports.map(
    ({ metric }) => html`<li><a href="#${metric}">${METRIC_TITLES[metric]}</a></li>`,
  )}${failed.length > 0 && html`<li><a href="#failed">Not scored</a></li>`}</ul></nav>
<main id="main">
${reports.map(
  (report) => html`<section id="${report.metric}"><h2>${METRIC_TITLES[report.metric]}</h2>
${figuresView(report)}
<h3>Records</h3>
${sorted.filter(({ answer }) => answer.metric === report.metric).map((each) => recordView(each, thresholds))}
</section>
`,
)}
${
  failed.length > 0 &&
  html`<section id="failed"><h2>Not scored</h2>${table(
    'Records that failed',
    ['Id', 'System', 'Metric', 'Problem'],
    inCanonicalOrder(failed).map(
      ({ record, failure }) => html`<th scope="row">${record.id}</th><td>${record.system ?? '–'}</td>
<td>${METRIC_TITLES[record.evaluation.metric]}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  )}</section>`
}
</main>`;
  return htmlPage({ title: 'Evaluation', style: STYLE, body });
}
